#pragma once
// What the driver's management library (NVML) tells of a GPU. It is loaded where it is there and asked once a run, so that nothing needs it.

#include <optional>
#include <string>

namespace alder::gpu {

/// What it does not tell is left out: on MIG slices power and clock, on a machine without the library everything.
struct DriverFacts {
    std::optional<std::string> version; ///< "570.86.15"
    std::optional<double> powerLimit;   ///< W
    std::optional<double> clock;        ///< MHz, the highest of the multiprocessors
};

/// `uuid` as gpu::Device has it.
DriverFacts driverFacts(std::string const& uuid);

/// Energy that the GPU has taken since its driver was loaded, J: a difference over a time is a mean power. Known from Volta on.
std::optional<double> energyTaken(std::string const& uuid);

} // namespace alder::gpu
