#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

__global__ void sumInBranch(View<int> out, Seeded fault)
{
    int const lane = static_cast<int>(threadIdx.x);
    int value = lane;
    if (fault == Seeded::no || lane < 16) value += __shfl_xor_sync(fullWarp, value, 1);
    __syncthreads();
    out[lane] = value;
}

__global__ void shuffleOrVote(View<int> out, Seeded fault)
{
    int const lane = static_cast<int>(threadIdx.x);
    unsigned const mask = fault == Seeded::yes ? fullWarp : lane < 16 ? 0x0000ffffu : 0xffff0000u;
    if (lane < 16)
        out[lane] = __shfl_sync(mask, lane, 0);
    else
        out[lane] = __any_sync(mask, lane == 20);
}

__global__ void sumHalf(View<int> out, unsigned mask)
{
    int const lane = static_cast<int>(threadIdx.x);
    if (lane < 16) out[lane] = __shfl_xor_sync(mask, lane, 1);
}

__global__ void fromLane(View<int> out, int source)
{
    int const lane = static_cast<int>(threadIdx.x);
    if (lane < 16) out[lane] = __shfl_sync(0x0000ffffu, lane, source);
}

} // namespace

void shuffleInBranch(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> out(32);
    launch<sumInBranch>({.grid = 1, .block = 32}, stream, out.view(), fault);
    stream.synchronize();
}

void shuffleAndVote(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> out(32);
    launch<shuffleOrVote>({.grid = 1, .block = 32}, stream, out.view(), fault);
    stream.synchronize();
}

void shuffleWithoutCaller(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> out(32);
    launch<sumHalf>({.grid = 1, .block = 32}, stream, out.view(), fault == Seeded::yes ? 0x0000fffeu : 0x0000ffffu);
    stream.synchronize();
}

void shuffleFromAbsentLane(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> out(32);
    launch<fromLane>({.grid = 1, .block = 32}, stream, out.view(), fault == Seeded::yes ? 16 : 15);
    stream.synchronize();
}

} // namespace alder::cuda::faults
