#pragma once
// The Fourier transform of one line per vector lane (Stockham's self-sorting form, decimation in frequency). Sign -1 is
// X_k = sum_j x_j exp(-2 pi i j k/n), sign +1 its unnormalized inverse.

#include "cpu/pme/lanes.hpp"
#include "pme/butterfly.hpp"
#include "pme/line_plan.hpp"

namespace alder::cpu {
namespace {

using ComplexLanes = pme::Complex<Lanes>;
inline constexpr int complexFloats = 2 * laneCount;
inline ComplexLanes loadComplex(float const* p) { return {load(p), load(p + laneCount)}; }
inline void storeComplex(float* p, ComplexLanes a)
{
    store(p, a.re);
    store(p + laneCount, a.im);
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

template <int radix, int sign> void runStage(pme::LineStage const& stage, float const* factors, LineIn in, LineOut out)
{
    int const span = stage.span, stride = stage.stride;
    for (int p = 0; p < span; ++p) {
        float const* const twiddle = factors + stage.twiddles + (p - 1) * 2 * (radix - 1);
        for (int q = 0; q < stride; ++q) {
            ComplexLanes x[radix];
#pragma GCC unroll 16
            for (int k = 0; k < radix; ++k) x[k] = loadComplex(in.p + (q + std::ptrdiff_t{stride} * (p + span * k)) * in.step);
            pme::Butterfly<radix, sign>::apply(x, factors + stage.roots);
            float* const to = out.p + (q + std::ptrdiff_t{stride} * radix * p) * out.step;
            storeComplex(to, x[0]);
            if (p == 0) {
#pragma GCC unroll 16
                for (int k = 1; k < radix; ++k) storeComplex(to + std::ptrdiff_t{stride} * k * out.step, x[k]);
            } else {
#pragma GCC unroll 16
                for (int k = 1; k < radix; ++k)
                    storeComplex(to + std::ptrdiff_t{stride} * k * out.step,
                                 pme::rotated<sign>(x[k], twiddle[2 * (k - 1)], twiddle[2 * (k - 1) + 1]));
            }
        }
    }
}

/// A prime radix that no decent grid size has, by its definition. `points` holds radix complex vectors.
template <int sign> void runAnyStage(pme::LineStage const& stage, float const* factors, LineIn in, LineOut out, float* points)
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
                    sum = sum + pme::rotated<sign>(loadComplex(points + j * complexFloats), roots[root], -roots[radix + root]);
                }
                if (p > 0 && k > 0) {
                    float const* const twiddle = factors + stage.twiddles + ((p - 1) * (radix - 1) + (k - 1)) * 2;
                    sum = pme::rotated<sign>(sum, twiddle[0], twiddle[1]);
                }
                storeComplex(out.p + (q + std::ptrdiff_t{stride} * (radix * p + k)) * out.step, sum);
            }
        }
}

template <int sign> void runStageOf(pme::LineStage const& stage, float const* factors, LineIn in, LineOut out, float* points)
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
template <int sign> void transformLine(pme::LineView const& plan, LineIn in, LineOut out, LineScratch scratch)
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
