#pragma once
// The Fourier transform of one line per vector lane (Stockham's self-sorting form, decimation in frequency). Sign -1 is
// X_k = sum_j x_j exp(-2 pi i j k/n), sign +1 its unnormalized inverse.

#include "cpu/pme/fft_plan.hpp"
#include "cpu/pme/lanes.hpp"

namespace alder::cpu {
namespace {

struct ComplexLanes {
    Lanes re, im;
};
inline constexpr int complexFloats = 2 * laneCount;
inline ComplexLanes loadComplex(float const* p) { return {load(p), load(p + laneCount)}; }
inline void storeComplex(float* p, ComplexLanes a)
{
    store(p, a.re);
    store(p + laneCount, a.im);
}
inline ComplexLanes operator+(ComplexLanes a, ComplexLanes b) { return {a.re + b.re, a.im + b.im}; }
inline ComplexLanes operator-(ComplexLanes a, ComplexLanes b) { return {a.re - b.re, a.im - b.im}; }
/// sign i a
template <int sign> inline ComplexLanes turned(ComplexLanes a)
{
    Lanes const zero(0.0);
    if constexpr (sign > 0) return {zero - a.im, a.re};
    return {a.im, zero - a.re};
}
/// a (c - i s) for the forward transform, a (c + i s) for the backward one; minusS = -s.
template <int sign> inline ComplexLanes rotated(ComplexLanes a, float c, float minusS)
{
    Lanes const cc = broadcast(c), ss = broadcast(minusS);
    if constexpr (sign < 0) return {fnma(a.im, ss, a.re * cc), fma(a.re, ss, a.im * cc)};
    return {fma(a.im, ss, a.re * cc), fnma(a.re, ss, a.im * cc)};
}

/// A line in memory: point k at p + k step floats.
struct LineIn {
    float const* p;
    std::ptrdiff_t step;
};
struct LineOut {
    float* p;
    std::ptrdiff_t step;
};

/// Transforms of `radix` points, in place.
template <int radix, int sign> struct Butterfly {
    /// Odd radix, x_j and x_{r-j} taken together: with a = x_j + x_{r-j}, b = x_j - x_{r-j}
    /// X_k, X_{r-k} = x_0 + sum_j a_j cos(2 pi jk/r) +- (sign i) sum_j b_j sin(2 pi jk/r)
    static void apply(ComplexLanes* x, float const* roots)
    {
        static_assert(radix % 2 == 1);
        constexpr int half = radix / 2;
        ComplexLanes sum[half], difference[half];
        ComplexLanes total = x[0];
#pragma GCC unroll 8
        for (int j = 0; j < half; ++j) {
            sum[j] = x[j + 1] + x[radix - 1 - j];
            difference[j] = x[j + 1] - x[radix - 1 - j];
            total = total + sum[j];
        }
        ComplexLanes const first = x[0];
        x[0] = total;
#pragma GCC unroll 8
        for (int k = 1; k <= half; ++k) {
            ComplexLanes even = first, odd;
#pragma GCC unroll 8
            for (int j = 0; j < half; ++j) {
                Lanes const c = broadcast(roots[(j + 1) * k % radix]), s = broadcast(roots[radix + (j + 1) * k % radix]);
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
    static void apply(ComplexLanes*, float const*) {}
};
template <int sign> struct Butterfly<2, sign> {
    static void apply(ComplexLanes* x, float const*)
    {
        ComplexLanes const a = x[0], b = x[1];
        x[0] = a + b;
        x[1] = a - b;
    }
};
template <int sign> struct Butterfly<4, sign> {
    static void apply(ComplexLanes* x, float const*)
    {
        ComplexLanes const a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = turned<sign>(x[1] - x[3]);
        x[0] = a + c;
        x[1] = b + d;
        x[2] = a - c;
        x[3] = b - d;
    }
};

template <int radix, int sign> void runStage(FftStage const& stage, float const* factors, LineIn in, LineOut out)
{
    int const span = stage.span, stride = stage.stride;
    for (int p = 0; p < span; ++p) {
        float const* const twiddle = factors + stage.twiddles + (p - 1) * 2 * (radix - 1);
        for (int q = 0; q < stride; ++q) {
            ComplexLanes x[radix];
#pragma GCC unroll 16
            for (int k = 0; k < radix; ++k) x[k] = loadComplex(in.p + (q + std::ptrdiff_t{stride} * (p + span * k)) * in.step);
            Butterfly<radix, sign>::apply(x, factors + stage.roots);
            float* const to = out.p + (q + std::ptrdiff_t{stride} * radix * p) * out.step;
            storeComplex(to, x[0]);
            if (p == 0) {
#pragma GCC unroll 16
                for (int k = 1; k < radix; ++k) storeComplex(to + std::ptrdiff_t{stride} * k * out.step, x[k]);
            } else {
#pragma GCC unroll 16
                for (int k = 1; k < radix; ++k)
                    storeComplex(to + std::ptrdiff_t{stride} * k * out.step,
                                 rotated<sign>(x[k], twiddle[2 * (k - 1)], twiddle[2 * (k - 1) + 1]));
            }
        }
    }
}

/// A prime radix that no decent grid size has, by its definition. `points` holds radix complex vectors.
template <int sign> void runAnyStage(FftStage const& stage, float const* factors, LineIn in, LineOut out, float* points)
{
    int const radix = stage.radix, span = stage.span, stride = stage.stride;
    float const* const roots = factors + stage.roots;
    for (int p = 0; p < span; ++p)
        for (int q = 0; q < stride; ++q) {
            for (int k = 0; k < radix; ++k)
                storeComplex(points + k * complexFloats, loadComplex(in.p + (q + std::ptrdiff_t{stride} * (p + span * k)) * in.step));
            for (int k = 0; k < radix; ++k) {
                ComplexLanes sum = loadComplex(points);
                for (int j = 1; j < radix; ++j) {
                    auto const root = static_cast<int>(static_cast<long>(j) * k % radix);
                    sum = sum + rotated<sign>(loadComplex(points + j * complexFloats), roots[root], -roots[radix + root]);
                }
                if (p > 0 && k > 0) {
                    float const* const twiddle = factors + stage.twiddles + ((p - 1) * (radix - 1) + (k - 1)) * 2;
                    sum = rotated<sign>(sum, twiddle[0], twiddle[1]);
                }
                storeComplex(out.p + (q + std::ptrdiff_t{stride} * (radix * p + k)) * out.step, sum);
            }
        }
}

template <int sign> void runStageOf(FftStage const& stage, float const* factors, LineIn in, LineOut out, float* points)
{
    switch (stage.radix) {
    case 1: return runStage<1, sign>(stage, factors, in, out);
    case 2: return runStage<2, sign>(stage, factors, in, out);
    case 3: return runStage<3, sign>(stage, factors, in, out);
    case 4: return runStage<4, sign>(stage, factors, in, out);
    case 5: return runStage<5, sign>(stage, factors, in, out);
    case 7: return runStage<7, sign>(stage, factors, in, out);
    case 11: return runStage<11, sign>(stage, factors, in, out);
    case 13: return runStage<13, sign>(stage, factors, in, out);
    default: return runAnyStage<sign>(stage, factors, in, out, points);
    }
}

/// Scratch for a line: three buffers of as many complex vectors as it has points.
struct LineScratch {
    float *a, *b, *points;
};

/// in and out may be the same line: each stage but the first reads from scratch, and a lone stage of one group reads all its points
/// before it writes any.
template <int sign> void transformLine(FftView const& plan, LineIn in, LineOut out, LineScratch scratch)
{
    LineIn from = in;
    for (int s = 0; s < plan.stageCount; ++s) {
        LineOut const to = s == plan.stageCount - 1 ? out : LineOut{s % 2 == 0 ? scratch.a : scratch.b, complexFloats};
        runStageOf<sign>(plan.stages[s], plan.factors, from, to, scratch.points);
        from = {to.p, to.step};
    }
}

} // namespace
} // namespace alder::cpu
