// Forces of the GPU's kernels are the same integers however the work is laid out.

#include "gpu_pairs/device_pairs.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace alder::test {
namespace {

using plan::CoulombForm;
using plan::VdwForm;

struct Seeded {
    explicit Seeded(std::uint64_t seed) { simt::setSeed(seed); }
    Seeded(Seeded const&) = delete;
    ~Seeded() { simt::setSeed(0); }
};

TEST(GpuSameBits, forAnyOrderOfBlocks)
{
    Sample const sample = makeSample({}, skewed);
    plan::PairPlan const plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    DevicePairs first(sample.topology, plan);
    first.buildList(sample.positions, sample.box);
    DeviceSums const expected = first.withVirial(sample.positions);
    system::ForceSums const energies = first.energies(sample.positions);
    EXPECT_NE(expected.virial[1], 0);
    for (std::uint64_t const seed : {1, 2, 3, 4}) {
        Seeded const order(seed);
        DevicePairs pairs(sample.topology, plan);
        pairs.buildList(sample.positions, sample.box);
        DeviceSums const sums = pairs.withVirial(sample.positions);
        EXPECT_TRUE(same(sums.forces, expected.forces)) << seed;
        EXPECT_EQ(sums.virial, expected.virial);
        EXPECT_TRUE(same(pairs.forces(sample.positions), expected.forces)) << seed;
        system::ForceSums const again = pairs.energies(sample.positions);
        EXPECT_EQ(again.of(system::Term::ljSR).units, energies.of(system::Term::ljSR).units);
        EXPECT_EQ(again.of(system::Term::coulombSR).units, energies.of(system::Term::coulombSR).units);
        EXPECT_EQ(again.virial.xy.units, energies.virial.xy.units);
    }
}

TEST(GpuSameBits, forListsOfAnyAgeAndRadius)
{
    Sample const sample = makeSample({}, skewed);
    std::vector<math::FractionVec> const now = moved(sample.positions, sample.box, 0.008, 3);
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::forceSwitch, 0.9);
    DevicePairs fresh(sample.topology, plan), old(sample.topology, plan);
    fresh.buildList(now, sample.box);
    old.buildList(sample.positions, sample.box);
    plan.listCutoff = plan.innerListCutoff = 1.1;
    DevicePairs wide(sample.topology, plan);
    wide.buildList(moved(sample.positions, sample.box, 0.02, 5), sample.box);
    plan.listCutoff = plan.innerListCutoff = 1.9; // most pairs of the box, all within reach
    DevicePairs all(sample.topology, plan);
    all.buildList(sample.positions, sample.box);
    DeviceSums const reference = fresh.withVirial(now);
    for (DevicePairs* pairs : {&old, &wide, &all}) {
        DeviceSums const sums = pairs->withVirial(now);
        EXPECT_TRUE(same(reference.forces, sums.forces));
        EXPECT_EQ(reference.virial, sums.virial);
    }
    old.prune(now);
    EXPECT_TRUE(same(reference.forces, old.forces(now)));
    for (unsigned step = 0; step < 3; ++step) {
        std::vector<math::FractionVec> const later = moved(now, sample.box, 0.004, 20 + step);
        old.prune(later);
        EXPECT_TRUE(same(old.forces(later), all.forces(later))) << step;
    }
}

/// Pairs that were far beyond the inner list when the outer one was made, and come within the cutoff before the next: each prune finds them.
TEST(GpuSameBits, forListsThatArePrunedOften)
{
    Sample const sample = makeSample({}, skewed);
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    plan.listCutoff = 1.2;
    plan.innerListCutoff = 0.945;
    DevicePairs pruned(sample.topology, plan);
    plan.listCutoff = plan.innerListCutoff = 1.9;
    DevicePairs all(sample.topology, plan);
    pruned.buildList(sample.positions, sample.box);
    all.buildList(sample.positions, sample.box);
    std::mt19937 random(17);
    std::normal_distribution<double> normal;
    std::vector<math::Vec3d> directions;
    for (std::size_t i = 0; i < sample.positions.size(); ++i) {
        math::Vec3d const v{normal(random), normal(random), normal(random)};
        directions.push_back(0.02 / math::norm(v) * v);
    }
    std::vector<math::FractionVec> now = sample.positions;
    for (int step = 1; step <= 7; ++step) {
        for (std::size_t i = 0; i < now.size(); ++i) now[i] = math::wrappingSum(now[i], sample.box.toFractionStep(directions[i]));
        EXPECT_TRUE(same(pruned.forces(now), all.forces(now))) << step;
        pruned.prune(now);
        EXPECT_TRUE(same(pruned.forces(now), all.forces(now))) << step;
    }
}

/// What pruning leaves out is out of reach: with the radius of the cutoff itself, the list is all that is needed at this moment.
TEST(GpuSameBits, forListsThatEndAtTheCutoff)
{
    Sample const sample = makeSample({}, skewed);
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    DevicePairs usual(sample.topology, plan);
    plan.innerListCutoff = 0.9;
    DevicePairs tight(sample.topology, plan);
    usual.buildList(sample.positions, sample.box);
    tight.buildList(sample.positions, sample.box);
    EXPECT_TRUE(same(usual.forces(sample.positions), tight.forces(sample.positions)));
    // And it does leave out: atoms that have come nearer since are missed.
    std::vector<math::FractionVec> const later = moved(sample.positions, sample.box, 0.05, 9);
    EXPECT_FALSE(same(usual.forces(later), tight.forces(later)));
}

