// Whole decks: files together, groups, the start, the hash of the input.
#include "deck/deck.hpp"
#include "deck/gro_reader.hpp"
#include "deck/groups/atom_groups.hpp"
#include "deck/groups/index_reader.hpp"
#include "deck/mdp_reader.hpp"
#include "deck/written_topology.hpp"
#include "plan/supported.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

namespace alder::deck {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string const waterTop = R"([ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
OW 8 16.0 0.0 A 0.3166 0.65
HW 1 1.0 0.0 A 0 0
CL 17 35.45 0.0 A 0.44 0.49
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 -0.8476 16
2 HW 1 SOL HW1 1 0.4238 1
3 HW 1 SOL HW2 1 0.4238 1
[ settles ]
1 1 0.1 0.1633
[ exclusions ]
1 2 3
2 1 3
3 1 2
[ moleculetype ]
Ion 1
[ atoms ]
1 CL 1 CL CL 1 -1 35.45
[ system ]
water and an ion
[ molecules ]
SOL 2
Ion 1
)";
std::string const waterGro = "t\n7\n"
                             "    1SOL     OW    1   1.000   1.000   1.000\n    1SOL    HW1    2   1.100   1.000   1.000\n    1SOL    HW2  "
                             "  3   0.970   1.095   1.000\n"
                             "    2SOL     OW    4   2.000   1.000   1.000\n    2SOL    HW1    5   2.100   1.000   1.000\n    2SOL    HW2  "
                             "  6   1.970   1.095   1.000\n"
                             "    3CL      CL    7   2.500   2.500   2.500\n3 3 3\n";

struct Files {
    test::Folder folder;
    DeckFiles files;
    Files(std::string const& mdp, std::string const& gro = waterGro, std::string const& top = waterTop)
    {
        files.mdp = folder.write("run.mdp", mdp);
        files.coordinates = folder.write("conf.gro", gro);
        files.topology = folder.write("topol.top", top);
    }
    [[nodiscard]] Deck read() const { return readDeck(files); }
    [[nodiscard]] std::string refusal() const
    {
        try {
            readDeck(files);
        } catch (base::InputRefused const& refused) {
            return refused.what();
        }
        return "accepted";
    }
};

TEST(Deck, ReadsAllFilesTogether)
{
    Deck const deck = Files("dt = 0.002\ninit-step = 40\n").read();
    EXPECT_EQ(deck.topology.atomCount, 7);
    EXPECT_EQ(deck.title, "water and an ion");
    EXPECT_EQ(deck.state.step, 40);
    EXPECT_FALSE(deck.hasVelocities);
    ASSERT_EQ(deck.state.velocities.size(), 7U);
    math::Vec3d const r = deck.state.box.toPosition(deck.state.positions[5]);
    EXPECT_NEAR(r.x, 1.97, 1e-8);
    EXPECT_EQ(deck.topology.temperatureGroups.names, std::vector<std::string>{"rest"});
    EXPECT_TRUE(deck.topology.temperatureGroups.groupOf.empty());
    EXPECT_EQ(deck.inputHash.size(), 64U);
}

TEST(Deck, RepartitionsMasses)
{
    Deck const deck = Files("mass-repartition-factor = 2.5\n").read();
    EXPECT_EQ(deck.topology.types[0].atoms[1].mass, 2.5);
    EXPECT_EQ(deck.topology.types[0].atoms[0].mass, 13);
    EXPECT_NE(deck.inputHash, Files("").read().inputHash);
    EXPECT_THAT(Files("mass-repartition-factor = 9\n").refusal(), HasSubstr("run.mdp:1: atom 1 (OW) of molecule type SOL would become"));
}

TEST(Deck, ABadLineIsOneFault)
{
    std::string gro = waterGro;
    gro.replace(gro.find("1.100"), 5, "1.1x0");
    std::string const said = Files("", gro).refusal();
    EXPECT_THAT(said, HasSubstr("conf.gro:4: atom 2"));
    EXPECT_THAT(said, ::testing::Not(HasSubstr("in the topology")));
}

/// GROMACS 2022 sorts residues by their names with regard to case.
TEST(Deck, ResidueNamesAreClassedWithRegardToCase)
{
    std::string top = waterTop;
    std::size_t const at = top.find("1 CL 1 CL CL");
    Deck deck = Files("", waterGro, top).read();
    EXPECT_TRUE(defaultGroup(deck.topology, "ion").has_value());
    top.replace(at, 12, "1 CL 1 Cl CL");
    deck = Files("", waterGro, top).read();
    EXPECT_EQ(defaultGroup(deck.topology, "Other"), std::optional(std::vector<std::int64_t>{6}));
}

