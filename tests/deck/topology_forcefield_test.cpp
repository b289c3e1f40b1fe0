#include "written_topology.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace alder::deck {
namespace {

using system::Kind;
using test::Parts;
using test::readText;
using ::testing::HasSubstr;

double c6(test::Reading const& r, int i, int j)
{
    return r.topology.nonbonded.c6.at(static_cast<std::size_t>(i * r.topology.nonbonded.typeCount + j));
}
double c12(test::Reading const& r, int i, int j)
{
    return r.topology.nonbonded.c12.at(static_cast<std::size_t>(i * r.topology.nonbonded.typeCount + j));
}

TEST(TopologyForceField, readsAllColumnFormsOfAtomTypes)
{
    for (std::string const form : {"A 12.0 0.5 A 0.34 0.4", "A 6 12.0 0.5 A 0.34 0.4", "A CT 12.0 0.5 A 0.34 0.4",
                                   "A CT 6 12.0 0.5 A 0.34 0.4", "A 12.0 0.5 A 0.34 0.4 9 9 9"}) {
        Parts p;
        p.atomTypes = "[ atomtypes ]\n" + form + "\nB 8 16.0 0.0 a 0.30 0.7\n";
        p.atoms = "[ atoms ]\n1 A 1 MOL C1 1\n2 A 1 MOL C2 1 0.25\n3 B 1 MOL O3 1\n4 B 1 MOL O4 1\n5 A 1 MOL C5 1 0.1 13\n";
        auto const r = readText(p.text());
        ASSERT_TRUE(r.accepted()) << form << "\n" << r.said();
        EXPECT_EQ(r.type().atoms[0].mass, 12);
        EXPECT_EQ(r.type().atoms[0].charge, 0.5);
        EXPECT_EQ(r.type().atoms[1].charge, 0.25);
        EXPECT_EQ(r.type().atoms[4].mass, 13);
        EXPECT_NEAR(c6(r, 0, 0), 4 * 0.4 * std::pow(0.34, 6), 1e-15) << form;
    }
}

TEST(TopologyForceField, bondedTypesNameTheParametersOfSeveralAtomTypes)
{
    Parts p;
    p.atomTypes = "[ atomtypes ]\nA CX 6 12.0 0.0 A 0.34 0.4\nB OX 8 16.0 0.0 A 0.30 0.7\n";
    p.types = "[ bondtypes ]\nCX OX 1 0.17 1234\n";
    p.bonds = "[ bonds ]\n2 3 1\n3 2\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.parameters(Kind::bond, 0)[0], 0.17);
    EXPECT_EQ(r.parameters(Kind::bond, 1)[1], 1234);
    p.types = "[ bondtypes ]\nA B 1 0.17 1234\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("test.top:7: bonded type 'A' is not known"));
}

TEST(TopologyForceField, combinesByRule)
{
    double const epsilon = std::sqrt(0.4 * 0.7);
    for (auto const& [name, sigma] : std::vector<std::pair<std::string, double>>{{"2", (0.34 + 0.30) / 2},
                                                                                 {"Arithmetic", (0.34 + 0.30) / 2},
                                                                                 {"3", std::sqrt(0.34 * 0.30)},
                                                                                 {"GeomSigEps", std::sqrt(0.34 * 0.30)}}) {
        Parts p;
        p.defaults = "[ defaults ]\nLJ " + name + " yes 0.5 0.8333\n";
        p.interactions = "[ pairs ]\n1 4\n";
        auto const r = readText(p.text());
        ASSERT_TRUE(r.accepted()) << r.said();
        EXPECT_NEAR(c6(r, 0, 1), 4 * epsilon * std::pow(sigma, 6), 1e-15);
        EXPECT_NEAR(c12(r, 1, 0), 4 * epsilon * std::pow(sigma, 12), 1e-18);
        EXPECT_NEAR(r.parameters(Kind::pair14, 0)[0], 0.5 * 4 * epsilon * std::pow(sigma, 6), 1e-15);
        EXPECT_EQ(r.topology.nonbonded.fudgeQQ, 0.8333);
    }
    Parts p;
    p.interactions = "[ pairs ]\n1 4\n";
    p.defaults = "[ defaults ]\n1 1 yes 0.5\n";
    p.atomTypes = "[ atomtypes ]\nA 12.0 0.0 A 2e-3 9e-6\nB 16.0 0.0 A 8e-3 4e-6\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_NEAR(c6(r, 0, 1), 4e-3, 1e-15);
    EXPECT_NEAR(c12(r, 0, 1), 6e-6, 1e-18);
    EXPECT_NEAR(r.parameters(Kind::pair14)[0], 2e-3, 1e-15);
    EXPECT_NEAR(r.parameters(Kind::pair14)[1], 3e-6, 1e-18);
    EXPECT_EQ(r.topology.nonbonded.fudgeQQ, 1);
}

TEST(TopologyForceField, negativeSigmaHasNoAttraction)
{
    for (std::string const rule : {"2", "3"}) {
        Parts p;
        p.defaults = "[ defaults ]\n1 " + rule + " yes 1 1\n";
        p.atomTypes = "[ atomtypes ]\nA 12.0 0.0 A -0.34 0.4\nB 16.0 0.0 A 0.34 0.4\n";
        auto const r = readText(p.text());
        ASSERT_TRUE(r.accepted()) << r.said();
        EXPECT_EQ(c6(r, 0, 0), 0);
        EXPECT_EQ(c6(r, 0, 1), 0);
        EXPECT_NEAR(c12(r, 0, 1), c12(r, 1, 1), 1e-18);
        EXPECT_NEAR(c6(r, 1, 1), 1.6 * std::pow(0.34, 6), 1e-15);
    }
}

TEST(TopologyForceField, pairsComeFromTypesThenFromTheRule)
{
    Parts p;
    p.types = "[ nonbond_params ]\nB A 1 0.3 0.1\n[ pairtypes ]\nA A 1 0.31 0.2\n";
    p.interactions = "[ pairs ]\n1 4 1\n2 5 1\n3 4 1 0.4 0.5\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_NEAR(c6(r, 0, 1), 0.4 * std::pow(0.3, 6), 1e-15);
    EXPECT_NEAR(r.parameters(Kind::pair14, 0)[0], 0.5 * 0.4 * std::pow(0.3, 6), 1e-15) << "generated from [ nonbond_params ]";
    EXPECT_NEAR(r.parameters(Kind::pair14, 1)[0], 0.8 * std::pow(0.31, 6), 1e-15) << "from [ pairtypes ], without fudge";
    EXPECT_NEAR(r.parameters(Kind::pair14, 2)[1], 2.0 * std::pow(0.4, 12), 1e-18) << "as written";

    p.defaults = "[ defaults ]\n1 2 no 0.5 0.8333\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("no pair type for atom types A and B"));
    p.types += "A B 1 0.32 0.3\n";
    auto const given = readText(p.text());
    ASSERT_TRUE(given.accepted()) << given.said();
    EXPECT_NEAR(given.parameters(Kind::pair14, 0)[0], 1.2 * std::pow(0.32, 6), 1e-15);
}

TEST(TopologyForceField, laterParametersReplaceEarlierOnesWithAWarning)
{
    Parts p;
    p.types = "[ bondtypes ]\nA B 1 0.15 1000\nB A 1 0.25 2000\n[ nonbond_params ]\nA B 1 0.3 0.1\nB A 1 0.4 0.2\n"
              "[ atomtypes ]\nA 6 12.0 0.0 A 0.44 0.4\n";
    p.bonds = "[ bonds ]\n2 3\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.faults.warnings().size(), 3U);
    EXPECT_EQ(r.parameters(Kind::bond)[0], 0.25);
    EXPECT_NEAR(c6(r, 0, 1), 0.8 * std::pow(0.4, 6), 1e-15);
    EXPECT_NEAR(c6(r, 0, 0), 1.6 * std::pow(0.44, 6), 1e-15);
    p.types = "[ bondtypes ]\nA B 1 0.15 1000\nA B 1 0.15 1000\n";
    EXPECT_EQ(readText(p.text()).said(), "") << "the same again is no matter";
}

/// Phases of the terms that a dihedral of atoms 1 2 3 4 (types A A B B) gets.
std::vector<double> forceConstants(std::string const& types, std::string const& line, Kind kind = Kind::properDihedral)
{
    Parts p;
    p.types = "[ dihedraltypes ]\n" + types;
    p.interactions = "[ dihedrals ]\n" + line + "\n";
    auto const r = readText(p.text());
    EXPECT_TRUE(r.accepted()) << r.said();
    std::vector<double> out;
    for (std::size_t e = 0; e < r.type().of(kind).size(); ++e) out.push_back(r.parameters(kind, e)[1]);
    return out;
}

TEST(TopologyForceField, dihedralsTakeTheFirstTypeWithFewestWildcards)
{
    using V = std::vector<double>;
    EXPECT_EQ(forceConstants("X X X X 9 0 7 1\nX A B X 9 0 1 1\nA A B X 9 0 2 1\nX A B B 9 0 3 1\n", "1 2 3 4 9"), V({2}));
    EXPECT_EQ(forceConstants("X A B X 9 0 1 1\nA A B B 9 0 2 1\n", "4 3 2 1 9"), V({2})) << "backward";
    EXPECT_EQ(forceConstants("X A X X 9 0 1 1\nX A B X 9 0 3 3\nX A B X 9 0 4 4\nX A B B 1 0 5 4\n", "1 2 3 4 9"), V({5}));
    EXPECT_EQ(forceConstants("X A B X 9 0 3 3\nX A B X 9 0 4 4\nX B B X 9 0 5 5\n", "1 2 3 4 9"), V({3, 4})) << "not the next line";
    EXPECT_EQ(forceConstants("A A B B 9 0 3 3\nA A B B 9 0 4 4\n", "1 2 3 4 9 0 9 1"), V({9})) << "written parameters win";
    EXPECT_EQ(forceConstants("A A B B 9 0 3 3\nA A B B 9 0 4 4\n", "1 2 3 4"), V({3, 4})) << "type 1 finds them too";
    EXPECT_EQ(forceConstants("A A B B 9 0 3 1\nA A B B 9 0 3 1\n", "1 2 3 4 9"), V({3})) << "a repeated line counts once";
    EXPECT_EQ(forceConstants("A B 1 0 3 1\n", "1 2 3 4 1"), V({3})) << "two types: the inner ones";
    EXPECT_EQ(forceConstants("A B 2 10 6\n", "1 2 3 4 2", Kind::improperDihedral), V({6})) << "two types: the outer ones";
    EXPECT_EQ(forceConstants("A X X B 4 180 6 2\n", "1 2 5 3 4", Kind::periodicImproper), V({6}));
    EXPECT_EQ(forceConstants("X A B X 3 1 2 3 4 5 6\n", "1 2 3 4 3", Kind::ryckaertBellemans), V({2}));
}

TEST(TopologyForceField, secondBlockOfATorsionIsRefused)
{
    Parts p;
    p.types = "[ dihedraltypes ]\nA A B B 9 0 1 1\nX A B X 9 0 2 2\nA A B B 9 0 3 3\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("test.top:9: a second block of type 9"));
    p.types = "[ dihedraltypes ]\nX A B X 9 0 1 1\nX B A X 9 0 3 3\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("test.top:8: a second block of type 9")) << "the same types backward";
    p.types = "[ dihedraltypes ]\nA A B B 1 0 1 1\nA A B B 1 0 3 3\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("use function type 9"));
}

TEST(TopologyForceField, linearAnglesTurnTheirWeightRound)
{
    Parts p;
    p.types = "[ angletypes ]\nA A B 9 0.3 100\n";
    p.interactions = "[ angles ]\n1 2 3 9\n3 2 1 9\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.parameters(Kind::linearAngle, 0)[0], 0.3);
    EXPECT_EQ(r.parameters(Kind::linearAngle, 1)[0], 0.7);
}

TEST(TopologyForceField, cmapGridsAreFoundInOneDirection)
{
    Parts p;
    p.types = "[ cmaptypes ]\nB B B B B 1 2 2 9 9 9 9\nA A B B A 1 2 2\\\n1 2 3 4 1 2 3 5\n";
    p.interactions = "[ cmap ]\n1 2 3 4 5 1\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.parameters(Kind::cmap)[0], 1);
    EXPECT_EQ(r.topology.cmapGrids.at(1), std::vector<double>({1, 2, 3, 4}));
    EXPECT_THAT(r.said(), HasSubstr("state B"));
    p.interactions = "[ cmap ]\n5 4 3 2 1 1\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("no CMAP grid"));
}

TEST(TopologyForceField, onlyUsedAtomTypesGoOn)
{
    Parts p;
    p.atomTypes = "[ atomtypes ]\nZ 1 1.0 0.0 A -1 -1\nA 6 12.0 0.0 A 0.34 0.4\nB 8 16.0 0.0 A 0.30 0.7\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_EQ(r.topology.nonbonded.typeNames, std::vector<std::string>({"A", "B"}));
    p.atoms = "[ atoms ]\n1 Z 1 M C 1\n2 A 1 M C 1\n";
    p.bonds.clear();
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("atom types 'A' and 'Z' have no Lennard-Jones parameters"));
}