/// Other atom numbers, another origin: atoms meet in other clusters, cells and images, on the other side of a pair.
TEST(GpuSameBits, forOtherClustersAndImages)
{
    SampleRecipe recipe;
    recipe.c6[1] = 1e-4;
    recipe.c12[1] = 1e-8;
    for (bool const mixed : {false, true}) {
        recipe.mixedPair = mixed;
        Sample const sample = makeSample(recipe, skewed);
        auto const molecules = static_cast<std::size_t>(recipe.molecules);
        std::vector<std::size_t> order(molecules);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937(11));
        DevicePairs pairs(sample.topology, makePlan(CoulombForm::ewald, VdwForm::cut, 0.9));
        pairs.buildList(sample.positions, sample.box);
        std::vector<math::ForceUnits> const reference = pairs.forces(sample.positions);
        // Moved by quarters of the box vectors, whole numbers of quanta here: differences keep their bits.
        math::FractionVec const quarters{1 << 30, -(1 << 30), 1 << 30};
        std::vector<math::FractionVec> there(sample.positions.size());
        for (std::size_t m = 0; m < molecules; ++m)
            for (std::size_t k = 0; k < 3; ++k) there[3 * m + k] = math::wrappingSum(sample.positions[3 * order[m] + k], quarters);
        pairs.buildList(there, sample.box);
        std::vector<math::ForceUnits> const shuffled = pairs.forces(there);
        int differing = 0;
        for (std::size_t m = 0; m < molecules; ++m)
            for (std::size_t k = 0; k < 3; ++k) differing += shuffled[3 * m + k] == reference[3 * order[m] + k] ? 0 : 1;
        EXPECT_EQ(differing, 0);
    }
}

TEST(GpuSameBits, whenTheWideKernelTakesOver)
{
    Sample const sample = makeSample({}, skewed);
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    plan.forceBits = 12;
    DevicePairs narrow(sample.topology, plan);
    plan.wideSums = true;
    DevicePairs wide(sample.topology, plan);
    auto const expectSame = [&](std::vector<math::FractionVec> const& positions) {
        DeviceSums const a = narrow.withVirial(positions), b = wide.withVirial(positions);
        EXPECT_TRUE(same(a.forces, b.forces));
        EXPECT_EQ(a.virial, b.virial);
        EXPECT_TRUE(same(a.forces, narrow.forces(positions)));
    };
    narrow.buildList(sample.positions, sample.box);
    wide.buildList(sample.positions, sample.box);
    expectSame(sample.positions);
    narrow.forces(sample.positions);
    EXPECT_EQ(narrow.pairs.wideItems(), 0);

    // Two molecules pushed into each other: forces far out of range, for them alone.
    std::vector<math::FractionVec> close = sample.positions;
    for (std::size_t k = 0; k < 3; ++k) close[k] = math::wrappingSum(close[3 + k], sample.box.toFractionStep({0.003, 0.001, 0}));
    narrow.buildList(close, sample.box);
    wide.buildList(close, sample.box);
    expectSame(close);
    std::vector<math::ForceUnits> const forces = narrow.forces(close);
    EXPECT_GT(narrow.pairs.wideItems(), 0);
    BruteSums const brute = bruteForce({sample.topology, sample.box, close}, plan);
    math::ForceUnits net;
    for (math::ForceUnits const& f : forces) net += f;
    EXPECT_TRUE(net == math::ForceUnits{});
    // The steep forces are the law's, clamped at 2^26 kJ/mol/nm; in range elsewhere, each atom's error is that of a quiet system.
    for (std::size_t i = 6; i < forces.size(); ++i)
        EXPECT_LT(math::norm(math::forceValue(forces[i]) - brute.forces[i]), 1e-4 * (500 + math::norm(brute.forces[i])));
    // The CPU's wide sums clamp and round alike.
    cpu::PairForces host(sample.topology, plan, cpu::bestSimdLevel(), 1);
    host.buildList(close, sample.box);
    std::vector<math::ForceUnits> const hostForces = forcesOf(host, close);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_LT(math::norm(math::forceValue(forces[i]) - math::forceValue(hostForces[i])),
                  1e-6 * math::norm(math::forceValue(forces[i])));
    // And back: nothing of the wide items is left over.
    narrow.buildList(sample.positions, sample.box);
    wide.buildList(sample.positions, sample.box);
    expectSame(sample.positions);
    narrow.forces(sample.positions);
    EXPECT_EQ(narrow.pairs.wideItems(), 0);
}

