#include "streams.hpp"

#include "report.hpp"
#include "simt/control.hpp"

#include <algorithm>

namespace alder::simt {
namespace {

std::uint64_t streamSeed = 0, streamRandom = 0;
bool lost = false;
std::int64_t launchesToLoss = -1; ///< negative: none

std::vector<CUstream_st*>& allStreams()
{
    static CUstream_st null;
    static std::vector<CUstream_st*> streams{&null};
    return streams;
}

std::uint64_t drawn(std::uint64_t below)
{
    // an LCG's high bits are good enough to shuffle by
    streamRandom = streamRandom * 6364136223846793005ull + 1442695040888963407ull;
    return (streamRandom >> 33) % below;
}

bool canGoOn(CUstream_st const& stream)
{
    if (stream.queue.empty()) return false;
    QueuedWork const& front = stream.queue.front();
    return !front.waits || front.event->passed >= front.recording;
}

/// Does the next piece of work of one stream: of `wanted` where it can and no seed is set. False where every stream waits or is empty.
bool stepOnce(CUstream_st* wanted)
{
    CUstream_st* chosen = nullptr;
    if (streamSeed == 0 && wanted != nullptr && canGoOn(*wanted)) {
        chosen = wanted;
    } else {
        std::vector<CUstream_st*> able;
        for (CUstream_st* const stream : allStreams())
            if (canGoOn(*stream)) able.push_back(stream);
        if (able.empty()) return false;
        chosen = able[streamSeed == 0 ? 0 : drawn(able.size())];
    }
    QueuedWork const work = std::move(chosen->queue.front());
    chosen->queue.pop_front();
    if (!work.run && !work.waits) {
        work.event->passed = std::max(work.event->passed, work.recording);
        work.event->when = std::chrono::steady_clock::now();
    }
    if (work.run && !lost) work.run();
    return true;
}

[[noreturn]] void reportStreamsStuck()
{
    reportFault("streams wait for ever: an event is waited for whose recording stands behind the wait");
}

/// Whether `node` is among `tips` or before one of them.
bool reaches(std::vector<GraphNode> const& nodes, std::vector<int> const& tips, int node)
{
    std::vector<int> open = tips;
    std::vector<char> seen(nodes.size(), 0);
    while (!open.empty()) {
        int const at = open.back();
        open.pop_back();
        if (at == node) return true;
        if (seen[static_cast<std::size_t>(at)] != 0) continue;
        seen[static_cast<std::size_t>(at)] = 1;
        auto const& after = nodes[static_cast<std::size_t>(at)].after;
        open.insert(open.end(), after.begin(), after.end());
    }
    return false;
}

void addTips(std::vector<int>& tips, std::vector<int> const& more)
{
    for (int const node : more)
        if (std::find(tips.begin(), tips.end(), node) == tips.end()) tips.push_back(node);
}

/// A graph's work in one of the orders that its dependencies allow.
void runGraph(std::vector<GraphNode> const& nodes)
{
    std::vector<int> missing(nodes.size());
    std::vector<std::vector<int>> next(nodes.size());
    std::vector<int> able;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        missing[n] = static_cast<int>(nodes[n].after.size());
        for (int const before : nodes[n].after) next[static_cast<std::size_t>(before)].push_back(static_cast<int>(n));
        if (missing[n] == 0) able.push_back(static_cast<int>(n));
    }
    while (!able.empty()) {
        std::size_t const pick = streamSeed == 0 ? 0 : drawn(able.size());
        auto const node = static_cast<std::size_t>(able[pick]);
        able.erase(able.begin() + static_cast<std::ptrdiff_t>(pick));
        if (!lost) nodes[node].run();
        for (int const follower : next[node])
            if (--missing[static_cast<std::size_t>(follower)] == 0) able.push_back(follower);
    }
}

} // namespace

CUstream_st& streamOf(cudaStream_t handle) { return handle != nullptr ? *handle : *allStreams().front(); }

cudaError_t enqueue(cudaStream_t handle, std::function<void()> run)
{
    if (cudaError_t const error = deviceState()) return error;
    CUstream_st& stream = streamOf(handle);
    if (!stream.capture) {
        stream.queue.push_back({std::move(run), nullptr, 0, false});
        return cudaSuccess;
    }
    if (stream.capture->broken) return noted(cudaErrorStreamCaptureInvalidated);
    stream.capture->nodes.push_back({std::move(run), stream.tips});
    stream.tips = {static_cast<int>(stream.capture->nodes.size()) - 1};
    return cudaSuccess;
}

void drain(CUstream_st& stream)
{
    while (!stream.queue.empty())
        if (!stepOnce(&stream)) reportStreamsStuck();
}

void drainUntil(EventState const& event, std::uint64_t recording)
{
    while (event.passed < recording)
        if (!stepOnce(nullptr)) reportStreamsStuck();
}

