// Drift against lines that are known, and its error against the scatter of slopes over many made series.

#include "observe/drift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace alder::observe {
namespace {

std::vector<double> evenTimes(std::size_t count, double step)
{
    std::vector<double> times(count);
    for (std::size_t i = 0; i < count; ++i) times[i] = step * static_cast<double>(i);
    return times;
}

TEST(Drift, OfALineIsItsSlope)
{
    std::vector<double> const times = evenTimes(37, 0.5);
    std::vector<double> values;
    for (double t : times) values.push_back(-4.0e6 + 0.25 * t);
    auto const drift = driftOf(times, values);
    ASSERT_TRUE(drift);
    EXPECT_NEAR(drift->slope, 250, 1e-5); // 0.25 kJ/mol/ps; the last bits of 4e6 are 5e-10
    EXPECT_LT(drift->standardError, 1e-5);
}

TEST(Drift, OfUnevenTimesAgreesWithTheTextbook)
{
    // By hand: t = 0 1 2 4 5 7 8 9 10 14, v = t^2; sum(t) = 60, sum(t^2) = 536, sum(v) = 536, sum(t v) = 5526.
    std::vector<double> const times{0, 1, 2, 4, 5, 7, 8, 9, 10, 14};
    std::vector<double> values;
    for (double t : times) values.push_back(t * t);
    double const spread = 536 - 60.0 * 60.0 / 10;
    double const slope = (5526 - 60.0 * 536.0 / 10) / spread;
    double squares = 0;
    for (std::size_t i = 0; i < times.size(); ++i) squares += std::pow(values[i] - 53.6 - slope * (times[i] - 6), 2);
    auto const drift = driftOf(times, values);
    ASSERT_TRUE(drift);
    EXPECT_NEAR(drift->slope, 1000 * slope, 1e-8);
    EXPECT_NEAR(drift->standardError, 1000 * std::sqrt(squares / 8 / spread), 1e-8); // ten records: no coarser blocks
}

TEST(Drift, IsNotToldWhereItCannotBe)
{
    std::vector<double> const nine = evenTimes(9, 1), ten = evenTimes(10, 1);
    EXPECT_FALSE(driftOf(nine, nine));
    EXPECT_TRUE(driftOf(ten, ten));
    EXPECT_FALSE(driftOf(ten, nine));
    EXPECT_FALSE(driftOf(std::vector<double>(10, 3.0), ten));
    std::vector<double> holed = ten;
    holed[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(driftOf(ten, holed));
    EXPECT_FALSE(driftOf(holed, ten));
}

struct Scatter {
    double ofSlopes = 0; ///< what the slopes scatter by, about their true value
    double told = 0;     ///< root mean square of the errors given
};

/// Series around a slope of 5, of noise with variance 1 in which each record keeps `kept` of the one before.
Scatter scatterOf(std::size_t records, double kept)
{
    constexpr int series = 400;
    std::mt19937_64 generator(7);
    std::normal_distribution<double> normal;
    std::vector<double> const times = evenTimes(records, 2);
    Scatter scatter;
    for (int s = 0; s < series; ++s) {
        std::vector<double> values(records);
        double noise = normal(generator);
        for (std::size_t i = 0; i < records; ++i) {
            values[i] = 5e-3 * times[i] + noise;
            noise = kept * noise + std::sqrt(1 - kept * kept) * normal(generator);
        }
        auto const drift = driftOf(times, values);
        if (!drift) continue;
        scatter.ofSlopes += std::pow(drift->slope - 5, 2) / series;
        scatter.told += std::pow(drift->standardError, 2) / series;
    }
    return {std::sqrt(scatter.ofSlopes), std::sqrt(scatter.told)};
}

TEST(Drift, ErrorOfIndependentRecordsIsTheScatterOfSlopes)
{
    for (std::size_t records : {16U, 101U, 1000U}) {
        Scatter const scatter = scatterOf(records, 0);
        double const n = static_cast<double>(records);
        double const textbook = 1000 / std::sqrt(4 * n * (n * n - 1) / 12);
        EXPECT_NEAR(scatter.ofSlopes / textbook, 1, 0.1) << records;
        EXPECT_GT(scatter.told / textbook, 0.95) << records;
        EXPECT_LT(scatter.told / textbook, 1.35) << records;
    }
}

TEST(Drift, ErrorOfCorrelatedRecordsIsNotTooSmall)
{
    // 20 records' memory: errors as of independent records would be sqrt((1 + 0.9) / (1 - 0.9)) = 4.4 times too small.
    Scatter const scatter = scatterOf(2001, 0.9);
    EXPECT_GT(scatter.told / scatter.ofSlopes, 0.9);
    EXPECT_LT(scatter.told / scatter.ofSlopes, 1.4);
}

} // namespace
} // namespace alder::observe
