// Forces are the same integers however the work is laid out.

#include "pairs/sample_systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace alder::test {
namespace {

using plan::CoulombForm;
using plan::VdwForm;

/// Each component a multiple of four quanta of 2^-22 nm.
physics::Box const skewed({2.625, 0, 0}, {0.875, 2.375, 0}, {-0.75, 1.125, 2.25});

std::vector<math::FractionVec> moved(std::vector<math::FractionVec> positions, physics::Box const& box, double rms, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, rms);
    for (math::FractionVec& f : positions) f = math::wrappingSum(f, box.toFractionStep({normal(random), normal(random), normal(random)}));
    return positions;
}

bool same(std::vector<math::ForceUnits> const& a, std::vector<math::ForceUnits> const& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The virial that comes with the forces: exact in integers, so one number says it all.
std::array<std::int64_t, 6> virialOf(cpu::PairForces& pairs, std::vector<math::FractionVec> const& positions)
{
    std::vector<math::ForceUnits> forces(positions.size());
    math::FixedTensor v;
    pairs.addForces(positions, forces, &v);
    return {v.xx.units, v.yy.units, v.zz.units, v.xy.units, v.xz.units, v.yz.units};
}

TEST(SameBits, ofTheVirialForAnyThreadCountAndList)
{
    Sample const sample = makeSample({}, skewed);
    std::vector<math::FractionVec> const now = moved(sample.positions, sample.box, 0.008, 3);
    for (cpu::SimdLevel const level : levelsHere()) {
        plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9), wide = plan;
        wide.wideSums = true;
        cpu::PairForces first(sample.topology, plan, level, 1);
        first.buildList(now, sample.box);
        auto const expected = virialOf(first, now);
        EXPECT_NE(expected[3], 0);
        for (int const threads : {1, 2, 3, 5})
            for (plan::PairPlan const& how : {plan, wide}) {
                cpu::PairForces pairs(sample.topology, how, level, threads);
                pairs.buildList(sample.positions, sample.box);
                EXPECT_EQ(virialOf(pairs, now), expected) << threads;
            }
    }
}

TEST(SameBits, forAnyThreadCount)
{
    Sample const sample = makeSample({}, skewed);
    for (cpu::SimdLevel const level : levelsHere()) {
        std::vector<std::vector<math::ForceUnits>> results;
        std::vector<system::ForceSums> sums;
        for (int const threads : {1, 2, 3, 5}) {
            cpu::PairForces pairs(sample.topology, makePlan(CoulombForm::ewald, VdwForm::cut, 0.9), level, threads);
            pairs.buildList(sample.positions, sample.box);
            results.push_back(forcesOf(pairs, sample.positions));
            sums.emplace_back();
            pairs.addEnergies(sample.positions, sums.back(), &sums.back().virial);
            EXPECT_TRUE(same(results.front(), results.back())) << threads;
            EXPECT_EQ(sums.front().of(system::Term::ljSR).units, sums.back().of(system::Term::ljSR).units);
            EXPECT_EQ(sums.front().of(system::Term::coulombSR).units, sums.back().of(system::Term::coulombSR).units);
            EXPECT_EQ(sums.front().virial.xy.units, sums.back().virial.xy.units);
        }
    }
}

TEST(SameBits, forListsOfAnyAgeAndRadius)
{
    Sample const sample = makeSample({}, skewed);
    std::vector<math::FractionVec> const now = moved(sample.positions, sample.box, 0.008, 3);
    for (cpu::SimdLevel const level : levelsHere()) {
        plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::forceSwitch, 0.9);
        cpu::PairForces fresh(sample.topology, plan, level, 2), old(sample.topology, plan, level, 2);
        fresh.buildList(now, sample.box);
        old.buildList(sample.positions, sample.box);
        plan.listCutoff = plan.innerListCutoff = 1.1;
        cpu::PairForces wide(sample.topology, plan, level, 2);
        wide.buildList(moved(sample.positions, sample.box, 0.02, 5), sample.box);
        std::vector<math::ForceUnits> const reference = forcesOf(fresh, now);
        EXPECT_TRUE(same(reference, forcesOf(old, now)));
        EXPECT_TRUE(same(reference, forcesOf(wide, now)));
        old.prune(now);
        EXPECT_TRUE(same(reference, forcesOf(old, now)));
    }
}

