// A recursion deeper than a thread's stack on the emulation. Not for nvcc, which warns of any recursion.

#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

int descend(int depth)
{
    char volatile level[1024];
    for (char volatile& byte : level) byte = 1;
    return depth > 0 ? descend(depth - 1) + level[0] : 0;
}

__global__ void fillDeep(View<int> out, int depth)
{
    // all lanes have their stacks from here on: lane 8's overrun falls into those of others
    __syncwarp(fullWarp);
    out[threadIdx.x] = descend(threadIdx.x == 8 ? depth : 1);
}

} // namespace

void overrunStack(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> out(32);
    launch<fillDeep>({.grid = 1, .block = 32}, stream, out.view(), fault == Seeded::yes ? 140 : 10); // KiB; stacks have 32 or 128
    stream.synchronize();
}

} // namespace alder::cuda::faults
