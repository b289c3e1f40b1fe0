#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

#include <memory>

namespace alder::cuda::faults {
namespace {

constexpr int count = 32;

__global__ void copy(View<float const> from, View<float> to) { to[threadIdx.x] = from[threadIdx.x]; }

} // namespace

void readFreed(Seeded fault)
{
    Stream stream;
    auto from = std::make_unique<DeviceBuffer<float>>(std::vector<float>(count, 1.0f), stream);
    DeviceBuffer<float> to(count);
    View<float const> const kept = from->constView();
    if (fault == Seeded::yes) from.reset();
    DeviceBuffer<float> const inItsPlace(std::vector<float>(count, 2.0f), stream);
    launch<copy>({.grid = 1, .block = count}, stream, kept, to.view());
    stream.synchronize();
}

void writeFreed(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> const from(std::vector<float>(count, 1.0f), stream);
    DeviceBuffer<float> to(count);
    View<float> const kept = to.view();
    if (fault == Seeded::yes) to.resize(2 * count);
    launch<copy>({.grid = 1, .block = count}, stream, from.constView(), kept);
    stream.synchronize();
}

} // namespace alder::cuda::faults
