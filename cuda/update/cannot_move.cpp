#include "update/motion.hpp"

#include "constraints/constraint_set.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alder::cuda {

std::vector<std::string> cannotMove(system::Topology const& topology, plan::DynamicsPlan const& dynamics)
{
    std::vector<std::string> missing;
    if (dynamics.thermostat == plan::Thermostat::andersen) missing.emplace_back("tcoupl = andersen");
    if (dynamics.thermostat == plan::Thermostat::andersenMassive) missing.emplace_back("tcoupl = andersen-massive");
    std::size_t largest = 0;
    constraints::ConstraintSet const set(topology);
    for (constraints::ConstraintShape const& shape : set.shapes())
        if (!fitsThread(shape)) largest = std::max(largest, shape.bonds.size());
    if (largest > 0)
        missing.push_back(
            fmt::format("constraints that hold {} bonds together (up to {} bonds of {} atoms can be)", largest, largeBonds, largeAtoms));
    return missing;
}

} // namespace alder::cuda
