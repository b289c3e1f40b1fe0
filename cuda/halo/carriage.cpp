#include "halo/carriage.hpp"

#include "base/error.hpp"
#include "domain/world.hpp"

#include <cstdlib>
#include <string_view>

namespace alder::cuda {

Carriage chosenCarriage()
{
    char const* const asked = std::getenv("ALDER_GPU_MPI");
    std::string_view const name = asked == nullptr ? "" : asked;
    if (name.empty()) return domain::takesDeviceMemory() ? Carriage::direct : Carriage::staged;
    if (name == "staged") return Carriage::staged;
    if (name == "direct") return Carriage::direct;
    throw base::RunFailed("ALDER_GPU_MPI is '" + std::string(name) + "'; it may be 'staged' or 'direct'");
}

std::string nameOf(Carriage carriage)
{
    return carriage == Carriage::staged ? "messages through memory of the host" : "messages from GPU memory";
}

} // namespace alder::cuda
