#include "written_topology.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <queue>
#include <random>
#include <set>

namespace alder::deck {
namespace {

using system::Kind;
using test::Parts;
using test::readText;
using ::testing::HasSubstr;

std::vector<std::int32_t> excludedOf(system::MoleculeType const& type, std::size_t atom)
{
    return {type.exclusions.begin() + type.exclusionStart.at(atom), type.exclusions.begin() + type.exclusionStart.at(atom + 1)};
}
using Ints = std::vector<std::int32_t>;

TEST(TopologyMolecule, readsEveryKindAndRemembersItsPlace)
{
    Parts p;
    p.bonds = "[ bonds ]\n1 2 1 0.15 1000\n1 3 2 0.15 1000\n1 4 3 0.15 10 20\n1 5 4 0.15 1000 10\n2 3 5\n2 4 6 0.15 1000\n2 5 7 0.5 1000\n"
              "3 4 8 0 1\n3 5 9 0 1\n4 5 10 0.1 0.2 0.3 1000\n";
    p.interactions = "[ pairs ]\n1 4 1\n1 5 2 0.5 0.1 -0.2 0.35 0.6\n[ pairs_nb ]\n2 5 1 0.1 0.2 0.3 0.4\n"
                     "[ angles ]\n1 2 3 1 100 10\n1 2 3 2 100 10\n1 2 3 3 0.1 0.1 10\n1 2 3 4 0.1 0.1 0.2 10\n1 2 3 5 100 10 0.2 10\n"
                     "1 2 3 6 100 1 2 3 4 5\n1 2 3 8 0 1\n1 2 3 9 0.3 1\n1 2 3 10 100 5\n"
                     "[ dihedrals ]\n1 2 3 4 1 0 1 2\n1 2 3 4 2 0 1\n1 2 3 4 3 1 2 3 4 5 6\n1 2 3 4 4 0 1 2\n1 2 3 4 5 1 2 3 4\n"
                     "1 2 3 4 8 0 1\n1 2 3 4 9 0 1 3\n1 2 3 4 10 100 1\n1 2 3 4 11 1 2 3 4 5 6\n"
                     "[ constraints ]\n1 5 1 0.2\n1 5 2 0.2\n"
                     "[ position_restraints ]\n1 1 1000 1000 1000\n2 2 1 0.5 100\n[ dihedral_restraints ]\n1 2 3 4 1 180 0 10\n"
                     "[ angle_restraints ]\n1 2 3 4 1 100 10 1\n[ angle_restraints_z ]\n1 2 1 90 10 1\n[ polarization ]\n1 2 1 0.001\n"
                     "2 3 2 0.001 0.1 0.2\n[ water_polarization ]\n1 2 3 4 5 1 1 2 3 4 5 6\n[ thole_polarization ]\n1 2 3 4 1 2 3 4\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    std::set<Kind> const elsewhere{Kind::cmap,
                                   Kind::settle,
                                   Kind::virtualSite1,
                                   Kind::virtualSite2,
                                   Kind::virtualSite2fd,
                                   Kind::virtualSite3,
                                   Kind::virtualSite3fd,
                                   Kind::virtualSite3fad,
                                   Kind::virtualSite3out,
                                   Kind::virtualSite4fd,
                                   Kind::virtualSite4fdn,
                                   Kind::virtualSiteN,
                                   Kind::distanceRestraint,
                                   Kind::orientationRestraint};
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (elsewhere.contains(kind)) continue;
        EXPECT_EQ(r.type().of(kind).size(), kind == Kind::properDihedral ? 2U : 1U) << system::infoOf(kind).name;
        EXPECT_EQ(r.type().of(kind).atoms.size(), r.type().of(kind).size() * static_cast<std::size_t>(system::infoOf(kind).atoms));
        EXPECT_TRUE(r.topology.uses(kind));
        EXPECT_EQ(r.topology.firstUse[k].file, "test.top");
    }
    EXPECT_EQ(r.topology.firstUse[static_cast<std::size_t>(Kind::bond)].line, 15);
    EXPECT_EQ(r.topology.firstUse[static_cast<std::size_t>(Kind::cubicBond)].line, 18);
    EXPECT_EQ(r.parameters(Kind::restraintBond)[3], 1000);
    EXPECT_EQ(r.parameters(Kind::properDihedral, 1), (system::ParameterSet{0, 1, 3}));
    EXPECT_EQ(r.parameters(Kind::combinedBendingTorsion)[5], 6);
    // fudgeQQ qi qj, then sigma and epsilon as C6 and C12
    EXPECT_EQ(r.parameters(Kind::pair14Charges)[2], -0.2);
    EXPECT_NEAR(r.parameters(Kind::pair14Charges)[3], 2.4 * std::pow(0.35, 6), 1e-15);
    EXPECT_NEAR(r.parameters(Kind::pairNonbonded)[3], 1.6 * std::pow(0.3, 12), 1e-18);
}

