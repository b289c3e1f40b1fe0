#include "physics/bspline.hpp"
#include "physics/constants.hpp"
#include "pme/spline_moduli.hpp"

#include <array>
#include <complex>
#include <gtest/gtest.h>

namespace alder::test {
namespace {

/// The normalized spline, and its slope.
template <int order, class T> void normalized(T f, T* theta, T* slope)
{
    physics::bspline<order>(f, theta, slope);
    for (int j = 0; j < order; ++j) {
        theta[j] *= static_cast<T>(physics::bsplineScale(order));
        slope[j] *= static_cast<T>(physics::bsplineScale(order - 1));
    }
}
template <int order, class T> void normalized(T f, T* theta)
{
    physics::bspline<order>(f, theta);
    for (int j = 0; j < order; ++j) theta[j] *= static_cast<T>(physics::bsplineScale(order));
}

template <class Order> class Bspline : public testing::Test {};
using Orders = testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 4>, std::integral_constant<int, 5>,
                              std::integral_constant<int, 6>, std::integral_constant<int, 7>, std::integral_constant<int, 8>>;
TYPED_TEST_SUITE(Bspline, Orders);

TYPED_TEST(Bspline, SumsToOneAndItsSlopesToZero)
{
    constexpr int order = TypeParam::value;
    for (double f = 0; f < 1; f += 0.0371) {
        std::array<double, order> theta, slope;
        normalized<order>(f, theta.data(), slope.data());
        double sum = 0, slopes = 0, moment = 0;
        for (int j = 0; j < order; ++j) {
            sum += theta[j];
            slopes += slope[j];
            moment += j * theta[j];
            EXPECT_GE(theta[j], 0);
        }
        EXPECT_NEAR(sum, 1, 1e-13);
        EXPECT_NEAR(slopes, 0, 1e-13);
        EXPECT_NEAR(moment, f + order / 2.0 - 1, 1e-13); // centered half the order to the right of i + f, less the shift
    }
}

TYPED_TEST(Bspline, SlopeIsTheFiniteDifference)
{
    constexpr int order = TypeParam::value;
    double const h = 1e-5;
    for (double f = 0.01; f < 0.98; f += 0.0537) {
        std::array<double, order> theta, slope, more, less;
        normalized<order>(f, theta.data(), slope.data());
        normalized<order>(f + h, more.data());
        normalized<order>(f - h, less.data());
        for (int j = 0; j < order; ++j) EXPECT_NEAR(slope[j], (more[j] - less[j]) / (2 * h), 1e-9);
    }
}

TYPED_TEST(Bspline, FloatFollowsDouble)
{
    constexpr int order = TypeParam::value;
    for (float f = 0; f < 1; f += 0.0711F) {
        std::array<double, order> exact;
        std::array<float, order> theta;
        normalized<order>(static_cast<double>(f), exact.data());
        normalized<order>(f, theta.data());
        for (int j = 0; j < order; ++j) EXPECT_NEAR(theta[j], exact[j], 2e-7);
    }
}

TEST(BsplineValues, OnGridPoints)
{
    std::array<double, 4> cubic;
    normalized<4>(0.0, cubic.data());
    EXPECT_NEAR(cubic[0], 1.0 / 6, 1e-15);
    EXPECT_NEAR(cubic[1], 2.0 / 3, 1e-15);
    EXPECT_NEAR(cubic[2], 1.0 / 6, 1e-15);
    EXPECT_NEAR(cubic[3], 0, 1e-15);
    std::array<double, 5> quartic;
    normalized<5>(0.5, quartic.data());
    EXPECT_NEAR(quartic[2], 230.0 / 384, 1e-15);
}

// Spreading a unit wave by splines and reading its amplitude back must give what the modulus undoes.
TEST(SplineModuli, InvertTheTransformOfTheSpline)
{
    for (int const order : {3, 4, 5, 6, 7, 8})
        for (int const n : {15, 20}) {
            std::vector<double> const moduli = pme::splineModuli(n, order);
            std::array<double, 8> theta{};
            theta[0] = 1;
            for (int k = 3; k <= order; ++k) physics::raiseBspline(k, 0.0, theta.data());
            for (int m = 0; m < n; ++m) {
                std::complex<double> sum = 0;
                for (int k = 0; k < order; ++k) sum += theta[static_cast<std::size_t>(k)] * std::polar(1.0, 2 * physics::pi * m * k / n);
                sum *= physics::bsplineScale(order);
                if (order % 2 == 1 && 2 * m == n)
                    EXPECT_TRUE(std::isfinite(moduli[static_cast<std::size_t>(m)]));
                else
                    EXPECT_NEAR(moduli[static_cast<std::size_t>(m)] * std::norm(sum), 1, 1e-10);
            }
        }
}

} // namespace
} // namespace alder::test
