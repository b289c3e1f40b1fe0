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

__global__ void sumByPointer(View<float const> from, View<float> to, int end)
{
    float const* const values = from.pointer(0);
    float sum = 0.0f;
    for (int i = 0; i < end; ++i) sum += values[i];
    to[0] = sum;
}

__global__ void fillByPointer(View<int> to, int end)
{
    ALDER_SHARED(int, row, blockSize);
    int* const values = row.pointer(0);
    for (int i = 0; i < end; ++i) values[i] = i;
    to[0] = values[3];
}

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

void readPastPointer(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> from(std::vector<float>(count, 1.0f), stream), to(1);
    launch<sumByPointer>({.grid = 1, .block = 1}, stream, from.constView(), to.view(), fault == Seeded::yes ? count + 1 : count);
    stream.synchronize();
}

void writePastSharedPointer(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> to(1);
    launch<fillByPointer>({.grid = 1, .block = 1}, stream, to.view(), fault == Seeded::yes ? blockSize + 1 : blockSize);
    stream.synchronize();
}

} // namespace alder::cuda::faults
