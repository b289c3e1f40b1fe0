#include "math/variates.hpp"

#include "math/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace {

using alder::math::RandomPurpose;
using alder::math::Variates;
using alder::trial::gammaCumulative;
using alder::trial::kolmogorov;
using alder::trial::normalCumulative;

constexpr int samples = 200000;

/// Each from its own stream, as a step's draws are.
std::vector<double> drawn(std::function<double(Variates&)> const& draw)
{
    std::vector<double> values;
    for (int i = 0; i < samples; ++i) {
        Variates variates(20260, RandomPurpose::test, i / 1000, i % 1000);
        values.push_back(draw(variates));
    }
    return values;
}

double mean(std::vector<double> const& values, double power)
{
    double sum = 0;
    for (double v : values) sum += std::pow(v, power);
    return sum / static_cast<double>(values.size());
}

TEST(Variates, NormalHasItsMomentsAndItsDistribution)
{
    auto const values = drawn([](Variates& v) { return v.normal(); });
    double const error = 1 / std::sqrt(samples);
    EXPECT_NEAR(mean(values, 1), 0, 4 * error);
    EXPECT_NEAR(mean(values, 2), 1, 4 * error * std::sqrt(2.0));
    EXPECT_NEAR(mean(values, 3), 0, 4 * error * std::sqrt(15.0));
    EXPECT_NEAR(mean(values, 4), 3, 4 * error * std::sqrt(96.0));
    EXPECT_LT(kolmogorov(values, normalCumulative), 1.95);
}

TEST(Variates, BothNormalsOfAPairAreNormalAndUncorrelated)
{
    auto const seconds = drawn([](Variates& v) {
        v.normal();
        return v.normal();
    });
    EXPECT_LT(kolmogorov(seconds, normalCumulative), 1.95);
    auto const products = drawn([](Variates& v) {
        double const a = v.normal();
        return a * v.normal();
    });
    EXPECT_NEAR(mean(products, 1), 0, 4 / std::sqrt(samples));
}

TEST(Variates, GammaHasItsMomentsAndItsDistribution)
{
    for (double const shape : {0.3, 0.5, 1.0, 2.5, 40.0, 12345.5}) {
        auto const values = drawn([&](Variates& v) { return v.gamma(shape); });
        double const error = 1 / std::sqrt(samples);
        EXPECT_NEAR(mean(values, 1), shape, 4 * error * std::sqrt(shape)) << shape;
        double const second = shape * (shape + 1);
        double const fourth = second * (shape + 2) * (shape + 3);
        EXPECT_NEAR(mean(values, 2), second, 4 * error * std::sqrt(fourth - second * second)) << shape;
        EXPECT_LT(kolmogorov(values, [&](double x) { return gammaCumulative(shape, x); }), 1.95) << shape;
    }
}

/// The test can fail: a normal of 3 % too large a width does.
TEST(Variates, TheDistributionTestTellsThreePercent)
{
    auto const values = drawn([](Variates& v) { return 1.03 * v.normal(); });
    EXPECT_GT(kolmogorov(values, normalCumulative), 1.95);
}

TEST(Variates, SumOfSquaresTakesFractionsAndNothing)
{
    Variates variates(1, RandomPurpose::test, 0, 0);
    EXPECT_EQ(variates.sumOfSquares(0), 0);
    EXPECT_EQ(variates.sumOfSquares(-0.5), 0);
    auto const values = drawn([](Variates& v) { return v.sumOfSquares(2.5); });
    EXPECT_LT(kolmogorov(values, [](double x) { return gammaCumulative(1.25, 0.5 * x); }), 1.95);
}

} // namespace
