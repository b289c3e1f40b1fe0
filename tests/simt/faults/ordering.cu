#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/launch.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {
namespace {

__global__ void fill(View<int> to, int value) { to[threadIdx.x] = value; }
__global__ void copy(View<int const> from, View<int> to) { to[threadIdx.x] = from[threadIdx.x]; }

} // namespace

bool readAcrossStreams(Seeded fault)
{
    Stream first, second;
    Event written;
    DeviceBuffer<int> values(32), seen(32);
    values.clear(first);
    seen.clear(first);
    first.synchronize();
    launch<fill>({.grid = 1, .block = 32}, first, values.view(), 7);
    written.record(first);
    if (fault == Seeded::no) second.waitFor(written);
    launch<copy>({.grid = 1, .block = 32}, second, values.constView(), seen.view());
    bool const right = seen.download(second)[5] == 7;
    first.synchronize();
    return right;
}

bool copyFromPinned(Seeded fault)
{
    Stream stream;
    PinnedBuffer<int> staged(4);
    for (std::size_t i = 0; i < 4; ++i) staged[i] = 7;
    DeviceBuffer<int> values;
    values.uploadLater(staged, stream);
    if (fault == Seeded::no) stream.synchronize();
    staged[2] = 8;
    return values.download(stream)[2] == 7;
}

} // namespace alder::cuda::faults
