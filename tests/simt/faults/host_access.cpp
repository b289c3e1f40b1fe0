// nvcc refuses this where it reads it; the host compiler does not.

#include "device/buffers.hpp"
#include "simt/faults/faults.hpp"

namespace alder::cuda::faults {

void readByHost(Seeded fault)
{
    Stream stream;
    DeviceBuffer<float> const values(std::vector<float>(1, 1.0f), stream);
    float const value = fault == Seeded::yes ? values.constView()[0] : values.download(stream)[0];
    static_cast<void>(value);
}

} // namespace alder::cuda::faults
