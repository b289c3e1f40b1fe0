#pragma once
// Device memory as a kernel's argument. A pointer and no more where nvcc compiles; checked at each access where the kernels are emulated.
//
// Where T is const, v[i] is the element; where it is not, v[i] is read or assigned as a whole: the members of an element are reached
// through a copy.

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

namespace alder::cuda {

#if defined(ALDER_SIMT)

template <class T> using View = simt::View<T>;

#else

template <class T> class View {
    static_assert(std::is_trivially_copyable_v<std::remove_const_t<T>>);

public:
    View() = default;
    __host__ __device__ View(T* data, std::size_t) : data_(data) {}
    /// A view to read from one that may be written.
    template <class U>
    requires(std::is_same_v<U const, T> && !std::is_const_v<U>) __host__ __device__ View(View<U> const& other) : data_(other.data()) {}
    /// Whether there is anything: an argument may be left out.
    [[nodiscard]] __host__ __device__ bool given() const { return data_ != nullptr; }
    [[nodiscard]] __host__ __device__ T* data() const { return data_; }
    /// What is left from an element on.
    [[nodiscard]] __host__ __device__ View from(std::size_t first) const { return View(data_ + first, 0); }
    /// The same bytes as elements of another type, whose alignment they must have.
    template <class U> [[nodiscard]] __host__ __device__ View<U> as() const
    {
        static_assert(std::is_const_v<U> || !std::is_const_v<T>);
        return View<U>(reinterpret_cast<U*>(data_), 0);
    }
    template <class I> __device__ __forceinline__ T& operator[](I i) const { return data_[i]; }
    /// For atomic operations.
    template <class I> __device__ __forceinline__ T* pointer(I i) const { return data_ + i; }

private:
    T* data_ = nullptr;
};

#endif

} // namespace alder::cuda
