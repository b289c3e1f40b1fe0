#include "bench/bench_deck.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace alder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

struct Folder {
    fs::path path;
    Folder()
    {
        std::string name = (fs::temp_directory_path() / "alder-bench-test-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    Folder(Folder const&) = delete;
    Folder& operator=(Folder const&) = delete;
    ~Folder() { fs::remove_all(path); }
    void put(std::string const& name, std::string const& text = "") const { std::ofstream(path / name) << text; }
};

std::string textOf(fs::path const& path)
{
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

char const* const twoAtoms = "two\n"
                             "    2\n"
                             "    1SOL     OW    1   0.100   0.200   0.300  0.0100  0.0200  0.0300\n"
                             "    1SOL    HW1    2   1.999   0.000   2.500 -0.0100  0.0000  0.0000\n"
                             "   2.00000   3.00000   4.00000\n";

TEST(BenchDeck, CopiesStandSideBySide)
{
    EXPECT_EQ(bench::tiledGro(twoAtoms, {2, 1, 2}), "two\n8\n"
                                                    "    1SOL     OW    1   0.100   0.200   0.300  0.0100  0.0200  0.0300\n"
                                                    "    1SOL    HW1    2   1.999   0.000   2.500 -0.0100  0.0000  0.0000\n"
                                                    "    1SOL     OW    3   0.100   0.200   4.300  0.0100  0.0200  0.0300\n"
                                                    "    1SOL    HW1    4   1.999   0.000   6.500 -0.0100  0.0000  0.0000\n"
                                                    "    1SOL     OW    5   2.100   0.200   0.300  0.0100  0.0200  0.0300\n"
                                                    "    1SOL    HW1    6   3.999   0.000   2.500 -0.0100  0.0000  0.0000\n"
                                                    "    1SOL     OW    7   2.100   0.200   4.300  0.0100  0.0200  0.0300\n"
                                                    "    1SOL    HW1    8   3.999   0.000   6.500 -0.0100  0.0000  0.0000\n"
                                                    "   4.00000   3.00000   8.00000\n");
    EXPECT_THROW(bench::tiledGro("nothing\n", {2, 2, 2}), base::RunFailed);
}

TEST(BenchDeck, MoleculesAreRepeatedInOrder)
{
    EXPECT_EQ(bench::repeatedMolecules("[ system ]\nx\n[molecules] ; these\nSOL 3\nNA 1\n", 2),
              "[ system ]\nx\n[molecules] ; these\nSOL 3\nNA 1\nSOL 3\nNA 1\n");
}

TEST(BenchDeck, KeysAreReplacedHoweverTheyAreSpelled)
{
    EXPECT_EQ(bench::withKeys("dt = 1\nDT=2\nnst_out = 3 ; dt = 4\n; dt = 5\n", {{"dt", "0.004"}, {"nst-out", "0"}}),
              "; dt = 5\ndt = 0.004\nnst-out = 0\n");
}

TEST(BenchDeck, StandardDecksHoldTheAtomsTheySay)
{
    Folder const folder;
    for (bench::StandardDeck const& deck : bench::standardDecks()) {
        if (deck.atoms > 30000) continue;
        bench::BenchDeck const made = bench::findDeck(deck.name, folder.path);
        std::string const gro = textOf(made.coordinates);
        EXPECT_EQ(std::strtoll(gro.c_str() + gro.find('\n') + 1, nullptr, 10), deck.atoms) << deck.name;
        EXPECT_THAT(textOf(made.mdp), HasSubstr("nstxout = 0\n"));
        EXPECT_TRUE(made.ownMake);
    }
}

TEST(BenchDeck, OfAFolderItTakesTheOneFileOrTheOneWithTheUsualName)
{
    Folder const folder;
    for (char const* name : {"a.mdp", "run.mdp", "only.gro", "topol.top"}) folder.put(name);
    bench::BenchDeck const deck = bench::findDeck(folder.path.string() + "/", "/nowhere");
    EXPECT_EQ(deck.name, folder.path.filename());
    EXPECT_EQ(deck.mdp, folder.path / "run.mdp");
    EXPECT_EQ(deck.coordinates, folder.path / "only.gro");
    EXPECT_TRUE(deck.index.empty());
    folder.put("b.gro");
    fs::remove(folder.path / "topol.top");
    try {
        static_cast<void>(bench::findDeck(folder.path.string(), "/nowhere"));
        FAIL();
    } catch (base::InputRefused const& refused) {
        EXPECT_EQ(refused.faults().size(), 2U) << "both at once";
        EXPECT_THAT(refused.what(), HasSubstr("holds 2 .gro files, none of them conf.gro; keep one in it"));
        EXPECT_THAT(refused.what(), HasSubstr("holds 0 .top files"));
    }
    EXPECT_THROW(static_cast<void>(bench::findDeck("water-3", "/nowhere")), base::InputRefused);
}

TEST(BenchDeck, LongStepsGetHeavyHydrogens)
{
    Folder const folder;
    folder.put("run.mdp", "dt = 0.001\ntcoupl = no\n");
    bench::BenchDeck const deck{"x", folder.path / "run.mdp", {}, {}, {}, false};
    EXPECT_EQ(textOf(bench::withTimeStep(deck, 0.002, folder.path)), "tcoupl = no\ndt = 0.002\n");
    EXPECT_EQ(textOf(bench::withTimeStep(deck, 0.004, folder.path)), "tcoupl = no\ndt = 0.004\nmass-repartition-factor = 3\n");
}

} // namespace
