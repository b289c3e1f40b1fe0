#include "device/buffers.hpp"

#include <atomic>

namespace alder::cuda {

namespace {

std::atomic<std::uint64_t> allocations{0};

} // namespace

std::uint64_t allocationCount() { return allocations; }

void countAllocation() { ++allocations; }

} // namespace alder::cuda
