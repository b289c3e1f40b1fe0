#include "simt/runtime.hpp"

#include "device_memory.hpp"
#include "nvtx3/nvToolsExt.h"
#include "report.hpp"
#include "running_block.hpp"
#include "simt/control.hpp"
#include "streams.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

namespace alder::simt {
namespace {

Counts counted;
std::map<std::byte const*, std::size_t> pinned;
std::size_t memoryLimit = std::size_t{8} << 30;
int deviceCount = 1, rangeDepth = 0;

struct SeedOfEnvironment {
    SeedOfEnvironment()
    {
        if (char const* const text = std::getenv("ALDER_SIMT_SEED")) setSeed(std::strtoull(text, nullptr, 10));
    }
} const seedOfEnvironment;

bool isPinned(void const* at)
{
    auto const* const address = static_cast<std::byte const*>(at);
    auto found = pinned.upper_bound(address);
    if (found == pinned.begin()) return false;
    --found;
    return address < found->first + found->second;
}

/// The host waits: not while a graph is captured.
cudaError_t hostWaits()
{
    if (capturing()) return breakCaptures();
    ++counted.synchronizations;
    return cudaSuccess;
}

void copyNow(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind)
{
    if (bytes == 0) return;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        checkDeviceRange(Access::write, to, bytes);
        std::memcpy(to, from, bytes);
        markWritten(to, bytes);
        counted.bytesToDevice += static_cast<std::int64_t>(bytes);
        break;
    case cudaMemcpyDeviceToHost:
        checkDeviceRange(Access::read, from, bytes);
        std::memcpy(to, from, bytes);
        counted.bytesToHost += static_cast<std::int64_t>(bytes);
        break;
    case cudaMemcpyDeviceToDevice:
        checkDeviceRange(Access::write, to, bytes);
        checkDeviceRange(Access::write, from, bytes); // allocated is enough: what was unwritten stays so
        copyWithin(to, from, bytes);
        break;
    default: std::memcpy(to, from, bytes);
    }
}

cudaMemcpyKind kindOf(void const* to, void const* from, cudaMemcpyKind kind)
{
    if (kind != cudaMemcpyDefault) return kind;
    return isDevice(to)     ? isDevice(from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice
           : isDevice(from) ? cudaMemcpyDeviceToHost
                            : cudaMemcpyHostToHost;
}

bool kindHolds(void const* to, void const* from, cudaMemcpyKind kind)
{
    return isDevice(to) == (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) &&
           isDevice(from) == (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
}

} // namespace

void setSeed(std::uint64_t seed)
{
    setBlockSeed(seed);
    setStreamSeed(seed);
}
void setWorkers(int count) { setBlockWorkers(count); }
void setDevices(int count) { deviceCount = count; }
void setDeviceMemory(std::size_t bytes) { memoryLimit = bytes; }
Counts const& counts() { return counted; }
void resetCounts() { counted = {}; }
void countLaunch(std::string_view name)
{
    ++counted.launches[bareKernelName(name)];
    ++counted.instances[std::string(name)];
}
void countGraphLaunch() { ++counted.graphLaunches; }

cudaError_t enqueueKernel(cudaStream_t stream, KernelCall call)
{
    std::uint64_t const threads = std::uint64_t{call.block.x} * call.block.y * call.block.z;
    std::uint64_t const blocks = std::uint64_t{call.grid.x} * call.grid.y * call.grid.z;
    if (threads == 0 || threads > 1024 || call.block.z > 64 || blocks == 0 || call.grid.x > 0x7fffffffu || call.grid.y > 65535 ||
        call.grid.z > 65535)
        return noted(cudaErrorInvalidConfiguration);
    return enqueue(stream, [call = std::move(call)] {
        if (!launchSucceeds()) return;
        countLaunch(call.name);
        runGrid(call);
    });
}

} // namespace alder::simt

using namespace alder::simt;

cudaError_t cudaMalloc(void** at, std::size_t bytes)
{
    if (capturing()) return breakCaptures();
    if (cudaError_t const error = deviceState()) return error;
    *at = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (deviceBytesInUse() + bytes > memoryLimit) return noted(cudaErrorMemoryAllocation);
    *at = allocateDevice(bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void* at)
{
    if (at == nullptr) return cudaSuccess;
    if (cudaError_t const error = hostWaits()) return error;
    drainAll();
    if (cudaError_t const error = deviceState()) return error;
    return freeDevice(at) ? cudaSuccess : noted(cudaErrorInvalidValue);
}

cudaError_t cudaMallocHost(void** at, std::size_t bytes)
{
    *at = bytes == 0 ? nullptr : std::malloc(bytes);
    if (bytes == 0) return cudaSuccess;
    if (*at == nullptr) return noted(cudaErrorMemoryAllocation);
    std::memset(*at, 0xfb, bytes);
    pinned[static_cast<std::byte const*>(*at)] = bytes;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void* at)
{
    if (at == nullptr) return cudaSuccess;
    if (cudaError_t const error = hostWaits()) return error;
    drainAll();
    if (pinned.erase(static_cast<std::byte const*>(at)) == 0) return noted(cudaErrorInvalidValue);
    std::free(at);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind)
{
    kind = kindOf(to, from, kind);
    if (bytes > 0 && !kindHolds(to, from, kind)) return noted(cudaErrorInvalidValue);
    if (cudaError_t const error = hostWaits()) return error;
    drainAll();
    if (cudaError_t const error = deviceState()) return error;
    copyNow(to, from, bytes, kind);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    kind = kindOf(to, from, kind);
    if (bytes == 0) return cudaSuccess;
    if (!kindHolds(to, from, kind)) return noted(cudaErrorInvalidValue);
    bool const captured = streamOf(stream).capture != nullptr;
    if (kind == cudaMemcpyHostToDevice && !isPinned(from) && !captured) {
        // pageable memory is read before the call returns; pinned memory when the copy's turn comes
        auto const* const bytesFrom = static_cast<std::byte const*>(from);
        auto kept = std::make_shared<std::vector<std::byte>>(bytesFrom, bytesFrom + bytes);
        return enqueue(stream, [=] { copyNow(to, kept->data(), bytes, cudaMemcpyHostToDevice); });
    }
    cudaError_t const error = enqueue(stream, [=] { copyNow(to, from, bytes, kind); });
    if (error == cudaSuccess && kind == cudaMemcpyDeviceToHost && !isPinned(to) && !captured) {
        // the call returns when pageable memory holds the copy: the host has waited
        ++counted.synchronizations;
        drain(streamOf(stream));
        return deviceState();
    }
    return error;
}

cudaError_t cudaMemset(void* at, int value, std::size_t bytes) { return cudaMemsetAsync(at, value, bytes, nullptr); }

cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t stream)
{
    if (bytes == 0) return cudaSuccess;
    if (!isDevice(at)) return noted(cudaErrorInvalidValue);
    return enqueue(stream, [=] {
        checkDeviceRange(Access::write, at, bytes);
        std::memset(at, value, bytes);
        markWritten(at, bytes);
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    *total = memoryLimit;
    *free = memoryLimit - deviceBytesInUse();
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (cudaError_t const error = hostWaits()) return error;
    drain(streamOf(stream));
    return deviceState();
}

cudaError_t cudaDeviceSynchronize()
{
    if (cudaError_t const error = hostWaits()) return error;
    drainAll();
    return deviceState();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (cudaError_t const error = hostWaits()) return error;
    drainUntil(*event->state, event->state->recorded);
    return deviceState();
}

cudaError_t cudaGetDeviceCount(int* count)
{
    *count = deviceCount;
    return deviceCount > 0 ? cudaSuccess : noted(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device)
{
    *device = 0;
    return deviceCount > 0 ? cudaSuccess : noted(cudaErrorNoDevice);
}
cudaError_t cudaSetDevice(int device)
{
    return deviceCount == 0 ? noted(cudaErrorNoDevice) : device < 0 || device >= deviceCount ? noted(cudaErrorInvalidDevice) : cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    if (cudaError_t const error = cudaSetDevice(device)) return error;
    *properties = {};
    std::strncpy(properties->name, "emulated GPU", sizeof properties->name - 1);
    properties->totalGlobalMem = memoryLimit;
    properties->sharedMemPerBlock = sharedLimit;
    properties->regsPerBlock = 65536;
    properties->warpSize = 32;
    properties->maxThreadsPerBlock = 1024;
    properties->major = 9;
    properties->multiProcessorCount = 4;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    if (cudaError_t const error = cudaSetDevice(device)) return error;
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = 4; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor: *value = 9; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor: *value = 0; return cudaSuccess;
    }
    return noted(cudaErrorInvalidValue);
}

int nvtxRangePushA(char const* name)
{
    ++counted.ranges[name];
    return rangeDepth++;
}
int nvtxRangePop() { return rangeDepth > 0 ? --rangeDepth : -2; }
void nvtxMarkA(char const* name) { ++counted.ranges[name]; }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}
