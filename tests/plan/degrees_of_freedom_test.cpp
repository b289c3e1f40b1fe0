#include "plan/degrees_of_freedom.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace alder;
using system::Kind;

void add(system::MoleculeType& type, Kind kind, std::vector<std::vector<std::int32_t>> const& entries)
{
    for (auto const& entry : entries) {
        for (std::int32_t const atom : entry) type.of(kind).atoms.push_back(atom);
        type.of(kind).parameters.push_back(0);
    }
}

system::MoleculeType molecule(std::vector<std::pair<std::string, char>> const& atoms)
{
    system::MoleculeType type;
    for (auto const& [name, particle] : atoms) type.atoms.push_back({name, "MOL", 1, 0, 0, particle == 'V' ? 0.0 : 12.0, particle});
    return type;
}

/// Three chains (two C-H pairs joined by a constraint, a virtual site between), two over-constrained stars, four SETTLE waters; the
/// temperature groups take every second atom, so that constraints and molecules cross them.
system::Topology crossedGroups(std::size_t groups)
{
    system::Topology topology;
    system::MoleculeType chain = molecule({{"C1", 'A'}, {"H1", 'A'}, {"C2", 'A'}, {"H2", 'A'}, {"V1", 'V'}});
    add(chain, Kind::bond, {{0, 1}});
    add(chain, Kind::g96Bond, {{2, 3}});
    add(chain, Kind::constraint, {{0, 2}});
    add(chain, Kind::virtualSite2, {{4, 0, 2}});
    system::MoleculeType star = molecule({{"C", 'A'}, {"Ha", 'A'}, {"Hb", 'A'}, {"Hc", 'A'}, {"Hd", 'A'}});
    add(star, Kind::harmonic, {{1, 2}});
    add(star, Kind::constraint, {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
    add(star, Kind::constraintNoExclusion, {{1, 2}, {1, 3}, {2, 3}});
    system::MoleculeType water = molecule({{"OW", 'A'}, {"HW1", 'A'}, {"HW2", 'A'}});
    add(water, Kind::settle, {{0, 1, 2}});

    std::int64_t const counts[] = {3, 2, 4};
    for (system::MoleculeType& type : std::vector<system::MoleculeType>{chain, star, water}) {
        auto const index = static_cast<std::int32_t>(topology.types.size());
        auto const size = static_cast<std::int64_t>(type.atoms.size());
        topology.types.push_back(type);
        topology.blocks.push_back({index, counts[index], topology.atomCount, topology.moleculeCount});
        topology.atomCount += counts[index] * size;
        topology.moleculeCount += counts[index];
    }
    topology.temperatureGroups.names = groups == 1 ? std::vector<std::string>{"System"} : std::vector<std::string>{"G0", "G1"};
    for (std::int64_t i = 0; groups == 2 && i < topology.atomCount; ++i)
        topology.temperatureGroups.groupOf.push_back(static_cast<std::uint8_t>(i % 2));
    return topology;
}

/// Expected values: `nrdf` that GROMACS 2022.5 in double precision printed for a deck of this very content.
void expectGroups(plan::RunOptions const& options, std::vector<double> const& expected)
{
    plan::DegreesOfFreedom const dof = degreesOfFreedom(options, crossedGroups(expected.size()));
    ASSERT_EQ(dof.byGroup.size(), expected.size());
    double total = 0;
    for (std::size_t g = 0; g < expected.size(); ++g) {
        EXPECT_NEAR(dof.byGroup[g], expected[g], 6e-5) << g;
        total += dof.byGroup[g];
    }
    EXPECT_NEAR(dof.total, total, 1e-9);
}

TEST(DegreesOfFreedom, AreThoseOfGromacsForOneGroup) { expectGroups({}, {70}); }

TEST(DegreesOfFreedom, AreThoseOfGromacsForGroupsThatShareConstraints) { expectGroups({}, {34.5205, 35.4795}); }

TEST(DegreesOfFreedom, KeepTheDriftWhereNobodyRemovesIt)
{
    plan::RunOptions options;
    options.commMode = plan::CommMode::none;
    expectGroups(options, {36, 37});
    options.commMode = plan::CommMode::linear;
    options.nstcomm = 0;
    expectGroups(options, {36, 37});
}

TEST(DegreesOfFreedom, LoseRotationTooInAngularMode)
{
    plan::RunOptions options;
    options.commMode = plan::CommMode::angular;
    expectGroups(options, {33.0411, 33.9589});
}

TEST(DegreesOfFreedom, CountBondsThatBecomeConstraints)
{
    plan::RunOptions options;
    for (plan::Constraints const constraints : {plan::Constraints::hBonds, plan::Constraints::allBonds}) {
        options.constraints = constraints;
        expectGroups(options, {31.5224, 32.4776});
    }
}

/// 108 atoms A and 108 B, each a temperature group; what grompp 2022.5 prints for them frozen along these axes.
TEST(DegreesOfFreedom, DoNotCountFrozenAxes)
{
    system::Topology topology;
    topology.types.push_back(molecule({{"X", 'A'}}));
    topology.blocks.push_back({0, 216, 0, 0});
    topology.atomCount = topology.moleculeCount = 216;
    topology.temperatureGroups.names = {"A", "B"};
    topology.freezeGroups.names = {"free", "A", "B"};
    for (int i = 0; i < 216; ++i) topology.temperatureGroups.groupOf.push_back(i < 108 ? 0 : 1);
    auto const expect = [&](std::array<bool, 3> a, std::array<bool, 3> b, double first, double second) {
        plan::RunOptions options;
        options.freezeGroups = {{"A", a}, {"B", b}};
        topology.freezeGroups.groupOf.clear();
        for (int i = 0; i < 216; ++i) topology.freezeGroups.groupOf.push_back(i < 108 ? 1 : 2);
        plan::DegreesOfFreedom const dof = degreesOfFreedom(options, topology);
        EXPECT_NEAR(dof.byGroup.at(0), first, 5e-3);
        EXPECT_NEAR(dof.byGroup.at(1), second, 5e-3);
    };
    expect({true, true, false}, {}, 107.25, 321.75);
    expect({true, true, true}, {}, 0, 321);
    expect({true, true, false}, {true, false, false}, 107.33, 214.67);
    expect({true, true, false}, {true, true, false}, 107.5, 107.5);
    expect({true, true, true}, {true, true, false}, 0, 107);
}

TEST(DegreesOfFreedom, LeaveNoneWhereRemovalTakesAll)
{
    system::Topology topology;
    topology.types.push_back(molecule({{"X", 'A'}}));
    topology.blocks.push_back({0, 1, 0, 0});
    topology.atomCount = topology.moleculeCount = 1;
    EXPECT_EQ(plan::degreesOfFreedom({}, topology).total, 0);
    topology.blocks[0].count = 2;
    topology.atomCount = topology.moleculeCount = 2;
    EXPECT_EQ(plan::degreesOfFreedom({}, topology).total, 3);
}

} // namespace
