#pragma once
// Memory for vector loads and stores: aligned to 64 bytes, zero at first.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace alder::cpu {

template <class T> class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(std::size_t size) { resize(size); }
    /// Drops the contents.
    void resize(std::size_t size)
    {
        std::size_t const bytes = (size * sizeof(T) + 63) / 64 * 64 + 64;
        data_.reset(static_cast<T*>(std::aligned_alloc(64, bytes)));
        if (!data_) throw std::bad_alloc();
        std::memset(data_.get(), 0, bytes);
        size_ = size;
    }
    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] T const* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    T const& operator[](std::size_t i) const { return data_.get()[i]; }

private:
    struct Free {
        void operator()(T* p) const { std::free(p); }
    };
    std::unique_ptr<T[], Free> data_;
    std::size_t size_ = 0;
};

} // namespace alder::cpu
