#include "app/options/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::app {
namespace {

using testing::ElementsAre;

std::vector<std::string> normalized(std::vector<char const*> values)
{
    values.insert(values.begin(), "alder");
    return normalizeArguments(static_cast<int>(values.size()), values.data());
}

TEST(Arguments, LongNamesMayHaveOneDash)
{
    EXPECT_THAT(normalized({"mdrun", "-deffnm", "md", "-f", "a.mdp", "--cpi"}),
                ElementsAre("mdrun", "--deffnm", "md", "-f", "a.mdp", "--cpi"));
}

TEST(Arguments, OneLetterMayHaveTwoDashes)
{
    EXPECT_THAT(normalized({"mdrun", "--f", "a.mdp", "-v", "--", "--ok"}), ElementsAre("mdrun", "-f", "a.mdp", "-v", "--", "--ok"));
}

TEST(Arguments, NegativeNumbersAreValues)
{
    EXPECT_THAT(normalized({"mdrun", "-nsteps", "-1", "-maxh", "-.5"}), ElementsAre("mdrun", "--nsteps=-1", "--maxh=-.5"));
}

TEST(Arguments, FlagsThatGromacsKnowsAreRefusedByName)
{
    EXPECT_THAT(refusalOfGromacsFlag("-s"), testing::HasSubstr("-s is not supported; give the deck itself"));
    EXPECT_EQ(refusalOfGromacsFlag("-rerun"), "");
    EXPECT_THAT(refusalOfGromacsFlag("--multidir=a"), testing::HasSubstr("-multidir"));
    EXPECT_EQ(refusalOfGromacsFlag("-deffnm"), "");
    EXPECT_EQ(refusalOfGromacsFlag("run.mdp"), "");
}

} // namespace
} // namespace alder::app
