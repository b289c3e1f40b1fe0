#include "app/single_point/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace alder::app {
namespace {

TEST(Comparison, PassesWithinRelativePlusAbsoluteTolerance)
{
    auto const verdicts = compare({{"Bond", 100.0009}, {"Angle", -5.0}}, {{"Bond", 100.0, 1e-5, 0, ""}, {"Angle", -5.01, 0, 0.011, ""}});
    EXPECT_TRUE(verdicts[0].passed());
    EXPECT_TRUE(verdicts[1].passed());
}

TEST(Comparison, FailsBeyondItOnNotANumberAndOnAMissingTerm)
{
    auto const verdicts =
        compare({{"Bond", 100.002}, {"Angle", std::nan("")}},
                {{"Bond", 100.0, 1e-5, 0, ""}, {"Angle", 1.0, 1, 1, ""}, {"U-B", 2.0, 1, 1, ""}, {"Morse", 0.0, 0, 0, ""}});
    EXPECT_FALSE(verdicts[0].passed());
    EXPECT_FALSE(verdicts[1].passed());
    EXPECT_FALSE(verdicts[2].passed());
    EXPECT_TRUE(verdicts[3].passed()) << "a term that the reference gives as zero need not exist";
}

} // namespace
} // namespace alder::app