/// Other atom numbers, another origin: atoms meet in other clusters, cells and images, on the other side of a pair.
TEST(SameBits, forOtherClustersAndImages)
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
        for (cpu::SimdLevel const level : levelsHere()) {
            plan::PairPlan const plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
            cpu::PairForces pairs(sample.topology, plan, level, 2);
            pairs.buildList(sample.positions, sample.box);
            std::vector<math::ForceUnits> const reference = forcesOf(pairs, sample.positions);
            // Moved by quarters of the box vectors, whole numbers of quanta here: differences keep their bits.
            math::FractionVec const quarters{1 << 30, -(1 << 30), 1 << 30};
            std::vector<math::FractionVec> there(sample.positions.size());
            for (std::size_t m = 0; m < molecules; ++m)
                for (std::size_t k = 0; k < 3; ++k) there[3 * m + k] = math::wrappingSum(sample.positions[3 * order[m] + k], quarters);
            pairs.buildList(there, sample.box);
            std::vector<math::ForceUnits> const shuffled = forcesOf(pairs, there);
            int differing = 0;
            for (std::size_t m = 0; m < molecules; ++m)
                for (std::size_t k = 0; k < 3; ++k) differing += shuffled[3 * m + k] == reference[3 * order[m] + k] ? 0 : 1;
            EXPECT_EQ(differing, 0) << nameOf(level);
        }
    }
}

TEST(SameBits, whenTheWideKernelTakesOver)
{
    Sample const sample = makeSample({}, skewed);
    for (cpu::SimdLevel const level : levelsHere()) {
        plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
        plan.forceBits = 12;
        cpu::PairForces narrow(sample.topology, plan, level, 2);
        plan.wideSums = true;
        cpu::PairForces wide(sample.topology, plan, level, 2);
        narrow.buildList(sample.positions, sample.box);
        wide.buildList(sample.positions, sample.box);
        EXPECT_TRUE(same(forcesOf(narrow, sample.positions), forcesOf(wide, sample.positions)));
        EXPECT_EQ(narrow.counts().widePasses, 0);
        EXPECT_EQ(wide.counts().widePasses, 1);

        // Two molecules pushed into each other: forces far out of range, for them alone.
        std::vector<math::FractionVec> close = sample.positions;
        for (std::size_t k = 0; k < 3; ++k) close[k] = math::wrappingSum(close[3 + k], sample.box.toFractionStep({0.003, 0.001, 0}));
        narrow.buildList(close, sample.box);
        wide.buildList(close, sample.box);
        std::vector<math::ForceUnits> const forces = forcesOf(narrow, close);
        EXPECT_EQ(narrow.counts().widePasses, 1);
        EXPECT_TRUE(same(forces, forcesOf(wide, close)));
        BruteSums const brute = bruteForce({sample.topology, sample.box, close}, plan);
        math::ForceUnits net;
        for (math::ForceUnits const& f : forces) net += f;
        EXPECT_TRUE(net == math::ForceUnits{});
        // In range elsewhere: each atom's error is that of a quiet system.
        for (std::size_t i = 6; i < forces.size(); ++i)
            EXPECT_LT(math::norm(math::forceValue(forces[i]) - brute.forces[i]), 1e-4 * (500 + math::norm(brute.forces[i])));
        // And back: nothing of the wide pass is left over.
        narrow.buildList(sample.positions, sample.box);
        wide.buildList(sample.positions, sample.box);
        EXPECT_TRUE(same(forcesOf(narrow, sample.positions), forcesOf(wide, sample.positions)));
        EXPECT_EQ(narrow.counts().widePasses, 1);
    }
}

TEST(SameBits, evenOnTopOfEachOther)
{
    Sample sample = makeSample({}, skewed);
    for (std::size_t k = 0; k < 3; ++k) sample.positions[k] = sample.positions[3 + k];
    for (cpu::SimdLevel const level : levelsHere()) {
        cpu::PairForces pairs(sample.topology, makePlan(CoulombForm::ewald, VdwForm::cut, 0.9), level, 2);
        pairs.buildList(sample.positions, sample.box);
        std::vector<math::ForceUnits> const forces = forcesOf(pairs, sample.positions);
        EXPECT_EQ(pairs.counts().widePasses, 1);
        system::ForceSums sums;
        pairs.addEnergies(sample.positions, sums, &sums.virial);
        EXPECT_GT(sums.of(system::Term::ljSR).value(), 6e7); // the clamp of a term, and no number that passes for an energy
    }
}

/// Exact lists: whatever the steps between builds, as long as stale() is heeded, forces are those of a fresh list.
TEST(ExactLists, neverMissAPair)
{
    Sample const sample = makeSample({}, skewed);
    cpu::SimdLevel const level = cpu::bestSimdLevel();
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    plan.exactLists = true;
    cpu::PairForces walking(sample.topology, plan, level, 2), fresh(sample.topology, plan, level, 1);
    std::vector<math::FractionVec> now = sample.positions;
    walking.buildList(now, sample.box);
    for (unsigned step = 0; step < 60; ++step) {
        now = moved(now, sample.box, 0.003, step);
        if (walking.stale(now)) walking.buildList(now, sample.box);
        fresh.buildList(now, sample.box);
        ASSERT_TRUE(same(forcesOf(walking, now), forcesOf(fresh, now))) << step;
    }
    EXPECT_GT(walking.counts().listBuilds, 1);
    EXPECT_LT(walking.counts().listBuilds, 60);
    EXPECT_GT(walking.counts().prunes, walking.counts().listBuilds);
}

} // namespace
} // namespace alder::test