TEST(TopologyMolecule, storesEqualParametersOnce)
{
    auto const r = readText(Parts{}.text());
    EXPECT_EQ(r.topology.parametersOf(Kind::bond).size(), 1U);
    EXPECT_EQ(r.type().of(Kind::bond).size(), 4U);
}

TEST(TopologyMolecule, leavesOutEntriesThatAreNothing)
{
    Parts p;
    p.interactions = "[ angles ]\n1 2 3 1 0 0\n1 2 3 5 0 0 0 0\n1 2 3 1 100 0\n[ dihedrals ]\n1 2 3 4 2 0 0\n1 2 3 4 1 10 0 3\n"
                     "1 2 3 4 4 10 0 3\n1 2 3 4 5 0 0 0 0\n1 2 3 4 3 0 0 0 0 0 0\n1 2 3 4 9 5 0 1.5\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.type().of(Kind::angle).size(), 1U);
    for (Kind const kind : {Kind::ureyBradley, Kind::improperDihedral, Kind::properDihedral, Kind::periodicImproper, Kind::fourierDihedral,
                            Kind::ryckaertBellemans})
        EXPECT_EQ(r.type().of(kind).size(), 0U) << system::infoOf(kind).name;
}

TEST(TopologyMolecule, numbersMayBeWrittenInAnyUsualForm)
{
    Parts p;
    p.interactions = "[ angles ]\n1 2 3 +1 +100 .5\n2 3 4 1 1.e2 5E-1\n3 4 5 1 100 10 text behind\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.parameters(Kind::angle, 0), r.parameters(Kind::angle, 1));
    EXPECT_THAT(r.said(), HasSubstr("'text' after the parameters is ignored"));
}

TEST(TopologyMolecule, ignoresStateBWithOneWarning)
{
    Parts p;
    p.atoms = "[ atoms ]\n1 A 1 MOL C1 1 0.1 12.0 B\n2 A 1 MOL C2 1 -0.1 12.0 A -0.2 12\n3 A 1 M C 1 0 12 A\n";
    p.bonds = "[ bonds ]\n1 2 1 0.15 1000 0.15 1000\n2 3 1 0.15 1000 0.16 1000\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.faults.warnings().size(), 1U) << r.said();
    EXPECT_EQ(r.parameters(Kind::bond, 1)[0], 0.15);
    EXPECT_EQ(r.type().atoms[1].charge, -0.1);
}

