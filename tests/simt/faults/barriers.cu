#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

constexpr int blockSize = 64;

__global__ void rotate(View<int> values, int end, Seeded fault)
{
    ALDER_SHARED(int, row, blockSize);
    int const i = static_cast<int>(threadIdx.x);
    if (fault == Seeded::yes && i >= end) return;
    if (i < end) row[i] = values[i];
    __syncthreads();
    if (i < end) values[i] = row[(i + 1) % end];
}

__global__ void branch(View<int> values, Seeded fault)
{
    if (fault == Seeded::yes && threadIdx.x < 32) {
        values[threadIdx.x] = 1;
        __syncthreads();
    } else {
        values[threadIdx.x] = 2;
        __syncthreads();
    }
}

} // namespace

void returnBeforeBarrier(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> values(std::vector<int>(50, 3), stream);
    launch<rotate>({.grid = 1, .block = blockSize}, stream, values.view(), 50, fault);
    stream.synchronize();
}

void meetAtTwoBarriers(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> values(blockSize);
    launch<branch>({.grid = 1, .block = blockSize}, stream, values.view(), fault);
    stream.synchronize();
}

} // namespace alder::cuda::faults
