#pragma once
// All that a kernel is written in: what nvcc and the emulation both understand.

#include "device/view.hpp"
#include "math/host_device.hpp"

#include <cstdint>

namespace alder::cuda {

inline constexpr int warpLanes = 32;
inline constexpr unsigned fullWarp = 0xffffffffu;

#if !defined(ALDER_SIMT) && defined(__CUDACC__)

/// A block's shared array: elements by name[i], atomics by name.pointer(i).
template <class T> class SharedArray {
public:
    __device__ explicit SharedArray(T* data) : data_(data) {}
    template <class I> __device__ __forceinline__ T& operator[](I i) const { return data_[i]; }
    template <class I> __device__ __forceinline__ T* pointer(I i) const { return data_ + i; }

private:
    T* data_;
};

// The storage has no type, for a type with initializers may not be shared.
#define ALDER_SHARED(T, name, count)                                                                                                       \
    __shared__ alignas(alignof(T) < 16 ? 16 : alignof(T)) unsigned char name##Storage[sizeof(T) * (count)];                                \
    ::alder::cuda::SharedArray<T> const name(reinterpret_cast<T*>(name##Storage))

#endif

#if defined(ALDER_SIMT) || defined(__CUDACC__)

/// Adds a rounded term to a sum that many threads add to: integers, so that their order does not matter.
__device__ __forceinline__ void addUnits(View<std::int64_t> sums, std::size_t index, std::int64_t units)
{
    atomicAdd(reinterpret_cast<unsigned long long*>(sums.pointer(index)), static_cast<unsigned long long>(units));
}
/// The same in a shared array.
template <class Shared> __device__ __forceinline__ void addUnitsShared(Shared const& sums, std::size_t index, std::int64_t units)
{
    atomicAdd(reinterpret_cast<unsigned long long*>(sums.pointer(index)), static_cast<unsigned long long>(units));
}

#endif

} // namespace alder::cuda
