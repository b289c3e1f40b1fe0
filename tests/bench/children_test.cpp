#include "bench/children.hpp"

#include "base/clock.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {

using namespace alder;
namespace fs = std::filesystem;

fs::path scratch(char const* name)
{
    return fs::temp_directory_path() / (std::string("alder-children-") + std::to_string(getpid()) + name);
}

bench::Child shell(std::string const& script, char const* name)
{
    return {{"sh", "-c", script}, {{"GREETING", "good day"}}, scratch(name)};
}

bool never() { return false; }

TEST(Children, RunAtTheSameTimeAndTellHowTheyEnded)
{
    double const began = base::now();
    auto const ends = bench::runTogether({shell("sleep 0.5; echo \"$GREETING\" >&2; exit 3", "a"),
                                          shell("sleep 0.5; kill -9 $$", "b"),
                                          {{"no-such-program-anywhere"}, {}, scratch("c")}},
                                         {60, never});
    EXPECT_LT(base::now() - began, 0.95);
    EXPECT_EQ(ends[0].status, 3);
    EXPECT_EQ(ends[0].lastWords, "good day");
    EXPECT_EQ(ends[1].status, 128 + 9);
    EXPECT_EQ(ends[2].status, 127);
    for (char const* name : {"a", "b", "c"}) fs::remove(scratch(name));
}

TEST(Children, AreEndedWhenTheirTimeIsUp)
{
    double const began = base::now();
    auto const ends = bench::runTogether({shell("exec sleep 60", "d"), shell("echo 1; echo 2; echo 3; echo 4; exit 0", "e")}, {0.3, never});
    EXPECT_LT(base::now() - began, 5);
    EXPECT_TRUE(ends[0].timedOut);
    EXPECT_FALSE(ends[1].timedOut);
    EXPECT_EQ(ends[1].lastWords, "2\n3\n4");
    for (char const* name : {"d", "e"}) fs::remove(scratch(name));
}

TEST(Children, AreEndedWhenTheUserWillNotWait)
{
    double const began = base::now();
    auto const ends =
        bench::runTogether({shell("trap 'exit 75' TERM; sleep 60 & wait", "f")}, {60, [&] { return base::now() - began > 0.3; }});
    EXPECT_LT(base::now() - began, 5);
    EXPECT_EQ(ends[0].status, 75);
    EXPECT_FALSE(ends[0].timedOut);
    fs::remove(scratch("f"));
}

TEST(Children, ProgramsAreLookedForAlongThePath)
{
    EXPECT_TRUE(bench::onPath("sh"));
    EXPECT_FALSE(bench::onPath("no-such-program-anywhere"));
}

} // namespace
