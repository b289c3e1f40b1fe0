#include "app/footprint.hpp"

#include "base/clock.hpp"
#include "gpu/driver.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <sys/resource.h>

namespace alder::app {

void Footprint::timingBegins()
{
    began_ = base::now();
    beganUnix_ = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    if (hardware_.onGpu && hardware_.count.firstOnDevice) energy_ = gpu::energyTaken(hardware_.device.uuid);
}

Footprint::Total Footprint::total(Ranks& ranks) const
{
    bool const tells = hardware_.onGpu && hardware_.count.firstOnDevice;
    std::optional<double> const energy = tells && energy_ ? gpu::energyTaken(hardware_.device.uuid) : std::nullopt;
    double const seconds = began_ ? base::now() - *began_ : 0;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    // kB, bytes, mJ, and the number of GPUs that do not tell what they take.
    std::array<std::int64_t, 4> sums{usage.ru_maxrss, static_cast<std::int64_t>(gpu::memoryPeak()),
                                     energy ? std::llround(1e3 * (*energy - *energy_)) : 0, tells && !energy ? 1 : 0};
    if (ranks.size() > 1) ranks.all().sum(sums);
    Total total;
    if (began_) total.began = beganUnix_;
    total.hostMemory = static_cast<double>(sums[0]) / 1024;
    if (!hardware_.onGpu) return total;
    total.deviceMemory = static_cast<double>(sums[1]) / (1024.0 * 1024.0);
    if (sums[3] == 0 && seconds > 0) total.power = 1e-3 * static_cast<double>(sums[2]) / seconds;
    return total;
}

} // namespace alder::app
