// The pair list's reach: against GROMACS's log, against an experiment with random displacements, and the rules of choice.

#include "plan/pairs/verlet_buffer.hpp"

#include "physics/constants.hpp"
#include "plan/long_range/ewald_rules.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace alder;
using system::Kind;

/// `count` TIP3P waters, rigid.
system::Topology water(std::int64_t count)
{
    system::Topology topology;
    topology.nonbonded.typeCount = 2;
    topology.nonbonded.c6 = {2.48953e-3, 0, 0, 0};
    topology.nonbonded.c12 = {2.43481e-6, 0, 0, 0};
    system::MoleculeType type;
    type.atoms.resize(3);
    double const masses[] = {16, 1.008, 1.008}, charges[] = {-0.834, 0.417, 0.417};
    for (std::size_t i = 0; i < 3; ++i) {
        type.atoms[i].mass = masses[i];
        type.atoms[i].charge = charges[i];
        type.atoms[i].type = i == 0 ? 0 : 1;
    }
    type.of(Kind::settle).atoms = {0, 1, 2};
    type.of(Kind::settle).parameters = {0};
    topology.parameters[static_cast<std::size_t>(Kind::settle)] = {{0.09572, 0.15139}};
    topology.types = {type};
    topology.blocks = {{0, count, 0, 0}};
    topology.atomCount = 3 * count;
    return topology;
}

/// `count` atoms of argon; mass in amu.
system::Topology argon(std::int64_t count, double mass = 39.948)
{
    system::Topology topology;
    topology.nonbonded.typeCount = 1;
    topology.nonbonded.c6 = {6.2275e-3};
    topology.nonbonded.c12 = {9.7014e-6};
    system::MoleculeType type;
    type.atoms.resize(1);
    type.atoms[0].mass = mass;
    topology.types = {type};
    topology.blocks = {{0, count, 0, 0}};
    topology.atomCount = count;
    return topology;
}

physics::Box cube(double edge) { return {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}; }

plan::PairPlan pmePairs(double cutoff)
{
    plan::PairPlan pairs;
    pairs.vdw = plan::VdwForm::cut;
    pairs.coulomb = plan::CoulombForm::ewald;
    pairs.rvdw = pairs.rcoulomb = cutoff;
    pairs.electricFactor = physics::coulombConstant;
    pairs.beta = plan::ewaldBeta(cutoff, 1e-5);
    return pairs;
}
plan::PairPlan ljPairs(double cutoff)
{
    plan::PairPlan pairs;
    pairs.rvdw = cutoff;
    return pairs;
}

plan::RunOptions optionsAt(double temperature)
{
    plan::RunOptions options;
    options.dt = 0.002;
    options.nstlist = 10;
    options.thermostat = plan::Thermostat::vRescale;
    options.temperatureGroups = {{"System", 0.1, temperature}};
    return options;
}

/// The log of `gmx mdrun` (2022.5, 4x4 lists) on 7754 waters in 6.20948 nm with a cut-off of 0.9 nm at 300 K and 2 fs: 0.998 nm at 40
/// steps, 0.901 nm at 11, 0.900 nm at 10.
TEST(VerletBuffer, WaterAsGromacsLogsIt)
{
    plan::PairDrift const drift(water(7754), std::pow(6.20948, 3), pmePairs(0.9), 300, 0.002);
    EXPECT_NEAR(drift.cutoffFor(0.005, 40), 0.998, 0.0051);
    EXPECT_NEAR(drift.cutoffFor(0.005, 11), 0.901, 0.0031);
    EXPECT_NEAR(drift.cutoffFor(0.005, 10), 0.900, 0.0021);
}

TEST(VerletBuffer, MonotonousAndQuietWithoutMotion)
{
    plan::PairDrift const drift(water(7754), std::pow(6.20948, 3), pmePairs(0.9), 300, 0.002);
    for (double r = 0.9; r < 1.1; r += 0.01) EXPECT_GT(drift.at(r, 40), drift.at(r + 0.01, 40));
    EXPECT_EQ(drift.at(0.9, 1), 0);
    EXPECT_EQ(drift.cutoffFor(0.005, 1), 0.9);
    EXPECT_GT(drift.cutoffFor(0.0005, 40), drift.cutoffFor(0.005, 40));
}

