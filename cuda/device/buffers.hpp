#pragma once
// Memory of the GPU, and memory of the host that the GPU copies from and to by itself.

#include "device/check.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace alder::cuda {

/// Counts allocations of device memory: where the number is the same, no buffer has moved.
std::uint64_t allocationCount();
void countAllocation();
/// The most bytes that arrays have taken at one time.
std::uint64_t peakDeviceBytes();
/// So many more, or fewer, are taken.
void countDeviceBytes(std::int64_t change);

/// An array in host memory that does not move: copies from and to it run while the host goes on, so what it holds must stay until its
/// stream has passed the copy.
template <class T> class PinnedBuffer {
public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t size) { resize(size); }
    PinnedBuffer(PinnedBuffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~PinnedBuffer() { cudaFreeHost(data_); }
    /// Drops what it held.
    void resize(std::size_t size)
    {
        if (size == size_) return;
        check(cudaFreeHost(std::exchange(data_, nullptr)), "freeing pinned memory");
        size_ = 0;
        if (size > 0) check(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)), "pinned memory");
        size_ = size;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    [[nodiscard]] T const& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] std::span<T const> span() const { return {data_, size_}; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// An array in the GPU's memory.
template <class T> class DeviceBuffer {
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t size) { resize(size); }
    DeviceBuffer(std::vector<T> const& content, Stream& stream) { upload(content, stream); }
    DeviceBuffer(DeviceBuffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~DeviceBuffer()
    {
        cudaFree(data_);
        countDeviceBytes(-bytes());
    }

    /// Drops what it held. The host waits where the size changes.
    void resize(std::size_t size)
    {
        if (size == size_) return;
        countAllocation();
        check(cudaFree(std::exchange(data_, nullptr)), "freeing memory");
        countDeviceBytes(-bytes());
        size_ = 0;
        if (size > 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "memory");
        size_ = size;
        countDeviceBytes(bytes());
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] View<T> view() { return View<T>(data_, size_); }
    [[nodiscard]] View<T const> constView() const { return View<T const>(data_, size_); }
    [[nodiscard]] T* data() const { return data_; }

    /// Takes the size of what it is given, which may go at once.
    void upload(std::vector<T> const& content, Stream& stream)
    {
        resize(content.size());
        copyIn(content.data(), size_, stream);
    }
    /// The host waits.
    [[nodiscard]] std::vector<T> download(Stream& stream) const
    {
        std::vector<T> content(size_);
        if (size_ > 0)
            check(cudaMemcpyAsync(content.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, stream.handle()),
                  "copying from the GPU");
        stream.synchronize();
        return content;
    }
    /// The host does not wait: `source` is to stay as it is until the stream has passed the copy.
    void uploadLater(PinnedBuffer<T> const& source, Stream& stream)
    {
        resize(source.size());
        copyIn(source.data(), size_, stream);
    }
    /// The host does not wait: `target` holds the copy when the stream has passed it.
    void downloadLater(PinnedBuffer<T>& target, Stream& stream) const
    {
        target.resize(size_);
        if (size_ > 0)
            check(cudaMemcpyAsync(target.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, stream.handle()),
                  "copying from the GPU");
    }
    /// The same size as another, and its content.
    void copyFrom(DeviceBuffer const& other, Stream& stream)
    {
        resize(other.size_);
        if (size_ > 0)
            check(cudaMemcpyAsync(data_, other.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice, stream.handle()), "copying on the GPU");
    }
    /// Zero bytes.
    void clear(Stream& stream)
    {
        if (size_ > 0) check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream.handle()), "clearing memory");
    }

private:
    [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(size_ * sizeof(T)); }
    T* data_ = nullptr;
    std::size_t size_ = 0;

    void copyIn(T const* from, std::size_t count, Stream& stream)
    {
        if (count > 0)
            check(cudaMemcpyAsync(data_, from, count * sizeof(T), cudaMemcpyHostToDevice, stream.handle()), "copying to the GPU");
    }
};

/// Elements that do not overlap, from one place in the GPU's memory to another.
template <class T> void copyElements(View<T> to, View<T const> from, std::size_t count, Stream& stream)
{
    check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyDeviceToDevice, stream.handle()), "copying on the GPU");
}

} // namespace alder::cuda
