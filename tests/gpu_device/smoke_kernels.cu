#include "gpu_device/smoke_kernels.hpp"

#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"

namespace alder::cuda {
namespace {

constexpr int blockSize = 128;

__global__ void sumBlocks(View<float const> values, View<std::int64_t> sums, int count)
{
    ALDER_SHARED(std::int64_t, part, blockSize);
    int const thread = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * blockSize + thread;
    part[thread] = i < count ? static_cast<std::int64_t>(__float2int_rn(values[i] * 1024.0f)) : 0;
    __syncthreads();
    for (int half = blockSize / 2; half > 0; half /= 2) {
        if (thread < half) part[thread] += part[thread + half];
        __syncthreads();
    }
    if (thread == 0) sums[blockIdx.x] = part[0];
}

template <int perThread>
__global__ void __launch_bounds__(blockSize) sumWarps(View<std::int64_t const> values, View<std::int64_t> sum, int count)
{
    std::int64_t own = 0;
    int const first = (static_cast<int>(blockIdx.x) * blockSize + static_cast<int>(threadIdx.x)) * perThread;
    for (int i = first; i < first + perThread && i < count; ++i) own += values[i];
    for (int bits = warpLanes / 2; bits > 0; bits /= 2) own += __shfl_xor_sync(fullWarp, own, bits);
    if (threadIdx.x % warpLanes == 0) addUnits(sum, 0, own);
}

} // namespace

std::vector<std::int64_t> blockSums(std::vector<float> const& values, Stream& stream)
{
    unsigned const blocks = blocksFor(values.size(), blockSize);
    DeviceBuffer<float> const given(values, stream);
    DeviceBuffer<std::int64_t> sums(blocks);
    launch<sumBlocks>({.grid = blocks, .block = blockSize}, stream, given.constView(), sums.view(), static_cast<int>(values.size()));
    return sums.download(stream);
}

std::int64_t warpSum(std::vector<std::int64_t> const& values, Stream& stream)
{
    DeviceBuffer<std::int64_t> const given(values, stream);
    DeviceBuffer<std::int64_t> sum(1);
    sum.clear(stream);
    launch<sumWarps<3>>({.grid = blocksFor(values.size(), 3 * blockSize), .block = blockSize}, stream, given.constView(), sum.view(),
                        static_cast<int>(values.size()));
    return sum.download(stream).front();
}

} // namespace alder::cuda