/// The estimate for free atoms against an experiment: pairs at random distances beyond the list's radius, Gaussian displacements, and the
/// potential's expansion at the cut-off. The covering of pairs by clusters is taken out by its ratio at the same radius.
TEST(VerletBuffer, FreeAtomsByExperiment)
{
    double const cutoff = 1, list = 1.02, temperature = 300, dt = 0.002, volume = 1000;
    std::int64_t const atoms = 1000, steps = 21;
    plan::PairDrift const drift(argon(atoms, 10), volume, ljPairs(cutoff), temperature, dt);
    double const life = dt * static_cast<double>(steps - 1);
    double const s = std::sqrt(2 * physics::boltzmann * temperature / 10) * life;
    double const c6 = 6.2275e-3, c12 = 9.7014e-6;
    double const d1 = 12 * c12 - 6 * c6, d2 = 156 * c12 - 42 * c6, d3 = 2184 * c12 - 336 * c6; // -V', V'', -V''' at 1 nm
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal(0, s);
    std::uniform_real_distribution<double> uniform(0, 6 * s);
    double sum = 0;
    int const trials = 4000000;
    for (int n = 0; n < trials; ++n) {
        double const inside = cutoff - (list + uniform(random) + normal(random));
        if (inside > 0) sum += d1 * inside + d2 * inside * inside / 2 + d3 * inside * inside * inside / 6;
    }
    double const perPair = sum / trials * 6 * s;
    double const shell = 4 * physics::pi * (list + s) * (list + s);
    double const pairs = 0.5 * static_cast<double>(atoms) * static_cast<double>(atoms - 1) * shell / volume;
    // A cluster of four at a mean distance of 1 nm: 1/4 of (4 pi l^2 + 2 M l + A) / (4 pi l^2), for each side.
    double const area = 4 * physics::pi * list * list + 2 * 3 * (physics::pi - std::acos(1.0 / 3)) * list + std::sqrt(3.0);
    double const exposed = 0.25 * area / (4 * physics::pi * list * list);
    double const expected = std::abs(perPair) * pairs * exposed * exposed / (static_cast<double>(steps) * dt * static_cast<double>(atoms));
    EXPECT_NEAR(drift.at(list, steps), expected, 0.02 * expected);
}

/// A charge on a site moves as the combination of its makers' velocities does: midway between two of 8 amu as one of 16, on their
/// quarter as 1/m = (9/16 + 1/16)/8, at a fixed distance no better than the lighter.
TEST(VerletBuffer, SitesMoveWithTheirMakers)
{
    auto const driftOf = [](Kind kind, double a, double lone) {
        system::Topology topology;
        topology.nonbonded.typeCount = 1;
        topology.nonbonded.c6 = topology.nonbonded.c12 = {0};
        system::MoleculeType type;
        type.atoms.resize(3);
        type.atoms[0].mass = 8;
        type.atoms[1].mass = lone > 0 ? 8 : 10;
        type.atoms[2] = {"M", "MOL", 1, 0, 1.0, lone, lone > 0 ? 'A' : 'V'};
        if (lone == 0) {
            type.of(kind).atoms = {2, 0, 1};
            if (kind == Kind::virtualSite2) type.atoms[1].mass = 8;
            type.of(kind).parameters = {0};
            topology.parameters[static_cast<std::size_t>(kind)] = {{a}};
        }
        topology.types = {type};
        topology.blocks = {{0, 1000, 0, 0}};
        topology.atomCount = 3000;
        return plan::PairDrift(topology, 100, pmePairs(0.9), 300, 0.002).at(0.95, 20);
    };
    EXPECT_NEAR(driftOf(Kind::virtualSite2, 0.5, 0) / driftOf(Kind::virtualSite2, 0, 16), 1, 1e-12);
    EXPECT_NEAR(driftOf(Kind::virtualSite2, 0.25, 0) / driftOf(Kind::virtualSite2, 0, 12.8), 1, 1e-12);
    EXPECT_NEAR(driftOf(Kind::virtualSite2fd, 0.1, 0) / driftOf(Kind::virtualSite2, 0, 8), 1, 1e-12);
}

TEST(VerletBuffer, ChoiceForWater)
{
    plan::ListChoice const choice = plan::chooseList(optionsAt(300), water(7754), cube(6.20948), pmePairs(0.9), {});
    EXPECT_EQ(choice.listInterval, 40);
    EXPECT_EQ(choice.pruneInterval, 8);
    EXPECT_NEAR(choice.listCutoff, 0.998, 0.0051);
    EXPECT_GE(choice.innerListCutoff, 0.9);
    EXPECT_LE(choice.innerListCutoff, 0.902);
}

