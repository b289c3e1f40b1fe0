#include "page/axis.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace alder::page {
namespace {

using testing::ElementsAre;

std::vector<std::string> textsOf(PlacedAxis const& axis)
{
    std::vector<std::string> texts;
    for (Tick const& tick : axis.ticks()) texts.push_back(tick.text);
    return texts;
}

Extent extentOf(std::initializer_list<double> values, Scale scale = Scale::linear)
{
    Extent extent;
    for (double value : values) extent.take(value, scale);
    return extent;
}

TEST(PlacedAxis, MarksRoundValues)
{
    EXPECT_THAT(textsOf({{"time", "ps"}, {0, 10}, {0, 100}, 5}), ElementsAre("0", "5", "10"));
    EXPECT_THAT(textsOf({{"", ""}, {298.4, 301.3}, {0, 100}, 5}), ElementsAre("299", "300", "301"));
    EXPECT_THAT(textsOf({{"", ""}, {-0.31, 0.28}, {0, 100}, 5}), ElementsAre("-0.2", "0.0", "0.2"));
    EXPECT_THAT(textsOf({{"", ""}, {-41312, -40911.5}, {0, 100}, 5}), ElementsAre("-41300", "-41200", "-41100", "-41000", "-40900"))
        << "axes reach 4 % beyond";
}

TEST(PlacedAxis, LeavesPowersToTheLabel)
{
    PlacedAxis const large({"Potential", "kJ/mol"}, {-2.3e6, -2.1e6}, {0, 100}, 4);
    EXPECT_EQ(large.label(), "Potential (10\u2076 kJ/mol)");
    EXPECT_THAT(textsOf(large), ElementsAre("-2.3", "-2.2", "-2.1"));
    PlacedAxis const small({"drift", ""}, {0, 4e-5}, {0, 100}, 4);
    EXPECT_EQ(small.label(), "drift (10\u207b\u2076)");
    EXPECT_THAT(textsOf(small), ElementsAre("0", "20", "40"));
}

TEST(PlacedAxis, PlacesValuesInProportion)
{
    PlacedAxis const axis({"", ""}, {100, 200}, {240, 26}, 5);
    EXPECT_DOUBLE_EQ(axis.low(), 96);
    EXPECT_DOUBLE_EQ(axis.high(), 204);
    EXPECT_DOUBLE_EQ(axis.placeOf(96), 240);
    EXPECT_DOUBLE_EQ(axis.placeOf(204), 26);
    EXPECT_DOUBLE_EQ(axis.placeOf(150), 133);
    EXPECT_TRUE(std::isnan(axis.placeOf(std::nan(""))));
    EXPECT_TRUE(std::isnan(axis.placeOf(std::numeric_limits<double>::infinity())));
}

TEST(PlacedAxis, FromZeroBeginsThere)
{
    PlacedAxis const axis({"", "", Scale::linear, true}, {30, 50}, {0, 100}, 5);
    EXPECT_EQ(axis.low(), 0);
    EXPECT_DOUBLE_EQ(axis.high(), 52);
    EXPECT_EQ(axis.placeOf(0), 0);
    PlacedAxis const zeros({"", "", Scale::linear, true}, {0, 0}, {0, 100}, 5);
    EXPECT_EQ(zeros.low(), 0);
    EXPECT_GT(zeros.high(), 0);
}

TEST(PlacedAxis, OfDecadesIsEvenInLogarithms)
{
    PlacedAxis const axis({"atoms", "", Scale::log}, extentOf({3000, 1e6, 0, -5}, Scale::log), {0, 100}, 6);
    EXPECT_GT(axis.low(), 2000);
    EXPECT_NEAR(axis.placeOf(1e5) - axis.placeOf(1e4), axis.placeOf(1e6) - axis.placeOf(1e5), 1e-9);
    EXPECT_TRUE(std::isnan(axis.placeOf(0)));
    EXPECT_THAT(textsOf(axis), ElementsAre("10000", "10\u2075", "10\u2076"));
    EXPECT_THAT(textsOf({{"", "", Scale::log}, {0.5, 8}, {0, 100}, 6}), ElementsAre("0.5", "1", "2", "5"));
    EXPECT_THAT(textsOf({{"", "", Scale::log}, {0.0009, 8}, {0, 100}, 6}), ElementsAre("0.001", "0.01", "0.1", "1", "10"));
}

TEST(PlacedAxis, OfOneValueOrNoneIsStillAnAxis)
{
    for (Scale scale : {Scale::linear, Scale::log})
        for (Extent extent : {Extent{}, extentOf({7}), extentOf({1e-30}), extentOf({1e30}), extentOf({1e6, 1e6 + 1e-7})}) {
            PlacedAxis const axis({"", "", scale}, extent, {0, 100}, 5);
            EXPECT_LT(axis.low(), axis.high());
            EXPECT_GE(axis.ticks().size(), 2U) << extent.low;
            EXPECT_LE(axis.ticks().size(), 12U) << extent.low;
        }
}

TEST(PlacedAxis, HasMarksInOrderWithinItsEnds)
{
    std::mt19937_64 generator(3);
    std::uniform_real_distribution<double> mantissa(-10, 10), exponent(-8, 8), portion(-6, 0);
    for (int trial = 0; trial < 20000; ++trial) {
        Scale const scale = trial % 2 == 0 ? Scale::linear : Scale::log;
        double a = mantissa(generator) * std::pow(10.0, exponent(generator));
        if (scale == Scale::log) a = std::abs(a);
        double const b = a + std::abs(a) * std::pow(10.0, portion(generator) + (scale == Scale::log ? 8 : 0));
        PlacedAxis const axis({"", "", scale}, {a, b}, {0, 100}, 5);
        auto const& ticks = axis.ticks();
        ASSERT_GE(ticks.size(), 2U) << a << " " << b;
        ASSERT_LE(ticks.size(), 13U) << a << " " << b;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            double const place = axis.placeOf(ticks[i].value);
            ASSERT_GE(place, -1e-6);
            ASSERT_LE(place, 100 + 1e-6);
            if (i > 0) {
                ASSERT_GT(ticks[i].value, ticks[i - 1].value);
                ASSERT_NE(ticks[i].text, ticks[i - 1].text) << a << " " << b;
            }
        }
    }
}

} // namespace
} // namespace alder::page