TEST(Deck, ReadsCoordinatesThroughAReader)
{
    Files const files("");
    auto const bare = [](std::string const& file, base::FaultList& faults) {
        Configuration c = readGro(file, faults);
        c.atomNames.clear(); // as in a trajectory
        c.positions[0].x = 0.5;
        return c;
    };
    Deck const deck = readDeck(files.files, bare);
    EXPECT_NEAR(deck.state.box.toPosition(deck.state.positions[0]).x, 0.5, 1e-8);
    EXPECT_NE(deck.inputHash, files.read().inputHash);
}

TEST(Deck, GathersFaultsOfAllFiles)
{
    std::string const said = Files("foo = 1\nrcoulomb = 1.5\n", "t\nx\n", "[ nonsense ]\n").refusal();
    EXPECT_THAT(said, HasSubstr("run.mdp:1: unknown key 'foo'"));
    EXPECT_THAT(said, HasSubstr("run.mdp:2: rcoulomb is 1.5 and rvdw 1"));
    EXPECT_THAT(said, HasSubstr("conf.gro:2: 'x' is no number of atoms"));
    EXPECT_THAT(said, HasSubstr("topol.top:1:"));
}

TEST(Deck, RefusesWhatDoesNotFitTogether)
{
    EXPECT_THAT(Files("rcoulomb = 1.5\nrvdw = 1.5\n").refusal(), HasSubstr("conf.gro:10: the cutoff of 1.5 nm does not fit"));
    EXPECT_THAT(Files("", waterGro, waterTop + "SOL 1\n").refusal(), HasSubstr("7 atoms here and 10 in the topology"));
    EXPECT_THAT(Files("define = POSRES\n").refusal(), HasSubstr("run.mdp:1: 'POSRES' in define"));
    EXPECT_THAT(Files("include = ../top\n").refusal(), HasSubstr("run.mdp:1: '../top' in include"));
    EXPECT_THAT(Files("energygrps = NOSUCH\n").refusal(), HasSubstr("run.mdp:1: energygrps: there is no group 'NOSUCH'"));
    EXPECT_THAT(Files("annealing = no no\n").refusal(), HasSubstr("annealing has 2 values for 1 groups"));
}

TEST(Deck, NamesThatDifferAreWarnedOf)
{
    std::string gro = waterGro;
    gro.replace(gro.find("HW1"), 3, "HA1");
    Deck const deck = Files("", gro).read();
    ASSERT_EQ(deck.warnings.warnings().size(), 2U) << "one for the total charge, one for the names";
    EXPECT_THAT(deck.warnings.warnings().back().text(),
                HasSubstr("1 atom names differ from the topology's, first that of atom 2: HA1 for HW1"));
}

TEST(Deck, TemperatureGroupsHoldEveryAtomOnce)
{
    std::string const coupled = "tcoupl = v-rescale\n";
    Deck const two = Files(coupled + "tc-grps = Water Ion\ntau-t = 1 1\nref-t = 300 300\n").read();
    EXPECT_THAT(two.topology.temperatureGroups.groupOf, ElementsAre(0, 0, 0, 0, 0, 0, 1));
    Deck const one = Files(coupled + "tc-grps = system\ntau-t = 1\nref-t = 300\n").read();
    EXPECT_TRUE(one.topology.temperatureGroups.groupOf.empty());
    EXPECT_THAT(Files(coupled + "tc-grps = SOL\ntau-t = 1\nref-t = 300\n").refusal(),
                HasSubstr("1 atoms are in no temperature-coupling group"));
    EXPECT_THAT(Files(coupled + "tc-grps = SOL System\ntau-t = 1 1\nref-t = 3 3\n").refusal(),
                HasSubstr("atom 1 is in 'SOL' and in 'System'"));
    EXPECT_THAT(Files(coupled + "tc-grps = CL\ntau-t = 1\nref-t = 300\n").refusal(), HasSubstr("6 atoms are in no"));
    Deck const uncoupled = Files("tc-grps = SOL\ntau-t = 1\nref-t = 300\n").read();
    EXPECT_THAT(uncoupled.topology.temperatureGroups.names, ElementsAre("SOL", "rest"));
}

