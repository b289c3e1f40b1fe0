#include "math/symmetric_eigen.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace alder::math {
namespace {

TEST(SymmetricEigen, vectorsGiveTheMatrixBack)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t n : {1U, 2U, 5U, 30U}) {
        std::vector<double> m(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j) m[i * n + j] = m[j * n + i] = uniform(random);
        SymmetricEigen const e = symmetricEigen(m, n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                double sum = 0, product = 0;
                for (std::size_t p = 0; p < n; ++p) {
                    sum += e.values[p] * e.vectors[i * n + p] * e.vectors[j * n + p];
                    product += e.vectors[p * n + i] * e.vectors[p * n + j];
                }
                EXPECT_NEAR(sum, m[i * n + j], 1e-13);
                EXPECT_NEAR(product, i == j ? 1 : 0, 1e-13);
            }
    }
}

// A product of one vector with itself has one eigenvalue; the others are rounding.
TEST(SymmetricEigen, findsTheRank)
{
    std::vector<double> const v{1, 0.9, 1.1, 0.95};
    std::vector<double> m;
    for (double const a : v)
        for (double const b : v) m.push_back(a * b);
    SymmetricEigen e = symmetricEigen(m, 4);
    std::sort(e.values.begin(), e.values.end());
    EXPECT_NEAR(e.values[3], 1 + 0.81 + 1.21 + 0.9025, 1e-13);
    EXPECT_NEAR(e.values[0], 0, 1e-14);
    EXPECT_NEAR(e.values[2], 0, 1e-14);
}

} // namespace
} // namespace alder::math
