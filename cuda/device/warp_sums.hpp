#pragma once
// Sums over the lanes of a warp.

#include "device/language.hpp"

namespace alder::cuda {

#if defined(ALDER_SIMT) || defined(__CUDACC__)

/// The sum of a warp's values, the same bits in every lane: each step adds two partners' sums, and a + b is b + a. Sums of floating-point
/// numbers depend on the order of the steps, the farthest partners first. All lanes take part.
template <class T> __device__ __forceinline__ T sumOverWarp(T value)
{
    for (int step = warpLanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(fullWarp, value, step);
    return value;
}

#endif

} // namespace alder::cuda
