#include "device/stream.hpp"

#include "device/check.hpp"

namespace alder::cuda {

Event::Event() { check(cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming), "making an event"); }
Event::~Event() { cudaEventDestroy(handle_); }
void Event::record(Stream& stream) { check(cudaEventRecord(handle_, stream.handle()), "recording an event"); }
void Event::synchronize() { check(cudaEventSynchronize(handle_), "waiting for an event"); }

Stream::Stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "making a stream"); }
Stream::~Stream() { cudaStreamDestroy(handle_); }
void Stream::synchronize() { check(cudaStreamSynchronize(handle_), "waiting for a stream"); }
void Stream::waitFor(Event const& event) { check(cudaStreamWaitEvent(handle_, event.handle(), 0), "waiting for an event in a stream"); }

bool Stream::recording() const
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(handle_, &status), "asking for a recording");
    return status != cudaStreamCaptureStatusNone;
}

} // namespace alder::cuda
