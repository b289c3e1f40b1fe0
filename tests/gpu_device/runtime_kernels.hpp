#pragma once
// Small kernels for the tests of streams, buffers and graphs.

#include "device/buffers.hpp"

namespace alder::cuda {

/// to[i] = factor from[i] + term
void scaleInto(DeviceBuffer<int> const& from, DeviceBuffer<int>& to, int factor, int term, Stream& stream);

} // namespace alder::cuda