/// Bonds that a plain search over pairs finds, against the reader's own way.
TEST(TopologyMolecule, excludesNeighboursAsASearchOverPairsDoes)
{
    std::mt19937 random(11);
    for (int trial = 0; trial < 60; ++trial) {
        int const atoms = 2 + static_cast<int>(random() % 14), bondCount = static_cast<int>(random() % 18),
                  reach = static_cast<int>(random() % 5);
        std::vector<std::vector<int>> distance(static_cast<std::size_t>(atoms), std::vector<int>(static_cast<std::size_t>(atoms), 1000));
        Parts p;
        p.moleculeType = "[ moleculetype ]\nMOL " + std::to_string(reach) + "\n";
        p.atoms = "[ atoms ]\n";
        for (int i = 1; i <= atoms; ++i) p.atoms += std::to_string(i) + " A 1 M C 1\n";
        p.bonds = "[ bonds ]\n";
        static std::vector<std::pair<std::string, bool>> const kinds{
            {" 1 0.1 5", true},  {" 2 0.1 5", true}, {" 3 0.1 5 5", true}, {" 4 0.1 5 5", true}, {" 5", true},
            {" 6 0.1 5", false}, {" 7 0.1 5", true}, {" 8 0 5", true},     {" 9 0 5", false},    {" 10 0 1 2 5", false}};
        for (int b = 0; b < bondCount; ++b) {
            int const i = static_cast<int>(random() % static_cast<unsigned>(atoms)),
                      j = static_cast<int>(random() % static_cast<unsigned>(atoms));
            if (i == j) continue;
            auto const& [form, connects] = kinds[random() % kinds.size()];
            p.bonds += std::to_string(i + 1) + " " + std::to_string(j + 1) + form + "\n";
            if (connects)
                distance[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
                    distance[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = 1;
        }
        std::size_t const n = distance.size();
        for (std::size_t m = 0; m < n; ++m)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) distance[i][j] = std::min(distance[i][j], distance[i][m] + distance[m][j]);
        auto const r = readText(p.text());
        ASSERT_TRUE(r.accepted()) << r.said();
        for (std::size_t i = 0; i < n; ++i) {
            Ints expected;
            for (std::size_t j = 0; j < n; ++j)
                if (j != i && distance[i][j] <= reach) expected.push_back(static_cast<std::int32_t>(j));
            EXPECT_EQ(excludedOf(r.type(), i), expected) << p.bonds << "atom " << i + 1 << " reach " << reach;
        }
    }
}

TEST(TopologyMolecule, addsWrittenExclusionsBothWays)
{
    Parts p;
    p.moleculeType = "[ moleculetype ]\nMOL 1\n";
    p.interactions = "[ exclusions ]\n5 2 1\n1 5\n3 3\n4\n9 1\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(excludedOf(r.type(), 0), Ints({1, 4}));
    EXPECT_EQ(excludedOf(r.type(), 1), Ints({0, 2, 4}));
    EXPECT_EQ(excludedOf(r.type(), 4), Ints({0, 1, 3}));
    EXPECT_THAT(r.said(), HasSubstr("exclusions of atom 9"));
}

TEST(TopologyMolecule, constraintsConnectAndSettleDoesNot)
{
    Parts p;
    p.bonds = "[ constraints ]\n1 2 1 0.15\n2 3 2 0.15\n";
    auto const r = readText(p.text());
    EXPECT_EQ(excludedOf(r.type(), 1), Ints({0}));
    p.bonds = "[ settles ]\n1 1 0.1 0.16\n";
    auto const water = readText(p.text());
    ASSERT_TRUE(water.accepted()) << water.said();
    EXPECT_TRUE(water.type().exclusions.empty());
    EXPECT_EQ(water.type().of(Kind::settle).atoms, Ints({0, 1, 2}));
    EXPECT_EQ(water.parameters(Kind::settle)[1], 0.16);
}

TEST(TopologyMolecule, bondsBecomeConstraintsAsAsked)
{
    Parts p;
    p.atoms = "[ atoms ]\n1 A 1 M C1 1 0 12\n2 A 1 M hx 1 0 1\n3 B 1 M 1H 1 0 1\n4 B 1 M O4 1 0 16\n5 A 1 M HG 1 0 1\n";
    p.bonds =
        "[ bonds ]\n1 2 1 0.11 1000\n1 3 1 0.12 1000\n1 4 2 0.13 1000\n4 5 3 0.14 10 20\n1 5 4 0.15 1 2\n2 5 6 0.16 10\n3 5 7 0.3 10\n";
    auto const none = readText(p.text());
    EXPECT_FALSE(none.topology.uses(Kind::constraint));
    auto const h = readText(p.text(), plan::Constraints::hBonds);
    ASSERT_TRUE(h.accepted()) << h.said();
    EXPECT_EQ(h.type().of(Kind::constraint).atoms, Ints({0, 1, 3, 4, 0, 4}));
    EXPECT_EQ(h.parameters(Kind::constraint, 1)[0], 0.14);
    EXPECT_EQ(h.type().of(Kind::bond).size(), 1U);
    auto const all = readText(p.text(), plan::Constraints::allBonds);
    EXPECT_EQ(all.type().of(Kind::constraint).size(), 5U);
    EXPECT_EQ(all.type().of(Kind::harmonic).size(), 1U);
    EXPECT_EQ(all.type().of(Kind::fene).size(), 1U);
    EXPECT_EQ(excludedOf(all.type(), 0), excludedOf(none.type(), 0));
    EXPECT_THAT(readText(p.text(), plan::Constraints::hAngles).said(), HasSubstr("h-angles"));
}

TEST(TopologyMolecule, moleculesAreCountedNotCopied)
{
    Parts p;
    p.system = "[ system ]\nfirst\nsecond line\n[ molecules ]\nMOL 0\nmol 350000\n; end\nMOL 4000000000 \n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.topology.title, "second line");
    EXPECT_EQ(r.topology.types.size(), 1U);
    EXPECT_EQ(r.topology.blocks.size(), 3U);
    EXPECT_EQ(r.topology.atomCount, 5 * 4000350000LL);
    EXPECT_EQ(r.topology.blocks[2].firstAtom, 5 * 350000);
    EXPECT_EQ(r.topology.moleculeCount, 4000350000LL);
}

TEST(TopologyMolecule, namesOfMoleculesCountCaseWhereTheyMust)
{
    Parts p;
    p.moleculeType = "[ moleculetype ]\nmol 1\n[ atoms ]\n1 A 1 M C 1\n[ moleculetype ]\nMOL 3\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.topology.atomCount, 5);
    p.system = "[ system ]\nx\n[ molecules ]\nMol 1\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("no molecule type 'Mol'; did you mean"));
}

TEST(TopologyMolecule, unusedMoleculeTypesAreLeftOut)
{
    Parts p;
    p.moleculeType = "[ moleculetype ]\nLIGHT 1\n[ atoms ]\n1 A 1 M C 1 0 0\n[ moleculetype ]\nMOL 3\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << "a mass of zero matters where the molecule is used\n" << r.said();
    EXPECT_EQ(r.topology.types.size(), 1U);
}

TEST(TopologyMolecule, chargesAreSummedOverTheSystem)
{
    Parts p;
    EXPECT_EQ(readText(p.text()).said(), "");
    p.atoms = "[ atoms ]\n1 A 1 M C 1 0.501 12\n2 A 1 M C 1 0.5 12\n";
    p.bonds.clear();
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("total charge of 1.001000 e; a total charge is an integer"));
    p.atoms = "[ atoms ]\n1 A 1 M C 1 0.5 12\n2 A 1 M C 1 0.5 12\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("total charge of 1.000000 e; add ions"));
    p.atoms = "[ atoms ]\n1 A 1 M C 1 0.5000005 12\n2 A 1 M C 1 -0.5 12\n";
    p.system = "[ system ]\nx\n[ molecules ]\nMOL 1000000\n";
    EXPECT_EQ(readText(p.text()).said(), "") << "rounding of written charges does not add up";
}

