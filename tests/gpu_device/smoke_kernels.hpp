#pragma once
// Kernels that use each part of the device language once.

#include "device/stream.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// Sums by block, in shared memory over barriers.
std::vector<std::int64_t> blockSums(std::vector<float> const& values, Stream& stream);
/// One sum, by shuffles within warps and atomic operations among them.
std::int64_t warpSum(std::vector<std::int64_t> const& values, Stream& stream);

} // namespace alder::cuda
