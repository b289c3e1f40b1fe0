#include "gpu/driver.hpp"

#include <array>
#include <dlfcn.h>

namespace alder::gpu {

namespace {

// The few functions of NVML that are used, with its types as its C interface fixes them (0: success; clock type 1: multiprocessors).
using NvmlDevice = void*;
constexpr int success = 0, clockOfMultiprocessors = 1;

class Nvml {
public:
    static Nvml const& get()
    {
        static Nvml const nvml;
        return nvml;
    }

    [[nodiscard]] std::optional<NvmlDevice> device(std::string const& uuid) const
    {
        NvmlDevice device = nullptr;
        if (!ready_ || deviceByUuid_(uuid.c_str(), &device) != success) return {};
        return device;
    }
    [[nodiscard]] std::optional<std::string> driverVersion() const
    {
        std::array<char, 96> text{};
        if (!ready_ || driverVersion_(text.data(), static_cast<unsigned>(text.size() - 1)) != success) return {};
        return std::string(text.data());
    }
    [[nodiscard]] std::optional<double> powerLimit(NvmlDevice device) const
    {
        unsigned milliwatts = 0;
        if (powerLimit_(device, &milliwatts) != success) return {};
        return 1e-3 * milliwatts;
    }
    [[nodiscard]] std::optional<double> clock(NvmlDevice device) const
    {
        unsigned megahertz = 0;
        if (maxClock_(device, clockOfMultiprocessors, &megahertz) != success) return {};
        return megahertz;
    }
    [[nodiscard]] std::optional<double> energy(NvmlDevice device) const
    {
        unsigned long long millijoules = 0;
        if (energy_(device, &millijoules) != success) return {};
        return 1e-3 * static_cast<double>(millijoules);
    }

private:
    Nvml()
    {
        void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) return;
        int (*init)() = nullptr;
        ready_ = find(library, "nvmlInit_v2", init) && find(library, "nvmlSystemGetDriverVersion", driverVersion_) &&
                 find(library, "nvmlDeviceGetHandleByUUID", deviceByUuid_) &&
                 find(library, "nvmlDeviceGetPowerManagementLimit", powerLimit_) && find(library, "nvmlDeviceGetMaxClockInfo", maxClock_) &&
                 find(library, "nvmlDeviceGetTotalEnergyConsumption", energy_) && init() == success;
    }
    template <class Function> static bool find(void* library, char const* name, Function& function)
    {
        function = reinterpret_cast<Function>(dlsym(library, name));
        return function != nullptr;
    }

    bool ready_ = false;
    int (*driverVersion_)(char*, unsigned) = nullptr;
    int (*deviceByUuid_)(char const*, NvmlDevice*) = nullptr;
    int (*powerLimit_)(NvmlDevice, unsigned*) = nullptr;
    int (*maxClock_)(NvmlDevice, int, unsigned*) = nullptr;
    int (*energy_)(NvmlDevice, unsigned long long*) = nullptr;
};

} // namespace

DriverFacts driverFacts(std::string const& uuid)
{
    Nvml const& nvml = Nvml::get();
    DriverFacts facts;
    facts.version = nvml.driverVersion();
    if (auto const device = nvml.device(uuid)) {
        facts.powerLimit = nvml.powerLimit(*device);
        facts.clock = nvml.clock(*device);
    }
    return facts;
}

std::optional<double> energyTaken(std::string const& uuid)
{
    Nvml const& nvml = Nvml::get();
    auto const device = nvml.device(uuid);
    return device ? nvml.energy(*device) : std::nullopt;
}

} // namespace alder::gpu
