// The pair schedule against the law summed over all pairs and images.

#include "pairs/sample_systems.hpp"

#include <gtest/gtest.h>

namespace alder::test {
namespace {

using plan::CoulombForm;
using plan::VdwForm;

physics::Box const cubic({2.3, 0, 0}, {0, 2.3, 0}, {0, 0, 2.3});

void expectLikeLaw(Sample const& sample, plan::PairPlan const& plan, double tolerance)
{
    BruteSums const brute = bruteForce(sample, plan);
    for (cpu::SimdLevel const level : levelsHere()) {
        cpu::PairForces pairs(sample.topology, plan, level, 2);
        pairs.buildList(sample.positions, sample.box);
        EXPECT_LT(relativeError(forcesOf(pairs, sample.positions), brute.forces), tolerance) << nameOf(level);
        system::ForceSums sums;
        pairs.addEnergies(sample.positions, sums, &sums.virial);
        // Positions on the kernels' lattice are off by 1e-7 nm.
        double const bound = 1e-6 * brute.size + 1e-6;
        EXPECT_NEAR(sums.of(system::Term::ljSR).value(), brute.lj, bound);
        EXPECT_NEAR(sums.of(system::Term::coulombSR).value(), brute.coulomb, bound);
        math::Mat3d const virial = sums.virial.value();
        EXPECT_NEAR(virial.x.x, brute.virial.x.x, bound);
        EXPECT_NEAR(virial.x.y, brute.virial.x.y, bound);
        EXPECT_NEAR(virial.z.y, brute.virial.z.y, bound);
        EXPECT_NEAR(virial.z.z, brute.virial.z.z, bound);

        // That of the rounded forces: off by their error times a distance, pair by pair at random.
        math::FixedTensor ofForces;
        std::vector<math::ForceUnits> forces(sample.positions.size());
        pairs.addForces(sample.positions, forces, &ofForces);
        double const coarse = 3e-6 * brute.size + 1e-3;
        math::Mat3d const v = ofForces.value(), b = brute.virial;
        EXPECT_NEAR(v.x.x, b.x.x, coarse);
        EXPECT_NEAR(v.y.y, b.y.y, coarse);
        EXPECT_NEAR(v.z.z, b.z.z, coarse);
        EXPECT_NEAR(v.x.y, b.x.y, coarse);
        EXPECT_NEAR(v.z.x, b.x.z, coarse);
        EXPECT_NEAR(v.y.z, b.y.z, coarse);
        EXPECT_EQ(v.y.x, v.x.y);
    }
}

TEST(PairForces, followTheLawInEveryForm)
{
    forEachForm([](CoulombForm coulomb, VdwForm vdw, SampleRecipe const& recipe) {
        SCOPED_TRACE(testing::Message() << "coulomb " << static_cast<int>(coulomb) << " vdw " << static_cast<int>(vdw) << " mixed "
                                        << recipe.mixedPair);
        expectLikeLaw(makeSample(recipe, cubic), makePlan(coulomb, vdw, 0.9), 1e-5);
    });
}

TEST(PairForces, takeAShorterLennardJonesCutoff)
{
    for (VdwForm const vdw : {VdwForm::cut, VdwForm::potentialSwitch, VdwForm::forceSwitch}) {
        plan::PairPlan plan = makePlan(CoulombForm::ewald, vdw, 0.9);
        plan.rvdw = 0.75;
        plan.rvdwSwitch = 0.6;
        expectLikeLaw(makeSample({}, cubic), plan, 1e-5);
    }
}

TEST(PairForces, holdInTriclinicBoxes)
{
    // Truncated octahedron, hexagonal cell, and one so skewed that the list radius exceeds half a cell height.
    for (physics::Box const& box :
         {physics::Box({2.5, 0, 0}, {0.8333, 2.357, 0}, {-0.8333, 1.1785, 2.0412}),
          physics::Box({2.4, 0, 0}, {1.2, 2.0785, 0}, {0, 0, 2.2}), physics::Box({2.4, 0, 0}, {1.2, 2.2, 0}, {1.2, 1.1, 1.55}),
          physics::Box({2.4, 0, 0}, {-1.2, 2.2, 0}, {-1.2, -1.1, 1.55})})
        expectLikeLaw(makeSample({}, box), makePlan(CoulombForm::ewald, VdwForm::cut, 0.95), 1e-5);
}

TEST(PairForces, holdForAFewAtoms)
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

TEST(PairForces, holdInVacuumAndSlabs)
{
    SampleRecipe slab;
    slab.filledHeight = 0.15;
    expectLikeLaw(makeSample(slab, physics::Box({2.2, 0, 0}, {0, 2.2, 0}, {0, 0, 20})), makePlan(CoulombForm::ewald, VdwForm::cut, 0.95),
                  1e-5);
    SampleRecipe gas;
    gas.molecules = 60;
    expectLikeLaw(makeSample(gas, physics::Box({30, 0, 0}, {0, 30, 0}, {0, 0, 30})),
                  makePlan(CoulombForm::reactionField, VdwForm::cut, 0.95), 1e-5);
}

TEST(PairForces, holdForLongCutoffs)
{
    SampleRecipe recipe;
    recipe.molecules = 130;
    plan::PairPlan plan = makePlan(CoulombForm::reactionField, VdwForm::cut, 7);
    plan.latticeBits = 19;
    expectLikeLaw(makeSample(recipe, physics::Box({15, 0, 0}, {0, 15, 0}, {0, 0, 15})), plan, 1e-5);
}

TEST(PairForces, addUpToZero)
{
    Sample const sample = makeSample({}, cubic);
    for (cpu::SimdLevel const level : levelsHere()) {
        cpu::PairForces pairs(sample.topology, makePlan(CoulombForm::ewald, VdwForm::cut, 0.9), level, 1);
        pairs.buildList(sample.positions, sample.box);
        math::ForceUnits net;
        for (math::ForceUnits const& f : forcesOf(pairs, sample.positions)) net += f;
        EXPECT_TRUE(net == math::ForceUnits{});
    }
}

} // namespace
} // namespace alder::test
