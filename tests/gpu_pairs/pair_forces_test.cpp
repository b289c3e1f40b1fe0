// The pair schedule of the GPU against the law summed over all pairs and images, and against the CPU's.

#include "gpu_pairs/device_pairs.hpp"

#include <gtest/gtest.h>

namespace alder::test {
namespace {

using plan::CoulombForm;
using plan::VdwForm;

physics::Box const cubic({2.3, 0, 0}, {0, 2.3, 0}, {0, 0, 2.3});

void expectNear(math::Mat3d const& v, math::Mat3d const& expected, double bound)
{
    for (auto const& [a, b] : {std::pair{v.x, expected.x}, {v.y, expected.y}, {v.z, expected.z}}) {
        EXPECT_NEAR(a.x, b.x, bound);
        EXPECT_NEAR(a.y, b.y, bound);
        EXPECT_NEAR(a.z, b.z, bound);
    }
}

/// `hostError`: of the CPU's energies, which come from polynomials, over the sum of their absolute values.
void expectLikeLaw(Sample const& sample, plan::PairPlan const& plan, double tolerance, double hostError = 1e-9)
{
    BruteSums const brute = bruteForce(sample, plan);
    DevicePairs pairs(sample.topology, plan);
    pairs.buildList(sample.positions, sample.box);
    EXPECT_LT(relativeError(pairs.forces(sample.positions), brute.forces), tolerance);

    system::ForceSums const sums = pairs.energies(sample.positions);
    // Positions on the kernels' lattice are off by 1e-7 nm.
    double const bound = 1e-6 * brute.size + 1e-6;
    EXPECT_NEAR(sums.of(system::Term::ljSR).value(), brute.lj, bound);
    EXPECT_NEAR(sums.of(system::Term::coulombSR).value(), brute.coulomb, bound);
    expectNear(sums.virial.value(), brute.virial, bound);

    // The CPU's work is the same but for its last bits.
    cpu::PairForces host(sample.topology, plan, cpu::bestSimdLevel(), 1);
    host.buildList(sample.positions, sample.box);
    system::ForceSums hostSums;
    host.addEnergies(sample.positions, hostSums, &hostSums.virial);
    double const near = hostError * brute.size + 1e-5;
    EXPECT_NEAR(sums.of(system::Term::ljSR).value(), hostSums.of(system::Term::ljSR).value(), near);
    EXPECT_NEAR(sums.of(system::Term::coulombSR).value(), hostSums.of(system::Term::coulombSR).value(), near);
    expectNear(sums.virial.value(), hostSums.virial.value(), near);
    std::vector<math::Vec3d> hostForces;
    for (math::ForceUnits const& f : forcesOf(host, sample.positions)) hostForces.push_back(math::forceValue(f));
    EXPECT_LT(relativeError(pairs.forces(sample.positions), hostForces), 3e-6);

    // That of the rounded forces: off by their error times a distance, pair by pair at random.
    DeviceSums const rounded = pairs.withVirial(sample.positions);
    EXPECT_TRUE(same(rounded.forces, pairs.forces(sample.positions)));
    auto const v = [&](std::size_t k) { return math::FixedSum{rounded.virial[k]}.value(); };
    expectNear({{v(0), v(1), v(2)}, {v(3), v(4), v(5)}, {v(6), v(7), v(8)}}, brute.virial, 3e-6 * brute.size + 1e-3);
    EXPECT_EQ(rounded.virial[1], rounded.virial[3]);
}

TEST(GpuPairForces, followTheLawInEveryForm)
{
    forEachForm([](CoulombForm coulomb, VdwForm vdw, SampleRecipe const& recipe) {
        SCOPED_TRACE(testing::Message() << "coulomb " << static_cast<int>(coulomb) << " vdw " << static_cast<int>(vdw) << " mixed "
                                        << recipe.mixedPair);
        expectLikeLaw(makeSample(recipe, cubic), makePlan(coulomb, vdw, 0.9), 1e-5);
    });
}

TEST(GpuPairForces, takeAShorterLennardJonesCutoff)
{
    for (VdwForm const vdw : {VdwForm::cut, VdwForm::potentialSwitch, VdwForm::forceSwitch}) {
        plan::PairPlan plan = makePlan(CoulombForm::ewald, vdw, 0.9);
        plan.rvdw = 0.75;
        plan.rvdwSwitch = 0.6;
        expectLikeLaw(makeSample({}, cubic), plan, 1e-5);
    }
}

/// A splitting parameter that the polynomial of degree 11 does not fit.
TEST(GpuPairForces, takeTheLongPolynomial)
{
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    plan.beta = 5 / 0.9;
    plan.ewaldShift = std::erfc(5.0) / 0.9;
    SampleRecipe recipe;
    recipe.molecules = 60;
    expectLikeLaw(makeSample(recipe, cubic), plan, 1e-5, 1e-6);
}

TEST(GpuPairForces, holdInTriclinicBoxes)
{
    // Truncated octahedron, hexagonal cell, and one so skewed that the list radius exceeds half a cell height.
    for (physics::Box const& box :
         {physics::Box({2.5, 0, 0}, {0.8333, 2.357, 0}, {-0.8333, 1.1785, 2.0412}),
          physics::Box({2.4, 0, 0}, {1.2, 2.0785, 0}, {0, 0, 2.2}), physics::Box({2.4, 0, 0}, {1.2, 2.2, 0}, {1.2, 1.1, 1.55}),
          physics::Box({2.4, 0, 0}, {-1.2, 2.2, 0}, {-1.2, -1.1, 1.55})})
        expectLikeLaw(makeSample({}, box), makePlan(CoulombForm::ewald, VdwForm::cut, 0.95), 1e-5);
}

TEST(GpuPairForces, holdForAFewAtoms)
{
    for (std::int64_t const molecules : {1, 2, 3})
        for (std::size_t const size : {std::size_t{1}, std::size_t{3}}) {
            SampleRecipe recipe;
            recipe.molecules = molecules;
            recipe.charges.resize(size);
            recipe.types.resize(size);
            recipe.filledHeight = 0.2;
            expectLikeLaw(makeSample(recipe, physics::Box({2.0, 0, 0}, {0, 2.0, 0}, {0, 0, 2.0})),
                          makePlan(CoulombForm::ewald, VdwForm::cut, 0.95), 1e-5);
        }
}

TEST(GpuPairForces, holdForAnyNumberOfAtoms)
{
    for (std::int64_t const molecules : {21, 22, 43, 71, 107}) {
        SampleRecipe recipe;
        recipe.molecules = molecules;
        recipe.seed = static_cast<unsigned>(molecules);
        expectLikeLaw(makeSample(recipe, cubic), makePlan(CoulombForm::ewald, VdwForm::cut, 0.9), 1e-5);
    }
}

TEST(GpuPairForces, holdInVacuumAndSlabs)
{
    SampleRecipe slab;
    slab.filledHeight = 0.15;
    expectLikeLaw(makeSample(slab, physics::Box({2.2, 0, 0}, {0, 2.2, 0}, {0, 0, 20})), makePlan(CoulombForm::ewald, VdwForm::cut, 0.95),
                  1e-5);
    SampleRecipe gas;
    gas.molecules = 60;
    expectLikeLaw(makeSample(gas, physics::Box({30, 0, 0}, {0, 30, 0}, {0, 0, 30})),
                  makePlan(CoulombForm::reactionField, VdwForm::cut, 0.95), 1e-5);
    // Columns so tall and thinly filled that each atom is a cluster of its own: more than there is room for at first.
    SampleRecipe column;
    column.charges = {0.3};
    column.types = {0};
    column.molecules = 250;
    expectLikeLaw(makeSample(column, physics::Box({2.5, 0, 0}, {0, 2.5, 0}, {0, 0, 80})),
                  makePlan(CoulombForm::reactionField, VdwForm::cut, 0.95), 1e-5);
}

TEST(GpuPairForces, holdForLongCutoffs)
{
    SampleRecipe recipe;
    recipe.molecules = 130;
    plan::PairPlan plan = makePlan(CoulombForm::reactionField, VdwForm::cut, 7);
    plan.latticeBits = 19;
    expectLikeLaw(makeSample(recipe, physics::Box({15, 0, 0}, {0, 15, 0}, {0, 0, 15})), plan, 1e-5);
}

/// Molecules so long that excluded partners sit in many clusters, and across the box's faces. Rods are stiff: the tolerance is 1e-4.
TEST(GpuPairForces, holdForLongExclusions)
{
    SampleRecipe recipe;
    recipe.molecules = 10;
    recipe.nrexcl = 7;
    recipe.c6[0] = 2.6e-4;
    recipe.c12[0] = 2.6e-8;
    recipe.charges.assign(12, 0.1);
    recipe.types.assign(12, 0);
    for (std::size_t k = 0; k < recipe.charges.size(); k += 2) recipe.charges[k] = -0.3;
    expectLikeLaw(makeSample(recipe, physics::Box({2.9, 0, 0}, {0, 2.9, 0}, {0, 0, 2.9})), makePlan(CoulombForm::ewald, VdwForm::cut, 0.9),
                  1e-4);
}

TEST(GpuPairForces, addUpToZero)
{
    Sample const sample = makeSample({}, cubic);
    DevicePairs pairs(sample.topology, makePlan(CoulombForm::ewald, VdwForm::cut, 0.9));
    pairs.buildList(sample.positions, sample.box);
    math::ForceUnits net;
    for (math::ForceUnits const& f : pairs.forces(sample.positions)) net += f;
    EXPECT_TRUE(net == math::ForceUnits{});
}

/// Between builds the host waits for nothing.
TEST(GpuPairForces, needNoHost)
{
    Sample const sample = makeSample({}, cubic);
    DevicePairs pairs(sample.topology, makePlan(CoulombForm::ewald, VdwForm::cut, 0.9));
    pairs.buildList(sample.positions, sample.box);
    cuda::DeviceBuffer<math::FractionVec> const positions(sample.positions, pairs.stream);
    cuda::DeviceBuffer<std::int64_t> forces(3 * sample.positions.size());
    forces.clear(pairs.stream);
    pairs.stream.synchronize();
    simt::resetCounts();
    pairs.pairs.prune(positions.constView());
    for (int step = 0; step < 3; ++step) pairs.pairs.addForces(positions.constView(), forces.view());
    EXPECT_EQ(simt::counts().synchronizations, 0);
    pairs.stream.synchronize();
    EXPECT_EQ(simt::counts().launchesOf("narrowForces"), 3);
}

} // namespace
} // namespace alder::test