TEST(TopologyMolecule, sectionNamesAreComparedLoosely)
{
    Parts p;
    p.interactions = "[PAIRS-NB]\n1 5 1 0 0 0 0\n  [ Position-Restraints ] text\n1 1 1 1 1\n[ dihedrals\n1 2 3 4 1 0 1 2\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_TRUE(r.topology.uses(Kind::pairNonbonded) && r.topology.uses(Kind::positionRestraint) && r.topology.uses(Kind::properDihedral));
}

TEST(TopologyMolecule, functionTypesThatGromacsDoesNotLookAtPass)
{
    Parts p;
    p.interactions =
        "[ pairs_nb ]\n1 5 2 0 0 0 0\n[ dihedral_restraints ]\n1 2 3 4 7 180 0 10\n[ distance_restraints ]\n1 3 1 0 1 0.1 0.2 0.3 1\n"
        "1 4 1 0 1 0.1 0.2 0.3 1\n[ orientation_restraints ]\n1 3 1 1 1 3 6 7 8\n[ angle_restraints ]\n1 2 2 3 1 100 10 1\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_THAT(r.said(), HasSubstr("[ orientation_restraints ] have no effect"));
    EXPECT_THAT(r.said(), HasSubstr("atom 2 is named twice"));
    EXPECT_TRUE(r.topology.uses(Kind::distanceRestraint));
    EXPECT_FALSE(r.topology.uses(Kind::orientationRestraint));
    EXPECT_EQ(r.faults.warnings().size(), 2U);
}

