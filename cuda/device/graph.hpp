#pragma once
// Work taken down once and given to a stream at one go: a step's kernels cost the host one call.

#include "device/stream.hpp"

#include <cstddef>
#include <functional>
#include <utility>

namespace alder::cuda {

class Graph {
public:
    Graph() = default;
    Graph(Graph&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), nodeCount_(other.nodeCount_) {}
    Graph& operator=(Graph&& other) noexcept
    {
        std::swap(handle_, other.handle_);
        std::swap(nodeCount_, other.nodeCount_);
        return *this;
    }
    ~Graph();
    [[nodiscard]] bool given() const { return handle_ != nullptr; }
    [[nodiscard]] std::size_t nodeCount() const { return nodeCount_; }
    void launch(Stream& stream) const;

private:
    friend Graph captured(Stream& stream, std::function<void()> const& work);
    cudaGraphExec_t handle_ = nullptr;
    std::size_t nodeCount_ = 0;
};

/// What `work` gives to the stream, and to streams that events tie to it and back. Nothing of it runs now; it may not allocate, and the
/// host may not wait in it.
Graph captured(Stream& stream, std::function<void()> const& work);

} // namespace alder::cuda
