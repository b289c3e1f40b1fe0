#pragma once
// The device language as g++ reads it.

#include "simt/block.hpp"
#include "simt/memory.hpp"
#include "simt/shared.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#ifndef __restrict__
#define __restrict__ __restrict
#endif

#define threadIdx (::alder::simt::currentLane->index)
#define blockIdx (::alder::simt::currentPlace->block)
#define blockDim (::alder::simt::currentPlace->blockShape)
#define gridDim (::alder::simt::currentPlace->gridShape)
inline constexpr int warpSize = 32;

namespace alder::simt {

template <class T> std::uint64_t bitsOf(T value)
{
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> T fromBits(std::uint64_t bits)
{
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> T shuffled(std::uint32_t mask, T value, int source, Where where)
{
    return fromBits<T>(meet(Meeting::shuffle, mask, bitsOf(value), source, where));
}
inline int myLane() { return static_cast<int>(currentLane->lane); }
} // namespace alder::simt

inline void __syncthreads(alder::simt::Where where = alder::simt::Where::current()) { alder::simt::meetBlock(false, where); }
inline int __syncthreads_count(int vote, alder::simt::Where where = alder::simt::Where::current())
{
    return alder::simt::meetBlock(vote != 0, where);
}
inline int __syncthreads_or(int vote, alder::simt::Where where = alder::simt::Where::current())
{
    return alder::simt::meetBlock(vote != 0, where) != 0;
}
inline int __syncthreads_and(int vote, alder::simt::Where where = alder::simt::Where::current())
{
    return alder::simt::meetBlock(vote == 0, where) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, alder::simt::Where where = alder::simt::Where::current())
{
    alder::simt::meet(alder::simt::Meeting::syncWarp, mask, 0, 0, where);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, alder::simt::Where where = alder::simt::Where::current())
{
    int const lane = alder::simt::myLane();
    return alder::simt::shuffled(mask, value, (lane & ~(width - 1)) | (source & (width - 1)), where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, alder::simt::Where where = alder::simt::Where::current())
{
    int const lane = alder::simt::myLane(), source = lane ^ bits;
    // a lane of a later segment is out of reach, one of an earlier segment is not
    return alder::simt::shuffled(mask, value, source < (lane & ~(width - 1)) + width ? source : lane, where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, alder::simt::Where where = alder::simt::Where::current())
{
    int const lane = alder::simt::myLane();
    return alder::simt::shuffled(mask, value, (lane & (width - 1)) + static_cast<int>(by) < width ? lane + static_cast<int>(by) : lane,
                                 where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, alder::simt::Where where = alder::simt::Where::current())
{
    int const lane = alder::simt::myLane();
    return alder::simt::shuffled(mask, value, (lane & (width - 1)) >= static_cast<int>(by) ? lane - static_cast<int>(by) : lane, where);
}
inline unsigned __ballot_sync(unsigned mask, int vote, alder::simt::Where where = alder::simt::Where::current())
{
    return static_cast<unsigned>(alder::simt::meet(alder::simt::Meeting::ballot, mask, vote != 0, 0, where));
}
inline int __any_sync(unsigned mask, int vote, alder::simt::Where where = alder::simt::Where::current())
{
    return static_cast<int>(alder::simt::meet(alder::simt::Meeting::any, mask, vote != 0, 0, where));
}
inline int __all_sync(unsigned mask, int vote, alder::simt::Where where = alder::simt::Where::current())
{
    return static_cast<int>(alder::simt::meet(alder::simt::Meeting::all, mask, vote != 0, 0, where));
}
template <class T> unsigned __match_any_sync(unsigned mask, T value, alder::simt::Where where = alder::simt::Where::current())
{
    return static_cast<unsigned>(alder::simt::meet(alder::simt::Meeting::match, mask, alder::simt::bitsOf(value), 0, where));
}

inline void __threadfence() {}
inline void __threadfence_block() {}

// Atomic operations are checked like any other access: an atomic sum into memory that was never cleared reads it.
template <class T, class U> T atomicAdd(T* at, U value)
{
    static_assert(std::integral<T>, "sums over threads are sums of integers: those of floating-point numbers depend on the order");
    alder::simt::checkAtomic(at, sizeof(T));
    return __atomic_fetch_add(at, static_cast<T>(value), __ATOMIC_RELAXED);
}
template <class T, class U> T atomicSub(T* at, U value)
{
    static_assert(std::integral<T>);
    alder::simt::checkAtomic(at, sizeof(T));
    return __atomic_fetch_sub(at, static_cast<T>(value), __ATOMIC_RELAXED);
}
template <class T, class U> T atomicOr(T* at, U value)
{
    alder::simt::checkAtomic(at, sizeof(T));
    return __atomic_fetch_or(at, static_cast<T>(value), __ATOMIC_RELAXED);
}
template <class T, class U> T atomicAnd(T* at, U value)
{
    alder::simt::checkAtomic(at, sizeof(T));
    return __atomic_fetch_and(at, static_cast<T>(value), __ATOMIC_RELAXED);
}
template <class T, class U> T atomicExch(T* at, U value)
{
    alder::simt::checkAtomic(at, sizeof(T));
    T given = static_cast<T>(value), old;
    __atomic_exchange(at, &given, &old, __ATOMIC_RELAXED);
    return old;
}
template <class T, class U, class V> T atomicCAS(T* at, U expected, V value)
{
    static_assert(std::integral<T>);
    alder::simt::checkAtomic(at, sizeof(T));
    T seen = static_cast<T>(expected);
    __atomic_compare_exchange_n(at, &seen, static_cast<T>(value), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return seen;
}
template <class T, class U> T atomicMax(T* at, U value)
{
    static_assert(std::integral<T>);
    alder::simt::checkAtomic(at, sizeof(T));
    T const given = static_cast<T>(value);
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old < given && !__atomic_compare_exchange_n(at, &old, given, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}
template <class T, class U> T atomicMin(T* at, U value)
{
    static_assert(std::integral<T>);
    alder::simt::checkAtomic(at, sizeof(T));
    T const given = static_cast<T>(value);
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (given < old && !__atomic_compare_exchange_n(at, &old, given, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}

#include "simt/intrinsics.hpp"
