#include "math/fixed_sum.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace alder::math {
namespace {

TEST(FixedSum, HasNoOrder)
{
    FixedSum forwards, backwards;
    for (int i = 0; i < 1000; ++i) forwards.add(1.0 / (i + 1) - 0.3);
    for (int i = 999; i >= 0; --i) backwards.add(1.0 / (i + 1) - 0.3);
    EXPECT_EQ(forwards.units, backwards.units);
    EXPECT_NEAR(forwards.value(), 7.485470860550345 - 300, 1000 * 3e-8);
}

TEST(FixedSum, ClampsATermAndNeverTakesNotANumberForASmallOne)
{
    FixedSum large, nothing;
    large.add(1e300);
    nothing.add(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(large.units, std::int64_t{1} << 50);
    EXPECT_EQ(nothing.units, -(std::int64_t{1} << 50));
}

// The self energy of a million atoms of SPC/E water is -9.7e7 kJ/mol, beyond the clamp of a single term at 6.7e7.
TEST(FixedSum, TakesAmountsOfTheWholeSystem)
{
    FixedSum sum;
    sum.addWhole(-97123456.75);
    EXPECT_DOUBLE_EQ(sum.value(), -97123456.75);
    sum.addWhole(std::numeric_limits<double>::quiet_NaN());
    EXPECT_LT(sum.value(), -1e11);
}

} // namespace
} // namespace alder::math