TEST(Deck, EnergyGroupsHoldEveryAtom)
{
    Deck const some = Files("energygrps = Ion\n").read();
    EXPECT_THAT(some.energyGroups.names, ElementsAre("Ion", "rest"));
    EXPECT_THAT(some.energyGroups.groupOf, ElementsAre(1, 1, 1, 1, 1, 1, 0));
    EXPECT_THAT(Files("energygrps = SOL Ion\n").read().energyGroups.names, ElementsAre("SOL", "Ion"));
    EXPECT_EQ(Files("energygrps = System\n").read().energyGroups.count(), 1U);
    EXPECT_EQ(Files("").read().energyGroups.count(), 0U);
    EXPECT_THAT(Files("energygrps = System Ion\n").refusal(), HasSubstr("atom 7 is in 'System' and in 'Ion'"));
}

TEST(Deck, FreezeGroupsAreNumberedFromOne)
{
    Deck const deck = Files("freezegrps = Ion SOL\nfreezedim = Y Y Y N N Y\n").read();
    EXPECT_THAT(deck.topology.freezeGroups.names, ElementsAre("free", "Ion", "SOL"));
    EXPECT_THAT(deck.topology.freezeGroups.groupOf, ElementsAre(2, 2, 2, 2, 2, 2, 1));
    EXPECT_TRUE(Files("").read().topology.freezeGroups.names.empty());
    EXPECT_THAT(Files("freezegrps = Ion System\nfreezedim = Y Y Y Y Y Y\n").refusal(), HasSubstr("atom 7 is in 'Ion' and in 'System'"));
    EXPECT_THAT(Files("freezegrps = Nobody\nfreezedim = Y Y Y\n").refusal(), HasSubstr("there is no group 'Nobody'"));
}

TEST(Deck, IndexFileReplacesTheDefaultGroups)
{
    Files files("tcoupl = v-rescale\ntc-grps = A B\ntau-t = 1 1\nref-t = 300 300\n");
    files.files.index = files.folder.write("index.ndx", "[ A ]\n1 3 5 7\n[ B ]\n2 4 6\n");
    EXPECT_THAT(files.read().topology.temperatureGroups.groupOf, ElementsAre(0, 1, 0, 1, 0, 1, 0));
    files.files.mdp = files.folder.write("run.mdp", "tcoupl = v-rescale\ntc-grps = System\ntau-t = 1\nref-t = 300\n");
    EXPECT_THAT(files.refusal(), HasSubstr("there is no group 'System'; name a group of"));
}

TEST(Deck, MotionOfAPartIsForARunToRefuse)
{
    EXPECT_TRUE(Files("comm-grps = System\n").read().options.onlyRunRefuses.empty());
    EXPECT_FALSE(Files("comm-grps = SOL\n").read().options.onlyRunRefuses.empty());
    EXPECT_FALSE(Files("comm-grps = SOL CL\n").read().options.onlyRunRefuses.empty());
}

TEST(Deck, ReferencePositionsAreKept)
{
    Files files("");
    files.files.reference = files.files.coordinates;
    EXPECT_DOUBLE_EQ(files.read().topology.restraintReference.at(6)[2], 2.5);
}

std::string withRestraints(std::string const& top)
{
    std::string text = top;
    text.insert(text.find("[ system ]"), "[ position_restraints ]\n1 1 100 100 100\n");
    return text;
}

/// What of a reference stays and what moves with the box adds up to where it was in its own box.
TEST(Deck, ReferencesAreSplitAsRefcoordScalingSays)
{
    for (std::string const scaling : {"No", "All", "COM"}) {
        Files files("refcoord-scaling = " + scaling + "\n", waterGro, withRestraints(waterTop));
        files.files.reference = files.files.coordinates;
        Deck const deck = files.read();
        system::Topology const& t = deck.topology;
        EXPECT_EQ(t.restraintFractions.empty(), scaling == "No");
        for (std::size_t i = 0; i < 7; ++i) {
            math::Vec3d whole{t.restraintReference[i][0], t.restraintReference[i][1], t.restraintReference[i][2]};
            if (scaling == "All") { EXPECT_EQ(norm(whole), 0); }
            if (scaling != "No") {
                std::array<double, 3> const f = t.restraintFractions[i];
                whole += f[0] * deck.state.box.a() + f[1] * deck.state.box.b() + f[2] * deck.state.box.c();
            }
            EXPECT_LT(norm(deck.state.box.difference(deck.state.positions[i], deck.state.box.toFraction(whole))), 2e-9) << scaling << i;
        }
    }
    EXPECT_THAT(Files("", waterGro, withRestraints(waterTop)).refusal(), HasSubstr("positions are restrained, to no reference"));
}

