#include "observe/mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace alder::observe {
namespace {

TEST(Mean, AndFluctuationAreTheTextbooks)
{
    std::vector<double> records{2, 4, 4, 4, 5, 5, 7, 9};
    for (double& r : records) r -= 4e6;
    auto const mean = meanWithError(records);
    ASSERT_TRUE(mean);
    EXPECT_DOUBLE_EQ(mean->value, 5 - 4e6);
    EXPECT_DOUBLE_EQ(mean->fluctuation, 2);
    ASSERT_TRUE(mean->standardError);
    EXPECT_DOUBLE_EQ(*mean->standardError, std::sqrt(32.0 / 7 / 8));
}

TEST(Mean, IsNotToldWhereItCannotBe)
{
    EXPECT_FALSE(meanWithError({}));
    EXPECT_FALSE(meanWithError(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}));
    auto const mean = meanWithError(std::vector<double>(7, 3.0));
    ASSERT_TRUE(mean);
    EXPECT_EQ(mean->value, 3);
    EXPECT_FALSE(mean->standardError);
}

TEST(Mean, ErrorIsTheScatterOfMeansOfCorrelatedRecords)
{
    std::mt19937_64 generator(5);
    std::normal_distribution<double> normal;
    for (double kept : {0.0, 0.9}) {
        constexpr int series = 400;
        double scatter = 0, told = 0;
        for (int s = 0; s < series; ++s) {
            std::vector<double> records(2000);
            double noise = normal(generator);
            for (double& r : records) {
                r = noise;
                noise = kept * noise + std::sqrt(1 - kept * kept) * normal(generator);
            }
            auto const mean = meanWithError(records);
            scatter += mean->value * mean->value / series;
            told += *mean->standardError * *mean->standardError / series;
        }
        // As of independent records it would be 4.4 times too small where 0.9 is kept.
        EXPECT_GT(std::sqrt(told / scatter), 0.9) << kept;
        EXPECT_LT(std::sqrt(told / scatter), 1.4) << kept;
    }
}

} // namespace
} // namespace alder::observe
