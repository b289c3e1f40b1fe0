#include "device/buffers.hpp"

#include <atomic>

namespace alder::cuda {

namespace {

std::atomic<std::uint64_t> allocations{0};
std::atomic<std::int64_t> deviceBytes{0}, peak{0};

} // namespace

std::uint64_t allocationCount() { return allocations; }

void countAllocation() { ++allocations; }

std::uint64_t peakDeviceBytes() { return static_cast<std::uint64_t>(peak.load()); }

void countDeviceBytes(std::int64_t change)
{
    std::int64_t const now = deviceBytes += change;
    std::int64_t most = peak;
    while (now > most && !peak.compare_exchange_weak(most, now)) {}
}

} // namespace alder::cuda