TEST(TopologyMolecule, pairsOfType2WithoutNumbersHaveNoLennardJones)
{
    Parts p;
    p.interactions = "[ pairs ]\n1 4 2\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.parameters(Kind::pair14Charges), (system::ParameterSet{0.8333, 0.1, -0.2, 0, 0}));
    EXPECT_THAT(r.said(), HasSubstr("has no Lennard-Jones interaction"));
}

/// Further sections of the molecule, and a part of the refusal. Each has been tried on GROMACS 2022 or is stricter on purpose.
TEST(TopologyMolecule, refusesWhatDoesNotRead)
{
    for (auto const& [interactions, part] : std::vector<std::pair<std::string, std::string>>{
             {"[ bond ]\n", "unknown section [ 'bond' ]; did you mean [ bonds ]?"},
             {"[ ]\n", "unknown section"},
             {"[ bondtypes ]\nA A 1 1 1\n", "[ bondtypes ] after a [ moleculetype ]"},
             {"[ molecules ]\nMOL 1\n", "[ molecules ] before any [ system ]"},
             {"[ bonds ]\n1 3 11 1 1\n", "function type '11' is not known in [ bonds ]"},
             {"[ bonds ]\n1 3 0 1 1\n", "function type '0'"},
             {"[ bonds ]\n1 3 -1 1 1\n", "negative function type '-1'"},
             {"[ bonds ]\n1 3 BOND\n", "'BOND' is no function type"},
             {"[ bonds ]\n1 3 1 KB\n", "'KB' is no number"},
             {"[ bonds ]\n1 3 1 0.1 1e400\n", "'1e400' is no number"},
             {"[ bonds ]\n1 3 1 0.1 inf\n", "'inf' is no number"},
             {"[ bonds ]\n1 3 1 0.1\n", "1 parameters where 2 or 4 are expected"},
             {"[ bonds ]\n1 3 1 1 1 1\n", "3 parameters"},
             {"[ bonds ]\n1 3 5 1\n", "1 parameters where 0"},
             {"[ bonds ]\n1 3 8 0.5 1\n", "table number 0.5"},
             {"[ bonds ]\n1 3\n", "no default harmonic bond parameters for atom types A B"},
             {"[ bonds ]\n1\n", "1 words where 2 atom numbers are due"},
             {"[ bonds ]\n1 x 1 1 1\n", "'x' is no atom number"},
             {"[ bonds ]\n1 6 1 1 1\n", "atom 6 is not in molecule type 'MOL' (1 to 5)"},
             {"[ bonds ]\n0 1 1 1 1\n", "atom 0"},
             {"[ bonds ]\n2 2 1 1 1\n", "atom 2 is named twice"},
             {"[ angles ]\n1 2 3 7 1 1\n", "function type '7'"},
             {"[ dihedrals ]\n1 2 3 4 1 0 1 2.5\n", "multiplicity 2.5"},
             {"[ dihedrals ]\n1 2 3 4 1 0 1 2 0 1 3\n", "another multiplicity"},
             {"[ dihedrals ]\n1 2 3 4 5 1 2 3 4 5\n", "5 parameters where 4 or 8"},
             {"[ pairs ]\n1 4 3\n", "function type '3'"},
             {"[ pairs ]\n1 4 2 0.5\n", "1 parameters where 5"},
             {"[ pairs ]\n1 4 1 0.5\n", "1 parameters where 2 or 4"},
             {"[ pairs_nb ]\n1 5 1\n", "without parameters"},
             {"[ exclusions ]\n1 x\n", "'x' is no atom number"},
             {"[ exclusions ]\n1 9\n", "atom 9 is not in this molecule type"},
             {"[ settles ]\n4 1 0.1 0.16\n", "needs the two atoms after it"},
             {"[ settles ]\n1 1\n", "no default SETTLE parameters"},
             {"[ settles ]\n1 1 0.1 0.16\n2 1 0.1 0.16\n", "in two SETTLE entries"},
             {"[ settles ]\n1 1 0.1 0.16\n[ constraints ]\n1 5 1 0.2\n", "in a SETTLE and in a constraint"},
             {"[ constraints ]\n1 3 3 0.2\n", "function type '3'"},
             {"[ position_restraints ]\n1 1 10\n", "1 parameters where 3 or 6"},
             {"[ position_restraints ]\n1 2 9 1 1\n", "geometry 9"},
             {"[ orientation_restraints ]\n1 3 1 0 1 3 6 7 8\n", "experiment 0"},
             {"[ cmap ]\n1 2 3 4 5 1\n", "no CMAP grid"},
             {"[ cmap ]\n1 2 3 4\n", "4 words"},
             {"[ atoms ]\n7 A 1 M C 1\n", "atom number '7' where 6 is due"},
             {"[ atoms ]\n6 A 1 M C\n", "too few words for an atom"},
             {"[ atoms ]\n6 A x M C 1\n", "'x' is no residue number"},
             {"[ atoms ]\n6 A 1 M C one\n", "'one' is no charge group number"},
             {"[ atoms ]\n6 Z 1 M C 1\n", "atom type 'Z' is not known"},
             {"[ atoms ]\n6 A 1 M C 1 q\n", "'q' is no charge"},
             {"[ atoms ]\n6 A 1 M C 1 0 m\n", "'m' is no mass"},
             {"[ atoms ]\n6 A 1 M C 1 0 -1\n", "has mass -1"},
             {"[ atoms ]\n6 A 1 M C 1 0 1 Z\n", "atom type 'Z' of state B"},
             {"[ atoms ]\n6 A 1 M C 1 0 1 A x\n", "of state B is no number"},
             {"[ atoms ]\n6 A 1 M C 1 0 1 A 0 0\n", "mass 0 in state B"},
             {"[ atoms ]\n6 A 1 M C 1 0 1 A 0 1 x\n", "follows the last column"},
             {"[ moleculetype ]\nMOL 1\n", "'MOL' is defined a second time"},
             {"[ moleculetype ]\nNEW\n", "needs a name and nrexcl"},
             {"[ moleculetype ]\nNEW -1\n", "needs a name and nrexcl"},
             {"[ moleculetype ]\nNEW 1\n[ bonds ]\n1 2\n", "(1 to 0)"}}) {
        Parts p;
        p.interactions = interactions;
        auto const r = readText(p.text());
        EXPECT_FALSE(r.accepted()) << interactions;
        EXPECT_THAT(r.said(), HasSubstr(part)) << interactions;
        EXPECT_THAT(r.said(), ::testing::ContainsRegex("test.top:[0-9]+: ")) << interactions;
    }
}

