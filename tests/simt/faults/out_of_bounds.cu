#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

constexpr int count = 70, blockSize = 32;

__global__ void copyUpTo(View<float const> from, View<float> to, int end)
{
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < end) to[i % count] = from[i];
}

__global__ void writeShifted(View<float> to, int shift)
{
    int const i = static_cast<int>(threadIdx.x);
    to[i - shift] = 1.0f;
}

__global__ void fillShared(View<int> to, int shift)
{
    ALDER_SHARED(int, row, blockSize);
    int const i = static_cast<int>(threadIdx.x);
    row[i + shift] = i;
    __syncthreads();
    to[i] = row[i];
}

__global__ void addAt(View<std::int64_t> sums, int shift) { addUnits(sums, threadIdx.x + static_cast<unsigned>(shift), 1); }

} // namespace

void readPastView(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> from(std::vector<float>(count, 1.0f), stream), to(count);
    launch<copyUpTo>({.grid = 3, .block = blockSize}, stream, from.view(), to.view(), fault == Seeded::yes ? count + 1 : count);
    stream.synchronize();
}

void writeBeforeView(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> to(blockSize);
    launch<writeShifted>({.grid = 1, .block = blockSize}, stream, to.view(), fault == Seeded::yes ? 1 : 0);
    stream.synchronize();
}

void writePastShared(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> to(blockSize);
    launch<fillShared>({.grid = 1, .block = blockSize}, stream, to.view(), fault == Seeded::yes ? 1 : 0);
    stream.synchronize();
}

void addPastView(Seeded fault)
{
    Stream stream;
    DeviceBuffer<std::int64_t> sums(blockSize);
    sums.clear(stream);
    launch<addAt>({.grid = 1, .block = blockSize}, stream, sums.view(), fault == Seeded::yes ? 1 : 0);
    stream.synchronize();
}

} // namespace alder::cuda::faults