TEST(TopologyForceField, implicitSolventIsSkipped)
{
    Parts p;
    p.types = "[ implicit_genborn_params ]\nany thing\n[ implicit_surface_params ]\nmore\n";
    EXPECT_EQ(readText(p.text()).said(), "");
}

/// One change of the force field, and a part of the refusal.
TEST(TopologyForceField, refusesWhatDoesNotRead)
{
    struct Case {
        std::string types, part;
    };
    for (auto const& [types, part] :
         std::vector<Case>{{"[ defaults ]\n1 2 yes\n", "a second line of [ defaults ]"},
                           {"[ atomtypes ]\nC 6 12.0 0.0 A 0.3\n", "too few words"},
                           {"[ atomtypes ]\nC 6 12.0 0.0\n", "too few words"},
                           {"[ atomtypes ]\nC 6 12.0 zero A 0.3 0.4\n", "'zero' is no number"},
                           {"[ atomtypes ]\nC 6.5 12.0 0.0 A 0.3 0.4\n", "no atomic number"},
                           {"[ atomtypes ]\nC 6 12.0 0.0 Q 0.3 0.4\n", "particle type 'Q'"},
                           {"[ atomtypes ]\n7 6 12.0 0.0 A 0.3 0.4\n", "single digit"},
                           {"[ bondtypes ]\nA A\n", "too few words"},
                           {"[ bondtypes ]\nA A 11 0.1 5\n", "function type '11' is not known in [ bondtypes ]; write one of 1, 2, 3"},
                           {"[ bondtypes ]\nA A x 0.1 5\n", "function type 'x'"},
                           {"[ bondtypes ]\nA A 1\n", "too few words"},
                           {"[ bondtypes ]\nA A 1 0.1\n", "1 parameters where 2 or 4 are expected"},
                           {"[ bondtypes ]\nA A 1 0.1 KB\n", "'KB' is no number"},
                           {"[ bondtypes ]\nA A 1 1 2 3 4 5\n", "5 parameters"},
                           {"[ bondtypes ]\nA X 1 0.1 5\n", "bonded type 'X'"},
                           {"[ bondtypes ]\nA A 5 x\n", "is no parameter here"},
                           {"[ constrainttypes ]\nA A 1 nan\n", "'nan' is no number"},
                           {"[ dihedraltypes ]\nA A B 9 0 1 1\n", "function type '0'"},
                           {"[ dihedraltypes ]\nA A B B\n", "neither two nor four types"},
                           {"[ dihedraltypes ]\nA A B B B 0 1 1\n", "neither two nor four types"},
                           {"[ dihedraltypes ]\nA A B B 7 0 1 1\n", "function type '7'"},
                           {"[ dihedraltypes ]\nA A B B 9\n", "too few words"},
                           {"[ dihedraltypes ]\nA A B Z 9 0 1 1\n", "bonded type 'Z'"},
                           {"[ dihedraltypes ]\nA A B B 9 0 1 1 0 1 2\n", "another multiplicity"},
                           {"[ pairtypes ]\nA B\n", "too few words"},
                           {"[ pairtypes ]\nA B 3 1 1\n", "function type '3'"},
                           {"[ pairtypes ]\nA B 1\n", "too few words"},
                           {"[ pairtypes ]\nA Z 1 1 1\n", "atom type 'Z' is not known"},
                           {"[ nonbond_params ]\nA B 2 1 1 1\n", "function type '2' is not supported"},
                           {"[ nonbond_params ]\nA B 1 1 1 1\n", "3 parameters where 2 are expected"},
                           {"[ cmaptypes ]\nA A B B A 1 4\n", "too few words"},
                           {"[ cmaptypes ]\nA A B B A 1 4 5 1\n", "4 x 5"},
                           {"[ cmaptypes ]\nA A B B A 1 2 2 1 2 3\n", "3 CMAP values where 4"},
                           {"[ cmaptypes ]\nA A B B A 1 2 2 1 2 3 x\n", "CMAP value 'x'"},
                           {"[ cmaptypes ]\nA A B B Z 1 1 1 1\n", "bonded type 'Z'"},
                           {"[ cmaptypes ]\nA A B B A 1 1 1 1\nA A B B A 1 2 2 1 2 3 4\n", "different sizes"}}) {
        Parts p;
        p.types = types;
        auto const r = readText(p.text());
        EXPECT_FALSE(r.accepted()) << types;
        EXPECT_THAT(r.said(), HasSubstr(part)) << types;
        EXPECT_THAT(r.said(), ::testing::ContainsRegex("test.top:[0-9]+: ")) << types;
    }
}

TEST(TopologyForceField, refusesDefaultsItCannotCompute)
{
    for (auto const& [line, part] : std::vector<std::pair<std::string, std::string>>{{"2 2 no", "Buckingham"},
                                                                                     {"Buckingham 2 no", "Buckingham"},
                                                                                     {"3 2 no", "nbfunc '3'"},
                                                                                     {"1 4 yes", "combination rule '4'"},
                                                                                     {"1 0 yes", "combination rule '0'"},
                                                                                     {"1", "too few words"},
                                                                                     {"1 2 yes x", "'x' is no number"},
                                                                                     {"1 2 yes 1 1 9", "repulsion power 9"}}) {
        Parts p;
        p.defaults = "[ defaults ]\n" + line + "\n";
        EXPECT_THAT(readText(p.text()).said(), HasSubstr(part)) << line;
    }
    Parts p;
    p.defaults = "[ defaults ]\n1 2 maybe\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("gen-pairs 'maybe' counts as no"));
    p.defaults = "[ defaults ]\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("no [ defaults ]"));
}

} // namespace
} // namespace alder::deck