TEST(TopologyMolecule, refusesSystemsThatAreNone)
{
    for (auto const& [system, part] : std::vector<std::pair<std::string, std::string>>{
             {"[ system ]\nx\n[ molecules ]\nMOL\n", "needs a name and a count"},
             {"[ system ]\nx\n[ molecules ]\nMOL one\n", "needs a name and a count"},
             {"[ system ]\nx\n[ molecules ]\nMOL -1\n", "needs a name and a count"},
             {"[ system ]\nx\n[ molecules ]\nMOL 9223372036854775807\n", "more atoms than can be numbered"},
             {"[ system ]\nx\n[ molecules ]\nMOL 9223372036854775808\n", "needs a name and a count"},
             {"[ system ]\nx\n[ molecules ]\nMOLL 1\n", "did you mean MOL?"},
             {"[ system ]\nx\n[ molecules ]\nMOL 0\n", "lists no molecules"},
             {"[ system ]\nx\n", "no [ molecules ] section"},
             {"[ system ]\nx\n[ molecules ]\nMOL 1\n[ bonds ]\n1 3 1 1 1\n", "[ bonds ] after [ molecules ]"},
             {"[ system ]\nx\n[ molecules ]\nMOL 1\n[ intermolecular_interactions ]\n[ bonds ]\n1 3 6 0.1 10\n",
              "[ intermolecular_interactions ] is not supported"},
             {"[ moleculetype ]\nEMPTY 1\n[ system ]\nx\n[ molecules ]\nEMPTY 1\n", "'EMPTY' has no atoms"}}) {
        Parts p;
        p.system = system;
        EXPECT_THAT(readText(p.text()).said(), HasSubstr(part)) << system;
    }
    Parts p;
    p.system = "[ system ]\nx\n[ molecules ]\nMOL 1 junk\n";
    auto const r = readText(p.text());
    EXPECT_TRUE(r.accepted());
    EXPECT_THAT(r.said(), HasSubstr("'junk' after the count"));
    EXPECT_THAT(readText("lost words\n" + Parts{}.text()).said(), HasSubstr("text before the first [ section ]"));
    EXPECT_THAT(readText("").said(), HasSubstr("no [ defaults ]"));
}

