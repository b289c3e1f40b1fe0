#include "gpu_device/runtime_kernels.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"

namespace alder::cuda {
namespace {

__global__ void scale(View<int const> from, View<int> to, int factor, int term, int count)
{
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = factor * from[i] + term;
}

__global__ void writeNumber(View<int> to) { to[threadIdx.x] = static_cast<int>(threadIdx.x); }

} // namespace

void scaleInto(DeviceBuffer<int> const& from, DeviceBuffer<int>& to, int factor, int term, Stream& stream)
{
    launch<scale>({.grid = blocksFor(from.size(), 32), .block = 32}, stream, from.constView(), to.view(), factor, term,
                  static_cast<int>(from.size()));
}

void writeNumbers(DeviceBuffer<int>& to, unsigned threads, Stream& stream)
{
    launch<writeNumber>({.grid = 1, .block = threads}, stream, to.view());
}

} // namespace alder::cuda
