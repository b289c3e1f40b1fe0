// Heavier hydrogens: which atoms gain, who pays, and what is refused.
#include "deck/mass_repartition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::deck {
namespace {

using system::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<double> masses(system::MoleculeType const& type)
{
    std::vector<double> all;
    for (system::Atom const& atom : type.atoms) all.push_back(atom.mass);
    return all;
}

/// CH3-OH with a virtual site, a rigid water, an ion, and a molecule type that nothing uses.
class MassRepartition : public ::testing::Test {
protected:
    MassRepartition()
    {
        options.mdpFile = "run.mdp";
        options.lines["mass-repartition-factor"] = 7;
        system::MoleculeType methanol = molecule("MEOH", {12.011, 1.008, 1.008, 1.008, 16, 1.008, 0});
        methanol.of(Kind::bond).atoms = {0, 1, 0, 2, 0, 4};
        methanol.of(Kind::constraint).atoms = {3, 0, 4, 5};
        system::MoleculeType water = molecule("SOL", {16, 1.2, 1.2});
        water.of(Kind::settle).atoms = {0, 1, 2};
        topology.types = {methanol, water, molecule("NA", {22.99}), molecule("UNUSED", {0.1, 12})};
        topology.blocks = {{0, 2, 0, 0}, {1, 3, 14, 2}, {2, 1, 23, 5}};
        topology.atomCount = 24;
    }
    static system::MoleculeType molecule(std::string const& name, std::vector<double> const& masses)
    {
        system::MoleculeType type;
        type.name = name;
        for (double mass : masses) type.atoms.push_back({"X" + std::to_string(type.atoms.size() + 1), name, 1, 0, 0, mass, 'A'});
        return type;
    }
    /// The refusal, or what was warned of, or nothing.
    std::string repartition(double factor)
    {
        options.massRepartitionFactor = factor;
        base::FaultList faults;
        repartitionMasses(options, topology, faults);
        if (!faults.empty()) return faults.faults().front().text();
        return faults.warnings().empty() ? "" : faults.warnings().front().text();
    }
    plan::RunOptions options;
    system::Topology topology;
};

TEST_F(MassRepartition, LightAtomsGainWhatTheirPartnersLose)
{
    EXPECT_EQ(repartition(3), "");
    using ::testing::DoubleNear;
    auto const near = [](double x) { return DoubleNear(x, 1e-12); };
    EXPECT_THAT(masses(topology.types[0]),
                ElementsAre(near(12.011 - 6.048), near(3.024), near(3.024), near(3.024), near(16 - 2.016), near(3.024), near(0)));
    // The lightest atom of the system sets the least mass, in water too.
    EXPECT_THAT(masses(topology.types[1]), ElementsAre(near(16 - 2 * (3.024 - 1.2)), near(3.024), near(3.024)));
    EXPECT_THAT(masses(topology.types[2]), ElementsAre(22.99));
    EXPECT_THAT(masses(topology.types[3]), ElementsAre(0.1, 12));
}

TEST_F(MassRepartition, OneLeavesAllAsItIs)
{
    EXPECT_EQ(repartition(1), "");
    EXPECT_EQ(topology.types[0].atoms[1].mass, 1.008);
}

TEST_F(MassRepartition, RefusesWhatItCannotTakeOrGive)
{
    EXPECT_THAT(repartition(0.5), HasSubstr("run.mdp:7: mass-repartition-factor is 0.5"));
    EXPECT_THAT(repartition(NAN), HasSubstr("mass-repartition-factor is nan"));
    EXPECT_THAT(repartition(4), HasSubstr("atom 1 (X1) of molecule type MEOH would become lighter than 4.032 u"));
}

TEST_F(MassRepartition, ALightAtomHasOneBond)
{
    topology.types[0].of(Kind::bond).atoms = {0, 1, 0, 2, 0, 4, 1, 2};
    EXPECT_THAT(repartition(2),
                HasSubstr("2 atoms are lighter than 2.016 u and have several bonds, first atom 2 (X2) of molecule type MEOH"));
    topology.types[0].of(Kind::bond).atoms = {0, 1, 0, 4};
    // Harmonic potentials and constraints of the second kind bind nothing.
    topology.types[0].of(Kind::harmonic).atoms = {0, 2};
    topology.types[0].of(Kind::constraintNoExclusion).atoms = {0, 2};
    EXPECT_THAT(repartition(2), HasSubstr("1 atoms are lighter than 2.016 u and have no bond, first atom 3 (X3)"));
    EXPECT_EQ(topology.types[0].atoms[2].mass, 1.008);
}

} // namespace
} // namespace alder::deck
