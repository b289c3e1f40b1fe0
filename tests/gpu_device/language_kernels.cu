#include "gpu_device/language_kernels.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"
#include "device/warp_sums.hpp"

namespace alder::cuda {
namespace {

__global__ void laneWord(View<int> out, LaneWord word)
{
    int const lane = static_cast<int>(threadIdx.x);
    int const vote = lane % 3 == 0 ? 1 : 0;
    if (word == LaneWord::returned && lane >= 20) {
        out[lane] = -1;
        return;
    }
    int value = 0;
    switch (word) {
    case LaneWord::fromThree: value = __shfl_sync(fullWarp, lane, 3); break;
    case LaneWord::fromThreeOfEight: value = __shfl_sync(fullWarp, lane, 3, 8); break;
    case LaneWord::exchange: value = __shfl_xor_sync(fullWarp, lane, 5); break;
    case LaneWord::down: value = __shfl_down_sync(fullWarp, lane, 4); break;
    case LaneWord::downOfEight: value = __shfl_down_sync(fullWarp, lane, 4, 8); break;
    case LaneWord::up: value = __shfl_up_sync(fullWarp, lane, 4); break;
    case LaneWord::wide: value = static_cast<int>(__shfl_xor_sync(fullWarp, static_cast<double>(lane), 1)); break;
    case LaneWord::ballot: value = static_cast<int>(__ballot_sync(fullWarp, vote)); break;
    case LaneWord::any: value = __any_sync(fullWarp, lane == 7); break;
    case LaneWord::all: value = __all_sync(fullWarp, lane != 7); break;
    case LaneWord::halves: value = static_cast<int>(__ballot_sync(lane < 16 ? 0x0000ffffu : 0xffff0000u, vote)); break;
    case LaneWord::match: value = static_cast<int>(__match_any_sync(fullWarp, lane % 4)); break;
    case LaneWord::sum: value = sumOverWarp(lane); break;
    case LaneWord::sumOrder: {
        constexpr double even = 9007199254740992; // 2^53: adding 1 to it is lost
        value = static_cast<int>(sumOverWarp(lane == 0 ? even : lane == 1 ? -even : lane == 16 ? 1.0 : 0.0));
        break;
    }
    case LaneWord::returned: value = static_cast<int>(__ballot_sync(fullWarp, vote)); break;
    }
    out[lane] = value;
}

__global__ void atomics(View<int> out)
{
    int const thread = static_cast<int>(threadIdx.x);
    atomicAdd(out.pointer(0), thread);
    atomicMax(out.pointer(1), thread);
    atomicMin(out.pointer(2), thread);
    atomicAnd(out.pointer(3), thread | 64);
    atomicOr(out.pointer(4), thread);
    if (atomicCAS(out.pointer(5), 5, 6) == 5) atomicAdd(out.pointer(6), 1);
}

__global__ void number(View<int> out)
{
    unsigned const block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned const thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned const i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    out[i] = static_cast<int>(i);
}

__global__ void blockVotes(View<int> out)
{
    int const vote = threadIdx.x % 3 == 0 ? 1 : 0;
    int const count = __syncthreads_count(vote);
    int const any = __syncthreads_or(vote);
    int const all = __syncthreads_and(vote);
    if (threadIdx.x == 0) {
        out[0] = count;
        out[1] = any != 0 ? 1 : 0;
        out[2] = all != 0 ? 1 : 0;
    }
}

__global__ void numbers(View<int> out)
{
    out[0] = __popc(0xffu);
    out[1] = __ffs(0x10);
    out[2] = __clz(0x80);
    out[3] = __float2int_rn(2.5f);
    out[4] = __float2int_rn(-1.5f);
    out[5] = __float2int_rd(-2.5f);
    out[6] = __float_as_int(1.5f);
    out[7] = static_cast<int>(__umulhi(0x80000000u, 0x80000000u));
}

} // namespace

void writeLaneWord(LaneWord word, DeviceBuffer<int>& out, Stream& stream)
{
    launch<laneWord>({.grid = 1, .block = 32}, stream, out.view(), word);
}
void operateAtomically(DeviceBuffer<int>& out, Stream& stream) { launch<atomics>({.grid = 1, .block = 64}, stream, out.view()); }
void numberThreads(DeviceBuffer<int>& out, Stream& stream)
{
    launch<number>({.grid = dim3(2, 3, 2), .block = dim3(4, 3, 2)}, stream, out.view());
}
void voteInBlock(DeviceBuffer<int>& out, Stream& stream) { launch<blockVotes>({.grid = 1, .block = 100}, stream, out.view()); }
void takeNumbersApart(DeviceBuffer<int>& out, Stream& stream) { launch<numbers>({.grid = 1, .block = 1}, stream, out.view()); }

} // namespace alder::cuda
