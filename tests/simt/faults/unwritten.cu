#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

constexpr int count = 64;

__global__ void fill(View<float> to, int end)
{
    if (static_cast<int>(threadIdx.x) < end) to[threadIdx.x] = 1.0f;
}

__global__ void copy(View<float const> from, View<float> to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void add(View<std::int64_t> sums) { addUnits(sums, threadIdx.x, 1); }

__global__ void turn(View<int> to, int end)
{
    ALDER_SHARED(int, row, count);
    int const i = static_cast<int>(threadIdx.x);
    if (i < end) row[i] = i;
    __syncthreads();
    to[i] = row[count - 1 - i];
}

__global__ void fillInFirstBlock(View<int> to, int writers)
{
    ALDER_SHARED(int, row, count);
    int const i = static_cast<int>(threadIdx.x);
    if (static_cast<int>(blockIdx.x) < writers) row[i] = i;
    __syncthreads();
    to[static_cast<int>(blockIdx.x) * count + i] = row[i];
}

} // namespace

void readUnwritten(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> from(count), to(count);
    launch<fill>({.grid = 1, .block = count}, stream, from.view(), fault == Seeded::yes ? count - 1 : count);
    launch<copy>({.grid = 1, .block = count}, stream, from.constView(), to.view());
    stream.synchronize();
}

void addToUnwritten(Seeded fault)
{
    Stream stream;
    DeviceBuffer<std::int64_t> sums(count);
    if (fault == Seeded::no) sums.clear(stream);
    launch<add>({.grid = 1, .block = count}, stream, sums.view());
    stream.synchronize();
}

void readUnwrittenShared(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> to(count);
    launch<turn>({.grid = 1, .block = count}, stream, to.view(), fault == Seeded::yes ? count - 1 : count);
    stream.synchronize();
}

void readSharedOfBlockBefore(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> to(2 * count);
    launch<fillInFirstBlock>({.grid = 2, .block = count}, stream, to.view(), fault == Seeded::yes ? 1 : 2);
    stream.synchronize();
}

void downloadUnwritten(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> to(count);
    launch<fill>({.grid = 1, .block = count}, stream, to.view(), fault == Seeded::yes ? count - 1 : count);
    static_cast<void>(to.download(stream));
}

} // namespace alder::cuda::faults
