#include "engine/impulse.hpp"

#include "device/launch.hpp"

namespace alder::cuda {

namespace {

constexpr unsigned impulseThreads = 256;

__global__ void __launch_bounds__(impulseThreads)
    addImpulse(View<std::int64_t> sum, View<std::int64_t> waiting, std::size_t count, std::int64_t times)
{
    std::size_t const i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    std::int64_t const fast = sum[i], slow = waiting[i];
    sum[i] = fast + slow;
    waiting[i] = fast + times * slow;
}

} // namespace

void makeImpulse(View<std::int64_t> sum, View<std::int64_t> waiting, std::size_t count, std::int64_t times, Stream& stream)
{
    launch<addImpulse>({.grid = blocksFor(count, impulseThreads), .block = impulseThreads}, stream, sum, waiting, count, times);
}

} // namespace alder::cuda
