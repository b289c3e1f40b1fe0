#include "math/elementary.hpp"

#include "math/philox.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using namespace alder::math;

/// |value - exact| in units of the last place of the exact value.
double ulps(double value, long double exact)
{
    double const near = static_cast<double>(exact);
    double const unit = std::nextafter(std::fabs(near), HUGE_VAL) - std::fabs(near);
    return static_cast<double>(std::fabs(static_cast<long double>(value) - exact) / static_cast<long double>(unit));
}

class Sampler {
public:
    double between(double low, double high)
    {
        RandomWords const w = stream_.words();
        return low + (high - low) * openUniform(w.w0, w.w1);
    }

private:
    RandomStream stream_{1, RandomPurpose::test, 0, 0};
};

constexpr int samples = 200000;

TEST(Exponential, IsWithinOneUnitOfLongDouble)
{
    Sampler sampler;
    double worst = 0;
    for (int i = 0; i < samples; ++i) {
        double const x = i % 2 ? sampler.between(-700, 700) : sampler.between(-1, 1);
        worst = std::max(worst, ulps(exponential(x), std::exp(static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 1.0);
    RecordProperty("worst_ulps", std::to_string(worst));
}

TEST(Exponential, KnowsItsEnds)
{
    EXPECT_EQ(exponential(0.0), 1.0);
    EXPECT_EQ(exponential(-1e9), 0.0);
    EXPECT_EQ(exponential(1e9), HUGE_VAL);
    EXPECT_EQ(exponential(-HUGE_VAL), 0.0);
    EXPECT_TRUE(std::isnan(exponential(NAN)));
    EXPECT_LT(ulps(exponential(709.7), std::exp(static_cast<long double>(709.7))), 1.0);
    EXPECT_LT(ulps(exponential(-707.9), std::exp(static_cast<long double>(-707.9))), 1.0);
}

TEST(Logarithm, IsWithinOneUnitOfLongDouble)
{
    Sampler sampler;
    double worst = 0;
    for (int i = 0; i < samples; ++i) {
        double const x = i % 3 == 0   ? sampler.between(0.5, 2.0)
                         : i % 3 == 1 ? sampler.between(0.0, 1.0)
                                      : std::ldexp(sampler.between(1.0, 2.0), static_cast<int>(sampler.between(-1070, 1020)));
        worst = std::max(worst, ulps(logarithm(x), std::log(static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 1.0);
    RecordProperty("worst_ulps", std::to_string(worst));
}

TEST(Logarithm, KnowsItsEnds)
{
    EXPECT_EQ(logarithm(1.0), 0.0);
    EXPECT_EQ(logarithm(0.0), -HUGE_VAL);
    EXPECT_EQ(logarithm(HUGE_VAL), HUGE_VAL);
    EXPECT_TRUE(std::isnan(logarithm(-1.0)));
    EXPECT_TRUE(std::isnan(logarithm(NAN)));
    EXPECT_LT(ulps(logarithm(std::numeric_limits<double>::denorm_min()), std::log(0x1p-1074L)), 1.0);
}

/// Near a zero the exact value of sin(2 pi t) is compared in units of its own last place too: the reduction is exact.
TEST(SineCosineOfTurns, IsWithinTwoUnitsOfLongDouble)
{
    constexpr long double twoPi = 6.283185307179586476925286766559005768L;
    Sampler sampler;
    double worst = 0;
    for (int i = 0; i < samples; ++i) {
        double const t = i % 2 ? sampler.between(0, 1) : sampler.between(-1000, 1000);
        // the exact reduction to an eighth of a turn, so that the reference keeps its precision
        double const quarters = std::nearbyint(4 * t);
        long double const rest = twoPi * static_cast<long double>(t - 0.25 * quarters);
        long double const s = std::sin(rest), c = std::cos(rest);
        int const q = static_cast<int>(static_cast<std::int64_t>(quarters) & 3);
        long double const sine = q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c;
        long double const cosine = q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s;
        SineCosine const ours = sineCosineOfTurns(t);
        if (sine != 0) worst = std::max(worst, ulps(ours.sine, sine));
        if (cosine != 0) worst = std::max(worst, ulps(ours.cosine, cosine));
    }
    EXPECT_LT(worst, 2.0);
    RecordProperty("worst_ulps", std::to_string(worst));
}

TEST(SineCosineOfTurns, IsExactAtQuarters)
{
    double const sines[] = {0, 1, 0, -1}, cosines[] = {1, 0, -1, 0};
    for (int q = -8; q < 8; ++q) {
        SineCosine const sc = sineCosineOfTurns(0.25 * q);
        EXPECT_EQ(sc.sine, sines[q & 3]) << q;
        EXPECT_EQ(sc.cosine, cosines[q & 3]) << q;
    }
}

TEST(AngleOfAVector, IsWithinTwoUnitsOfLongDouble)
{
    Sampler sampler;
    double worst = 0;
    for (int i = 0; i < samples; ++i) {
        double const scale = std::pow(2.0, std::floor(sampler.between(-40, 40)));
        double const x = sampler.between(-1, 1), y = sampler.between(-1, 1) * scale;
        worst = std::fmax(worst, ulps(alder::math::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 1.5);
}

TEST(AngleOfAVector, OnTheAxesAndAtTheOrigin)
{
    using alder::math::atan2;
    double const pi = std::acos(-1.0);
    EXPECT_EQ(atan2(0.0, 0.0), 0);
    EXPECT_EQ(atan2(0.0, 2.0), 0);
    EXPECT_EQ(atan2(3.0, 0.0), pi / 2);
    EXPECT_EQ(atan2(-3.0, 0.0), -pi / 2);
    EXPECT_EQ(atan2(0.0, -1.0), pi);
    EXPECT_EQ(atan2(-0.0, -1.0), -pi);
    EXPECT_EQ(atan2(5.0, 5.0), pi / 4);
    EXPECT_EQ(atan2(5.0, -5.0), 3 * pi / 4);
    EXPECT_EQ(atan2(1e-300, 1.0), 1e-300);
    EXPECT_EQ(atan2(1e-200, -1e200), pi);
    EXPECT_TRUE(std::isnan(atan2(NAN, 1.0)));
    EXPECT_TRUE(std::isnan(atan2(1.0, NAN)));
}

} // namespace