TEST(TopologyMolecule, shellsAndMorseConversionAreRefusedByName)
{
    Parts p;
    p.atomTypes += "S 0 0.0 0.0 S 0 0\n";
    p.atoms += "6 S 1 MOL S 1\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("is a shell"));
    base::FaultList faults;
    TopologyRequest request{"test.top", {}, {}, plan::Constraints::none, true};
    (void)readTopology(preprocess({request.file, {}, {}}, Parts{}.text(), faults), request, faults);
    ASSERT_EQ(faults.faults().size(), 1U);
    EXPECT_THAT(faults.faults()[0].text(), HasSubstr("morse = yes"));
}

TEST(TopologyMolecule, stopsWhereATextIsNoTopology)
{
    Parts p;
    for (int i = 0; i < 1000; ++i) p.interactions += "[ nonsense ]\n";
    auto const r = readText(p.text());
    EXPECT_LT(r.faults.faults().size(), 300U);
    EXPECT_THAT(r.said(), HasSubstr("too many faults to go on"));
}

TEST(TopologyMolecule, readsFilesAndWhatTheyInclude)
{
    test::Folder const f;
    Parts p;
    f.write("mol.itp", p.moleculeType + p.atoms + p.bonds);
    p.moleculeType = "#include \"mol.itp\"\n#ifdef POSRES\n[ position_restraints ]\n1 1 FC\n#endif\n";
    p.atoms.clear();
    p.bonds.clear();
    TopologyRequest const request{f.write("t.top", p.text()), {"POSRES", "FC=1 2 3"}, {}, plan::Constraints::allBonds, false};
    base::FaultList faults;
    auto const topology = readTopology(request, faults);
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(topology.parametersOf(Kind::positionRestraint).at(0), (system::ParameterSet{1, 2, 3}));
    EXPECT_EQ(topology.firstUse[static_cast<std::size_t>(Kind::constraint)].file, f.at("mol.itp"));
    base::FaultList missing;
    EXPECT_EQ(readTopology({f.at("none.top"), {}, {}, plan::Constraints::none, false}, missing).atomCount, 0);
    EXPECT_EQ(missing.faults().size(), 1U);
}

TEST(TopologyMolecule, replaysWhatTheFuzzerFound)
{
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(ALDER_SOURCE_DIR "/tests/fuzz/corpus/topology")) {
        std::ifstream in(entry.path(), std::ios::binary);
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        if (text.empty()) continue;
        ++files;
        auto const choice = static_cast<unsigned char>(text[0]);
        auto const r = readText(text.substr(1), (choice & 2U) != 0 ? plan::Constraints::allBonds : plan::Constraints::none, {"POSRES"});
        for (system::MoleculeType const& type : r.topology.types)
            for (std::int32_t const partner : type.exclusions)
                ASSERT_LT(static_cast<std::size_t>(partner), type.atoms.size()) << entry.path();
    }
    EXPECT_GT(files, 50);
}

} // namespace
} // namespace alder::deck