TEST(Deck, HashFollowsMeaningNotForm)
{
    std::string const hash = Files("dt = 0.002\nrvdw = 1\n").read().inputHash;
    EXPECT_EQ(hash, Files("; comment\nRVDW = 1 ; x\nnsteps = 7\nDT = 0.002\n", waterGro, "; comment\n" + waterTop).read().inputHash);
    EXPECT_NE(hash, Files("dt = 0.001\nrvdw = 1\n").read().inputHash);
    std::string gro = waterGro, top = waterTop;
    gro.replace(gro.find("2.500"), 5, "2.501");
    top.replace(top.find("0.65"), 4, "0.66");
    EXPECT_NE(hash, Files("dt = 0.002\nrvdw = 1\n", gro).read().inputHash);
    EXPECT_NE(hash, Files("dt = 0.002\nrvdw = 1\n", waterGro, top).read().inputHash);
}

TEST(Deck, DefaultGroups)
{
    Deck const deck = Files("").read();
    auto const count = [&](char const* name) {
        auto const group = defaultGroup(deck.topology, name);
        return group ? static_cast<int>(group->size()) : -1;
    };
    EXPECT_EQ(count("SYSTEM"), 7);
    EXPECT_EQ(count("water"), 6);
    EXPECT_EQ(count("non-Water"), 1);
    EXPECT_EQ(count("Water_and_ions"), 7);
    EXPECT_EQ(count("Non-Protein"), 7);
    EXPECT_EQ(count("CL"), 1);
    EXPECT_EQ(count("Ion"), 1);
    EXPECT_EQ(count("Protein"), -1);
    EXPECT_EQ(count("DNA"), -1);
    EXPECT_EQ(count("RNA"), -1);
    EXPECT_EQ(count("Other"), -1);
}

std::string interactionTable()
{
    std::string table = "| section | type | interaction | alder |\n|---|---|---|---|\n";
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<system::Kind>(k);
        system::KindInfo const& info = system::infoOf(kind);
        std::string_view verdict;
        switch (plan::treatmentOf(kind)) {
        case plan::Treatment::force: verdict = "supported"; break;
        case plan::Treatment::connection: verdict = "supported: exclusions only"; break;
        case plan::Treatment::constraint:
        case plan::Treatment::virtualSite: verdict = "supported"; break;
        case plan::Treatment::average: verdict = "supported"; break;
        case plan::Treatment::refused: verdict = "refused"; break;
        }
        table += fmt::format("| `[ {} ]` | {} | {} | {} |\n", info.section, info.functionType, info.name, verdict);
    }
    return table;
}

/// docs/deck.md says of each interaction what the plan says. ALDER_UPDATE_DOCS=1 rewrites it.
TEST(Deck, DocumentationHoldsTheInteractions)
{
    std::string const path = std::string(ALDER_SOURCE_DIR) + "/docs/deck.md";
    std::stringstream buffer;
    buffer << std::ifstream(path).rdbuf();
    std::string page = buffer.str();
    std::string const from = "<!-- interactions -->\n", to = "<!-- end of interactions -->\n";
    std::size_t const table = page.find(from) + from.size(), end = page.find(to);
    ASSERT_LE(table, end);
    ASSERT_NE(end, std::string::npos);
    if (std::getenv("ALDER_UPDATE_DOCS")) {
        page.replace(table, end - table, interactionTable());
        std::ofstream(path) << page;
        return;
    }
    EXPECT_EQ(page.substr(table, end - table), interactionTable());
}

using FuzzTarget = std::function<void(std::string const&)>;

/// Every input that the fuzzers found worth keeping is read again: it may be refused, it may not crash.
void replay(char const* name, FuzzTarget const& target)
{
    int count = 0;
    for (auto const& entry : std::filesystem::directory_iterator(std::string(ALDER_SOURCE_DIR) + "/tests/fuzz/corpus/" + name)) {
        std::stringstream bytes;
        bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        target(bytes.str());
        ++count;
    }
    EXPECT_GE(count, 10) << name;
}

TEST(FuzzCorpus, IsReadWithoutACrash)
{
    base::FaultList faults;
    replay("mdp", [&](std::string const& text) { readMdpText("a.mdp", text, faults); });
    replay("gro", [&](std::string const& text) { readGroText("a.gro", text, faults); });
    replay("index", [&](std::string const& text) { readIndexText("a.ndx", text, 50, faults); });
    EXPECT_FALSE(faults.empty());
}

} // namespace
} // namespace alder::deck
