#pragma once
// Streams as queues, events as numbers that a queue passes, graphs as what a queue would have held.

#include "simt/runtime.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace alder::simt {

struct EventState {
    std::uint64_t recorded = 0, passed = 0;     ///< by which recording
    std::chrono::steady_clock::time_point when; ///< of the last that was passed
    std::shared_ptr<struct Capture> capture;    ///< the capture it was last recorded in, where that lasts
    std::vector<int> captured;                  ///< the nodes it stands after there
};

struct QueuedWork {
    std::function<void()> run; ///< none for a recording or a wait
    std::shared_ptr<EventState> event;
    std::uint64_t recording = 0;
    bool waits = false;
};

/// One piece of work of a graph.
struct GraphNode {
    std::function<void()> run;
    std::vector<int> after;
};

struct Capture {
    std::vector<GraphNode> nodes;
    std::vector<CUstream_st*> streams; ///< the first began it
    bool broken = false;
};

} // namespace alder::simt

struct CUstream_st {
    std::deque<alder::simt::QueuedWork> queue;
    std::shared_ptr<alder::simt::Capture> capture;
    std::vector<int> tips; ///< the nodes that what comes next stands after
};
struct CUevent_st {
    std::shared_ptr<alder::simt::EventState> state = std::make_shared<alder::simt::EventState>();
};
struct CUgraph_st {
    std::vector<alder::simt::GraphNode> nodes;
};
struct CUgraphExec_st {
    std::shared_ptr<std::vector<alder::simt::GraphNode> const> nodes;
};

namespace alder::simt {

/// The null handle's stream.
CUstream_st& streamOf(cudaStream_t handle);
/// Puts work into a stream, or into the graph that captures it.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> run);
/// Runs what is queued until a stream, or an event's recording, or everything is done; other streams' work may run too.
void drain(CUstream_st& stream);
void drainUntil(EventState const& event, std::uint64_t recording);
void drainAll();
/// Whether any stream is being captured: then the host may not wait.
bool capturing();
/// What is not permitted while a stream is captured spoils the capture.
cudaError_t breakCaptures();
/// An error for ever once the device is lost.
cudaError_t deviceState();
/// Whether a kernel may run, or the device is lost at it.
bool launchSucceeds();
/// Keeps an error for cudaGetLastError.
cudaError_t noted(cudaError_t error);
void setStreamSeed(std::uint64_t seed);
void countGraphLaunch();
void countLaunch(std::string_view name);

} // namespace alder::simt
