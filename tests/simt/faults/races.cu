#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

constexpr int blockSize = 64;

/// The second warp reads what the first writes.
__global__ void giveToWarp(View<int> out, Seeded fault)
{
    ALDER_SHARED(int, row, blockSize);
    int const i = static_cast<int>(threadIdx.x);
    row[i] = 0;
    __syncthreads();
    if (i < 32) row[i] = i;
    if (fault == Seeded::no) __syncthreads();
    out[i] = row[i % 32];
}

/// The first warp reads what the second then overwrites.
__global__ void takeAndClear(View<int> out, Seeded fault)
{
    ALDER_SHARED(int, row, blockSize);
    int const i = static_cast<int>(threadIdx.x);
    row[i] = i;
    __syncthreads();
    if (i < 32) out[i] = row[i + 32];
    if (fault == Seeded::no) __syncthreads();
    if (i >= 32) row[i] = 0;
}

__global__ void giveToLane(View<int> out, Seeded fault)
{
    ALDER_SHARED(int, row, blockSize);
    int const i = static_cast<int>(threadIdx.x);
    row[i] = 0;
    __syncwarp(fullWarp);
    row[i] = i;
    if (fault == Seeded::no) __syncwarp(fullWarp);
    out[i] = row[i & ~1];
}

__global__ void countInShared(View<int> out, Seeded fault)
{
    ALDER_SHARED(int, total, 1);
    if (threadIdx.x == 0) total[0] = 0;
    __syncthreads();
    atomicAdd(total.pointer(0), 1);
    if (fault == Seeded::no) __syncthreads();
    if (threadIdx.x == 0) out[0] = total[0];
}

/// The halves of a warp meet by themselves, which orders nothing between them.
__global__ void turnHalves(View<int> out, Seeded fault)
{
    ALDER_SHARED(int, row, 32);
    int const i = static_cast<int>(threadIdx.x);
    row[i] = 0;
    __syncwarp(fullWarp);
    row[i] = i;
    __syncwarp(i < 16 ? 0x0000ffffu : 0xffff0000u);
    out[i] = row[i ^ (fault == Seeded::yes ? 16 : 8)];
}

template <class Launch> void runOn(int count, Launch const& work)
{
    Stream stream;
    DeviceBuffer<int> out(static_cast<std::size_t>(count));
    work(stream, out.view());
    stream.synchronize();
}

} // namespace

void readBeforeBarrier(Seeded fault)
{
    runOn(blockSize, [=](Stream& stream, View<int> out) { launch<giveToWarp>({.grid = 1, .block = blockSize}, stream, out, fault); });
}
void overwriteBeforeBarrier(Seeded fault)
{
    runOn(blockSize, [=](Stream& stream, View<int> out) { launch<takeAndClear>({.grid = 1, .block = blockSize}, stream, out, fault); });
}
void readBeforeWarpMeets(Seeded fault)
{
    runOn(blockSize, [=](Stream& stream, View<int> out) { launch<giveToLane>({.grid = 1, .block = blockSize}, stream, out, fault); });
}
void readBesideAtomics(Seeded fault)
{
    runOn(1, [=](Stream& stream, View<int> out) { launch<countInShared>({.grid = 1, .block = blockSize}, stream, out, fault); });
}
void meetInHalves(Seeded fault)
{
    runOn(32, [=](Stream& stream, View<int> out) { launch<turnHalves>({.grid = 1, .block = 32}, stream, out, fault); });
}

} // namespace alder::cuda::faults