void drainAll()
{
    for (;;) {
        auto const& streams = allStreams();
        if (std::all_of(streams.begin(), streams.end(), [](CUstream_st const* s) { return s->queue.empty(); })) return;
        if (!stepOnce(nullptr)) reportStreamsStuck();
    }
}

bool capturing()
{
    auto const& streams = allStreams();
    return std::any_of(streams.begin(), streams.end(), [](CUstream_st const* s) { return s->capture != nullptr; });
}

cudaError_t breakCaptures()
{
    for (CUstream_st* const stream : allStreams())
        if (stream->capture) stream->capture->broken = true;
    return noted(cudaErrorStreamCaptureUnsupported);
}

cudaError_t deviceState() { return lost ? noted(cudaErrorIllegalAddress) : cudaSuccess; }

bool launchSucceeds()
{
    if (launchesToLoss == 0) lost = true;
    if (launchesToLoss > 0) --launchesToLoss;
    return !lost;
}

void loseDeviceAfter(std::int64_t launches) { launchesToLoss = launches; }
void restoreDevice()
{
    lost = false;
    launchesToLoss = -1;
}

void setStreamSeed(std::uint64_t seed) { streamSeed = streamRandom = seed; }

} // namespace alder::simt

using namespace alder::simt;

cudaError_t cudaStreamCreate(cudaStream_t* stream)
{
    *stream = new CUstream_st;
    allStreams().push_back(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) { return cudaStreamCreate(stream); }

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    // the device finishes what was queued; here that is done at once
    if (stream == nullptr) return noted(cudaErrorInvalidResourceHandle);
    drain(*stream);
    std::erase(allStreams(), stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    if (streamOf(stream).capture) return noted(cudaErrorStreamCaptureUnsupported);
    return streamOf(stream).queue.empty() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned)
{
    CUstream_st& stream = streamOf(handle);
    EventState& state = *event->state;
    if (state.capture) {
        if (stream.capture && stream.capture != state.capture) {
            stream.capture->broken = state.capture->broken = true;
            return noted(cudaErrorStreamCaptureIsolation);
        }
        if (!stream.capture) {
            stream.capture = state.capture;
            stream.capture->streams.push_back(&stream);
            stream.tips.clear();
        }
        addTips(stream.tips, state.captured);
        return cudaSuccess;
    }
    if (stream.capture) {
        // a graph cannot wait for work outside it
        stream.capture->broken = true;
        return noted(cudaErrorStreamCaptureIsolation);
    }
    if (state.recorded > 0) stream.queue.push_back({{}, event->state, state.recorded, true});
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    *event = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle)
{
    CUstream_st& stream = streamOf(handle);
    EventState& state = *event->state;
    if (stream.capture) {
        state.capture = stream.capture;
        state.captured = stream.tips;
        return cudaSuccess;
    }
    state.capture = nullptr;
    stream.queue.push_back({{}, event->state, ++state.recorded, false});
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return event->state->passed >= event->state->recorded ? cudaSuccess : cudaErrorNotReady; }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    // the host's time for what it did between the two
    *milliseconds = std::chrono::duration<float, std::milli>(end->state->when - start->state->when).count();
    return cudaEventQuery(start) == cudaSuccess && cudaEventQuery(end) == cudaSuccess ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode)
{
    CUstream_st& stream = streamOf(handle);
    if (handle == nullptr || stream.capture) return noted(cudaErrorStreamCaptureUnsupported);
    stream.capture = std::make_shared<Capture>();
    stream.capture->streams.push_back(&stream);
    stream.tips.clear();
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
{
    auto const& capture = streamOf(stream).capture;
    *status = !capture ? cudaStreamCaptureStatusNone : capture->broken ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph)
{
    *graph = nullptr;
    CUstream_st& stream = streamOf(handle);
    auto const capture = stream.capture;
    if (!capture || capture->streams.front() != &stream) return noted(cudaErrorStreamCaptureUnmatched);
    bool joined = true;
    for (CUstream_st* const member : capture->streams) {
        for (int const tip : member->tips) joined = joined && reaches(capture->nodes, stream.tips, tip);
        member->capture = nullptr;
    }
    if (capture->broken) return noted(cudaErrorStreamCaptureInvalidated);
    if (!joined) return noted(cudaErrorStreamCaptureUnjoined);
    // events recorded in it stay tied to a capture that is over; broken, so that waiting for one is an error
    capture->broken = true;
    *graph = new CUgraph_st{std::move(capture->nodes)};
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long)
{
    *executable = new CUgraphExec_st{std::make_shared<std::vector<GraphNode> const>(graph->nodes)};
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    return enqueue(stream, [nodes = executable->nodes] {
        countGraphLaunch();
        runGraph(*nodes);
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, std::size_t* count)
{
    *count = graph->nodes.size();
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    delete executable;
    return cudaSuccess;
}