TEST(VerletBuffer, WhatTheUserFixesStays)
{
    plan::RunOptions options = optionsAt(300);
    plan::RunRequest request;
    request.nstlist = 25;
    plan::ListChoice choice = plan::chooseList(options, water(7754), cube(6.20948), pmePairs(0.9), request);
    EXPECT_EQ(choice.listInterval, 25);
    EXPECT_EQ(choice.pruneInterval, 5);
    EXPECT_LT(choice.listCutoff, 0.998);

    options.verletBufferTolerance = -1;
    options.rlist = 1.05;
    choice = plan::chooseList(options, water(7754), cube(6.20948), pmePairs(0.9), {});
    EXPECT_EQ(choice.listInterval, 10);
    EXPECT_EQ(choice.listCutoff, 1.05);
    EXPECT_EQ(choice.innerListCutoff, 1.05);
    EXPECT_EQ(choice.pruneInterval, 10);
}

TEST(VerletBuffer, ExactListsAreNotPruned)
{
    plan::RunRequest request;
    request.exactLists = true;
    plan::ListChoice const choice = plan::chooseList(optionsAt(300), water(7754), cube(6.20948), pmePairs(0.9), request);
    EXPECT_EQ(choice.listInterval, 10);
    EXPECT_EQ(choice.pruneInterval, 10);
    EXPECT_NEAR(choice.listCutoff, 1.0, 1e-12);
    EXPECT_EQ(choice.innerListCutoff, choice.listCutoff);
    // In a box that holds no such sphere the buffer is what is left.
    EXPECT_EQ(plan::chooseList(optionsAt(300), water(200), cube(1.86), pmePairs(0.9), request).listCutoff, 0.93);
}

/// Steps are given up where the box, or the volume of the list, forbids their radius.
TEST(VerletBuffer, IntervalGivesWayToBoxAndVolume)
{
    plan::ListChoice const tight = plan::chooseList(optionsAt(300), water(200), cube(1.9), pmePairs(0.9), {});
    EXPECT_GT(tight.listInterval, 10);
    EXPECT_LT(tight.listInterval, 40);
    EXPECT_LE(tight.listCutoff, 0.95);
    plan::RunOptions hot = optionsAt(3000);
    plan::ListChoice const fast = plan::chooseList(hot, argon(1000, 4), cube(6), ljPairs(0.9), {});
    EXPECT_LT(fast.listInterval, 40);
}

TEST(VerletBuffer, TemperatureComesFromTheCouplingOrTheStart)
{
    plan::RunOptions options = optionsAt(300);
    auto const radius = [&] { return plan::chooseList(options, argon(5000), cube(6), ljPairs(1), {}).listCutoff; };
    double const cold = radius();
    options.temperatureGroups.push_back({"Hot", 0.1, 900});
    EXPECT_GT(radius(), cold);
    options.temperatureGroups[1].tau = -1; // not coupled: its reference means nothing
    EXPECT_EQ(radius(), cold);
    options.thermostat = plan::Thermostat::no;
    options.genTemp = 300;
    EXPECT_EQ(radius(), cold);
    options.genTemp = 0; // from rest: a tenth
    EXPECT_NEAR(radius(), 1.1, 1e-12);
}

TEST(VerletBuffer, ForcesThatVanishAtTheCutoffNeedLess)
{
    plan::PairPlan switched = ljPairs(1);
    switched.vdw = plan::VdwForm::forceSwitch;
    switched.rvdwSwitch = 0.8;
    auto const radius = [](plan::PairPlan const& pairs) {
        return plan::PairDrift(argon(5000), 216, pairs, 300, 0.002).cutoffFor(0.0005, 40);
    };
    EXPECT_LT(radius(switched), radius(ljPairs(1)));
}

TEST(VerletBuffer, OneConfigurationNeedsNoBuffer)
{
    plan::RunRequest request;
    request.purpose = plan::Purpose::energy;
    EXPECT_NEAR(plan::chooseList(optionsAt(300), water(7754), cube(6.20948), pmePairs(0.9), request).listCutoff, 0.901, 1e-12);
    EXPECT_EQ(plan::chooseList(optionsAt(300), water(200), cube(1.8), pmePairs(0.9), request).listCutoff, 0.9);
}

/// What GROMACS allows: half the shortest vector, or where a skewed box is thinner, its least step along an axis.
TEST(VerletBuffer, LongestRadiusInSkewedBoxes)
{
    EXPECT_EQ(plan::longestListCutoff(cube(4)), 2);
    EXPECT_NEAR(plan::longestListCutoff({{4, 0, 0}, {0, 4, 0}, {2, 2, 2.8284271}}), 2, 1e-7);
    EXPECT_NEAR(plan::longestListCutoff({{4, 0, 0}, {0, 3, 0}, {0, 1.5, 3}}), 1.5, 1e-12);
    EXPECT_NEAR(plan::longestListCutoff({{8, 0, 0}, {2, 8, 0}, {3, 3.9, 3}}), norm(math::Vec3d{3, 3.9, 3}) / 2, 1e-12);
}

} // namespace
