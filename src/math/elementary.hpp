#pragma once
// exp, log, sine, cosine and the angle of a vector made of additions, multiplications and divisions alone. A mathematics library may change its last bit from
// one version or processor to the next; these cannot, so what the couplings and the random variates compute is the same everywhere.
// Square roots come from <cmath>: IEEE 754 rounds them correctly, which leaves no choice of bits.

#include "math/host_device.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace alder::math {

ALDER_HD double doubleOfBits(std::uint64_t bits)
{
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
ALDER_HD std::uint64_t bitsOfDouble(double value)
{
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// ln 2 in two parts; the first has 21 trailing zero bits, so that its product with an exponent is exact.
inline constexpr double ln2High = 0x1.62e42fee00000p-1, ln2Low = 0x1.a39ef35793c76p-33;

/// e^x: x = k ln 2 + r, |r| <= ln 2 / 2, and e^r = 1 + (r + r^2 (1/2! + r/3! + ... + r^11/13!)); the first term left out is below 1e-17.
/// Underflows to 0 below -708 (no subnormal results), infinite above 709.7.
ALDER_HD double exponential(double x)
{
    if (!(x >= -708.0)) return x != x ? x : 0.0;
    if (x > 709.78) return HUGE_VAL;
    double const k = std::floor(x * 1.4426950408889634 + 0.5);
    double const r = (x - k * ln2High) - k * ln2Low;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    double const er = 1.0 + (r + r * r * p);
    // 2^k in two factors: k itself may be 1024, which is no exponent
    auto const exponent = static_cast<std::int64_t>(k);
    std::int64_t const half = exponent / 2;
    return er * doubleOfBits(static_cast<std::uint64_t>(half + 1023) << 52) *
           doubleOfBits(static_cast<std::uint64_t>(exponent - half + 1023) << 52);
}

/// ln x: x = 2^k m with m in [sqrt(1/2), sqrt(2)); with f = m - 1 (exact), s = f / (2 + f), ln m = 2 artanh s = 2 s + s R,
/// R = 2 (s^2/3 + s^4/5 + ... + s^20/21): |s| <= 0.1716, so what is left out is below 2e-17. Since 2 s = f - s f, this is
/// f - (f^2/2 - s (f^2/2 + R)), whose corrections to f are small and so are their rounding errors.
/// -inf at 0, not-a-number below.
ALDER_HD double logarithm(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -HUGE_VAL : NAN;
    if (x > 1.7976931348623157e308) return x;
    std::int64_t k = 0;
    if (x < 2.2250738585072014e-308) { // subnormal: normalize
        x *= 18014398509481984.0;      // 2^54
        k = -54;
    }
    std::uint64_t const bits = bitsOfDouble(x);
    k += static_cast<std::int64_t>(bits >> 52) - 1023;
    double m = doubleOfBits((bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull);
    if (m >= 1.4142135623730951) {
        m *= 0.5;
        k += 1;
    }
    double const f = m - 1.0;
    double const s = f / (2.0 + f);
    double const z = s * s;
    double p = 2.0 / 21.0;
    p = p * z + 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    double const halfSquare = 0.5 * f * f;
    auto const e = static_cast<double>(k);
    return e * ln2High - ((halfSquare - (s * (halfSquare + p * z) + e * ln2Low)) - f);
}

struct SineCosine {
    double sine, cosine;
};

/// sin(2 pi t) and cos(2 pi t). An angle counted in turns is reduced without error: t = q/4 + u, |u| <= 1/8, then Taylor series in
/// x = 2 pi u, |x| <= pi/4, to x^17 and x^18 (the first terms left out are below 1e-18). For |t| < 2^50.
ALDER_HD SineCosine sineCosineOfTurns(double t)
{
    double const quarters = std::floor(4.0 * t + 0.5);
    double const x = (t - 0.25 * quarters) * 6.283185307179586;
    double const z = x * x;
    double ps = 1.0 / 355687428096000.0; // 17!
    ps = ps * z - 1.0 / 1307674368000.0; // 15!
    ps = ps * z + 1.0 / 6227020800.0;    // 13!
    ps = ps * z - 1.0 / 39916800.0;
    ps = ps * z + 1.0 / 362880.0;
    ps = ps * z - 1.0 / 5040.0;
    ps = ps * z + 1.0 / 120.0;
    ps = ps * z - 1.0 / 6.0;
    double const sine = x + x * (z * ps);
    double pc = -1.0 / 6402373705728000.0; // 18!
    pc = pc * z + 1.0 / 20922789888000.0;  // 16!
    pc = pc * z - 1.0 / 87178291200.0;     // 14!
    pc = pc * z + 1.0 / 479001600.0;
    pc = pc * z - 1.0 / 3628800.0;
    pc = pc * z + 1.0 / 40320.0;
    pc = pc * z - 1.0 / 720.0;
    pc = pc * z + 1.0 / 24.0;
    double const cosine = 1.0 - (0.5 * z - z * z * pc);
    switch (static_cast<std::int64_t>(quarters) & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
    }
}

/// The angle of the vector (x, y), in [-pi, pi]. With t the smaller of |x| and |y| over the greater, atan t = u + u^3 P(u^2), where u is t, or
/// beyond tan(pi/8) (t - 1)/(t + 1), whose angle is pi/4 less, so |u| <= tan(pi/8). P is the Chebyshev fit of (atan(u)/u - 1)/u^2, of degree 11
/// in u^2: off by 3e-18 relative to atan u. No branch, so that it runs in lanes. 0 at the origin; a zero has no sign but y's.
ALDER_HD double atan2(double y, double x)
{
    double const ay = std::fabs(y), ax = std::fabs(x);
    double const less = ay < ax ? ay : ax, more = ay < ax ? ax : ay;
    bool const far = less > 0.41421356237309503 * more;
    double const above = far ? less - more : less, below = far ? less + more : more;
    double const ratio = above / below;
    double const u = below == 0.0 ? 0.0 : ratio;
    double const z = u * u;
    double p = 0x1.0ad36a455cafbp-6;
    p = p * z - 0x1.1b33b923aa954p-5;
    p = p * z + 0x1.74ddd408bb4c1p-5;
    p = p * z - 0x1.ac7a938b69c93p-5;
    p = p * z + 0x1.e19a13b9fc6dfp-5;
    p = p * z - 0x1.110e880a7a521p-4;
    p = p * z + 0x1.3b1392d9e785cp-4;
    p = p * z - 0x1.745d165df3f95p-4;
    p = p * z + 0x1.c71c71c304b68p-4;
    p = p * z - 0x1.249249248d7eep-3;
    p = p * z + 0x1.9999999999953p-3;
    p = p * z - 0x1.5555555555555p-2;
    constexpr double quarter = 0x1.921fb54442d18p-1, quarterLow = 0x1.1a62633145c07p-55; // pi/4 in two parts
    double const octant = u + (u * (z * p) + (far ? quarterLow : 0.0));
    double const steep = far ? quarter + octant : octant;
    double const right = ay > ax ? (2.0 * quarter - steep) + 2.0 * quarterLow : steep;
    double const angle = x < 0.0 ? (4.0 * quarter - right) + 4.0 * quarterLow : right;
    return std::copysign(angle, y);
}

} // namespace alder::math
