#pragma once
// Small kernels for the tests of streams, buffers and graphs.

#include "device/buffers.hpp"

namespace alder::cuda {

/// to[i] = factor from[i] + term
void scaleInto(DeviceBuffer<int> const& from, DeviceBuffer<int>& to, int factor, int term, Stream& stream);

/// One block of so many threads, each of which writes its number.
void writeNumbers(DeviceBuffer<int>& to, unsigned threads, Stream& stream);

} // namespace alder::cuda
