#pragma once
// The order of work on a GPU.

#include <cuda_runtime.h>

namespace alder::cuda {

class Stream;

/// A place in a stream that others can wait for.
class Event {
public:
    Event();
    ~Event();
    Event(Event const&) = delete;
    Event& operator=(Event const&) = delete;
    void record(Stream& stream);
    /// The host waits.
    void synchronize();
    [[nodiscard]] cudaEvent_t handle() const { return handle_; }

private:
    cudaEvent_t handle_ = nullptr;
};

/// Work done in the order in which it is given; no order among streams but through events.
class Stream {
public:
    Stream();
    ~Stream();
    Stream(Stream const&) = delete;
    Stream& operator=(Stream const&) = delete;
    /// The host waits for all that was given.
    void synchronize();
    /// What is given from now on waits for the event's last recording.
    void waitFor(Event const& event);
    /// Whether what is given is taken down for a graph, and does not run.
    [[nodiscard]] bool recording() const;
    [[nodiscard]] cudaStream_t handle() const { return handle_; }

private:
    cudaStream_t handle_ = nullptr;
};

} // namespace alder::cuda
