#include "bench/bench_deck.hpp"

#include "base/error.hpp"
#include "output/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace {

using namespace alder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class BenchDeckFiles : public test::ScratchFolder {
protected:
    [[nodiscard]] fs::path path() const { return fs::path(at("x")).parent_path(); }
    void put(std::string const& name, std::string const& text = "") const { write(at(name), text); }
};

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

TEST_F(BenchDeckFiles, StandardDecksHoldTheAtomsTheySay)
{
    for (bench::StandardDeck const& deck : bench::standardDecks()) {
        if (deck.atoms > 30000) continue;
        bench::BenchDeck const made = bench::findDeck(deck.name, path());
        std::string const gro = read(made.coordinates);
        EXPECT_EQ(std::strtoll(gro.c_str() + gro.find('\n') + 1, nullptr, 10), deck.atoms) << deck.name;
        EXPECT_THAT(read(made.mdp), HasSubstr("nstxout = 0\n"));
        EXPECT_TRUE(made.ownMake);
    }
}

TEST_F(BenchDeckFiles, OfAFolderItTakesTheOneFileOrTheOneWithTheUsualName)
{
    for (char const* name : {"a.mdp", "run.mdp", "only.gro", "topol.top"}) put(name);
    bench::BenchDeck const deck = bench::findDeck(path().string() + "/", "/nowhere");
    EXPECT_EQ(deck.name, path().filename());
    EXPECT_EQ(deck.mdp, path() / "run.mdp");
    EXPECT_EQ(deck.coordinates, path() / "only.gro");
    EXPECT_TRUE(deck.index.empty());
    put("b.gro");
    fs::remove(path() / "topol.top");
    try {
        static_cast<void>(bench::findDeck(path().string(), "/nowhere"));
        FAIL();
    } catch (base::InputRefused const& refused) {
        EXPECT_EQ(refused.faults().size(), 2U) << "both at once";
        EXPECT_THAT(refused.what(), HasSubstr("holds 2 .gro files, none of them conf.gro; keep one in it"));
        EXPECT_THAT(refused.what(), HasSubstr("holds 0 .top files"));
    }
    EXPECT_THROW(static_cast<void>(bench::findDeck("water-3", "/nowhere")), base::InputRefused);
}

TEST_F(BenchDeckFiles, LongStepsGetHeavyHydrogens)
{
    put("run.mdp", "dt = 0.001\ntcoupl = no\n");
    bench::BenchDeck const deck{"x", path() / "run.mdp", {}, {}, {}, false};
    EXPECT_EQ(read(bench::withTimeStep(deck, 0.002, path())), "tcoupl = no\ndt = 0.002\n");
    EXPECT_EQ(read(bench::withTimeStep(deck, 0.004, path())), "tcoupl = no\ndt = 0.004\nmass-repartition-factor = 3\n");
}

} // namespace
