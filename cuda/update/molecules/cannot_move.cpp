#include "update/motion.hpp"

#include "constraints/constraint_set.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alder::cuda {

std::vector<std::string> cannotMove(system::Topology const& topology, plan::DynamicsPlan const& dynamics)
{
    std::vector<std::string> missing;
    std::size_t largest = 0;
    constraints::ConstraintSet const set(topology);
    for (constraints::ConstraintShape const& shape : set.shapes())
        if (!fitsThread(shape)) largest = std::max(largest, shape.bonds.size());
    if (largest == 0) return missing;
    // what a block solves is leap-frog's constraints by LINCS alone
    std::string const held =
        fmt::format("with constraints that hold {} bonds together (beyond {} bonds or {} atoms)", largest, largeBonds, largeAtoms);
    if (dynamics.constraints.shake) missing.push_back("constraint-algorithm = SHAKE " + held);
    if (dynamics.slow.any()) missing.push_back("mts " + held);
    if (dynamics.integrator == plan::Integrator::sd) missing.push_back("integrator = sd " + held);
    if (dynamics.integrator == plan::Integrator::bd) missing.push_back("integrator = bd " + held);
    if (dynamics.integrator == plan::Integrator::mdVv) missing.push_back("integrator = md-vv " + held);
    return missing;
}

} // namespace alder::cuda
