#pragma once
// Transforms of a few points, once for SIMD lanes and for a GPU's threads. Sign -1 is X_k = sum_j x_j exp(-2 pi i j k/n), sign +1 its
// unnormalized inverse.
//
// A number type T has + - *, T(double), and by argument-dependent lookup, or below for float, fma(a, b, c) = a b + c and
// fnma(a, b, c) = c - a b with one rounding where the processor has that, the same in every line.

#include "math/host_device.hpp"

#include <cmath>

namespace alder::pme {

ALDER_HD float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
ALDER_HD float fnma(float a, float b, float c) { return ::fmaf(-a, b, c); }

template <class T> struct Complex {
    T re, im;
    friend ALDER_HD Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    friend ALDER_HD Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
};
/// sign i a
template <int sign, class T> ALDER_HD Complex<T> turned(Complex<T> a)
{
    T const zero(0.0);
    if constexpr (sign > 0) return {zero - a.im, a.re};
    return {a.im, zero - a.re};
}
/// a (c - i s) for the forward transform, a (c + i s) for the backward one; minusS = -s.
template <int sign, class T> ALDER_HD Complex<T> rotated(Complex<T> a, float c, float minusS)
{
    T const cc(static_cast<double>(c)), ss(static_cast<double>(minusS));
    if constexpr (sign < 0) return {fnma(a.im, ss, a.re * cc), fma(a.re, ss, a.im * cc)};
    return {fma(a.im, ss, a.re * cc), fnma(a.re, ss, a.im * cc)};
}

/// Transforms of `radix` points, in place. Roots: any range of radix cosines, then radix sines, of 2 pi k/radix.
template <int radix, int sign> struct Butterfly {
    /// Odd radix, x_j and x_{r-j} taken together: with a = x_j + x_{r-j}, b = x_j - x_{r-j}
    /// X_k, X_{r-k} = x_0 + sum_j a_j cos(2 pi jk/r) +- (sign i) sum_j b_j sin(2 pi jk/r)
    template <class T, class Roots> static ALDER_HD void apply(Complex<T>* x, Roots const& roots)
    {
        static_assert(radix % 2 == 1);
        constexpr int half = radix / 2;
        Complex<T> sum[half], difference[half];
        Complex<T> total = x[0];
        ALDER_UNROLL
        for (int j = 0; j < half; ++j) {
            sum[j] = x[j + 1] + x[radix - 1 - j];
            difference[j] = x[j + 1] - x[radix - 1 - j];
            total = total + sum[j];
        }
        Complex<T> const first = x[0];
        x[0] = total;
        ALDER_UNROLL
        for (int k = 1; k <= half; ++k) {
            Complex<T> even = first, odd{T(0.0), T(0.0)};
            ALDER_UNROLL
            for (int j = 0; j < half; ++j) {
                float const cosine = roots[(j + 1) * k % radix], sine = roots[radix + (j + 1) * k % radix];
                T const c(static_cast<double>(cosine)), s(static_cast<double>(sine));
                even = {fma(sum[j].re, c, even.re), fma(sum[j].im, c, even.im)};
                if (j == 0)
                    odd = {difference[j].re * s, difference[j].im * s};
                else
                    odd = {fma(difference[j].re, s, odd.re), fma(difference[j].im, s, odd.im)};
            }
            if constexpr (sign < 0) {
                x[k] = {even.re + odd.im, even.im - odd.re};
                x[radix - k] = {even.re - odd.im, even.im + odd.re};
            } else {
                x[k] = {even.re - odd.im, even.im + odd.re};
                x[radix - k] = {even.re + odd.im, even.im - odd.re};
            }
        }
    }
};
template <int sign> struct Butterfly<1, sign> {
    template <class T, class Roots> static ALDER_HD void apply(Complex<T>*, Roots const&) {}
};
template <int sign> struct Butterfly<2, sign> {
    template <class T, class Roots> static ALDER_HD void apply(Complex<T>* x, Roots const&)
    {
        Complex<T> const a = x[0], b = x[1];
        x[0] = a + b;
        x[1] = a - b;
    }
};
template <int sign> struct Butterfly<4, sign> {
    template <class T, class Roots> static ALDER_HD void apply(Complex<T>* x, Roots const&)
    {
        Complex<T> const a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = turned<sign>(x[1] - x[3]);
        x[0] = a + c;
        x[1] = b + d;
        x[2] = a - c;
        x[3] = b - d;
    }
};

} // namespace alder::pme
