#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

__global__ void readVectors(View<float const> from, View<float> to, int first)
{
    float4 const four = from.from(static_cast<std::size_t>(first)).as<float4 const>()[threadIdx.x];
    to[threadIdx.x] = four.x + four.w;
}

__global__ void addAtWord(View<int> sums, int first) { atomicAdd(reinterpret_cast<unsigned long long*>(sums.pointer(first)), 1ull); }

} // namespace

void readMisalignedVector(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> const from(std::vector<float>(72, 1.0f), stream);
    DeviceBuffer<float> to(16);
    launch<readVectors>({.grid = 1, .block = 16}, stream, from.constView(), to.view(), fault == Seeded::yes ? 2 : 4);
    stream.synchronize();
}

void addMisaligned(Seeded fault)
{
    Stream stream;
    DeviceBuffer<int> sums(8);
    sums.clear(stream);
    launch<addAtWord>({.grid = 1, .block = 4}, stream, sums.view(), fault == Seeded::yes ? 1 : 2);
    stream.synchronize();
}

} // namespace alder::cuda::faults