/// Ions so near each other that their force leaves 32 bits, but not what a float holds.
TEST(GpuSameBits, forIonsCloseTogether)
{
    SampleRecipe recipe;
    recipe.charges = {2};
    recipe.types = {1};
    recipe.molecules = 80;
    recipe.closest = 0.05;
    Sample sample = makeSample(recipe, skewed);
    for (VdwForm const vdw : {VdwForm::cut, VdwForm::potentialSwitch, VdwForm::ewald}) {
        plan::PairPlan plan = makePlan(CoulombForm::ewald, vdw, 0.9);
        DevicePairs narrow(sample.topology, plan);
        plan.wideSums = true;
        DevicePairs wide(sample.topology, plan);
        for (double const distance : {0.1, 0.01, 1e-3, 1e-4}) {
            sample.positions[1] = math::wrappingSum(sample.positions[0], sample.box.toFractionStep({distance, 0.3 * distance, 0}));
            narrow.buildList(sample.positions, sample.box);
            wide.buildList(sample.positions, sample.box);
            std::vector<math::ForceUnits> const forces = narrow.forces(sample.positions);
            EXPECT_TRUE(same(forces, wide.forces(sample.positions))) << distance;
            // Steep forces feel the lattice until the law takes over.
            BruteSums const brute = bruteForce(sample, plan);
            double const size = math::norm(brute.forces[0]), error = math::norm(math::forceValue(forces[0]) - brute.forces[0]);
            EXPECT_TRUE(size > 6e7 || error < 1e-5 * size) << distance;
        }
        EXPECT_GT(narrow.pairs.wideItems(), 0);
    }
}

TEST(GpuSameBits, evenOnTopOfEachOther)
{
    Sample sample = makeSample({}, skewed);
    for (std::size_t k = 0; k < 3; ++k) sample.positions[k] = sample.positions[3 + k];
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    DevicePairs pairs(sample.topology, plan);
    plan.wideSums = true;
    DevicePairs wide(sample.topology, plan);
    pairs.buildList(sample.positions, sample.box);
    wide.buildList(sample.positions, sample.box);
    std::vector<math::ForceUnits> const forces = pairs.forces(sample.positions);
    EXPECT_GT(pairs.pairs.wideItems(), 0);
    EXPECT_TRUE(same(forces, wide.forces(sample.positions)));
    // A clamped force along x keeps the overlap from passing for rest.
    EXPECT_GT(std::fabs(math::forceValue(forces[0]).x), 6e7);
    EXPECT_GT(pairs.energies(sample.positions).of(system::Term::ljSR).value(), 6e7); // the clamp of a term
}

/// Atoms that an all-zero start leaves in one place: as many as a super-cluster holds, and more.
TEST(GpuSameBits, whereAllAtomsAreInOnePlace)
{
    Sample sample = makeSample({}, skewed);
    for (math::FractionVec& f : sample.positions) f = {0, 0, 0};
    DevicePairs pairs(sample.topology, makePlan(CoulombForm::ewald, VdwForm::cut, 0.9));
    pairs.buildList(sample.positions, sample.box);
    std::vector<math::ForceUnits> const forces = pairs.forces(sample.positions);
    math::ForceUnits net;
    for (math::ForceUnits const& f : forces) net += f;
    EXPECT_TRUE(net == math::ForceUnits{});
    Seeded const order(5);
    EXPECT_TRUE(same(forces, pairs.forces(sample.positions)));
}

/// A box that shrinks under the list, as a barostat's does: distances are those of the new box.
TEST(GpuSameBits, inABoxThatChanges)
{
    Sample const sample = makeSample({}, skewed);
    physics::Box const smaller({2.6, 0, 0}, {0.87, 2.36, 0}, {-0.74, 1.12, 2.24});
    plan::PairPlan const plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    DevicePairs kept(sample.topology, plan), fresh(sample.topology, plan);
    kept.buildList(sample.positions, sample.box);
    kept.pairs.changeBox(smaller);
    fresh.buildList(sample.positions, smaller);
    DeviceSums const a = kept.withVirial(sample.positions), b = fresh.withVirial(sample.positions);
    EXPECT_TRUE(same(a.forces, b.forces));
    EXPECT_EQ(a.virial, b.virial);
}

/// Exact lists: whatever the steps between builds, as long as stale() is heeded, forces are those of a fresh list.
TEST(GpuExactLists, neverMissAPair)
{
    Sample const sample = makeSample({}, skewed);
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    plan.exactLists = true;
    DevicePairs walking(sample.topology, plan), fresh(sample.topology, plan);
    std::vector<math::FractionVec> now = sample.positions;
    walking.buildList(now, sample.box);
    for (unsigned step = 0; step < 40; ++step) {
        now = moved(now, sample.box, 0.003, step);
        if (walking.stale(now)) walking.buildList(now, sample.box);
        fresh.buildList(now, sample.box);
        ASSERT_TRUE(same(walking.forces(now), fresh.forces(now))) << step;
    }
    EXPECT_GT(walking.pairs.counts().listBuilds, 1);
    EXPECT_LT(walking.pairs.counts().listBuilds, 40);
    EXPECT_GT(walking.pairs.counts().prunes, walking.pairs.counts().listBuilds);
    walking.pairs.changeBox(sample.box);
    EXPECT_TRUE(walking.stale(now));
}

} // namespace
} // namespace alder::test
