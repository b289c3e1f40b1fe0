#pragma once
// What couplings and integrator make of velocities and kicks in one step, by temperature group.

#include "engine/backend.hpp"
#include "plan/run_plan.hpp"

#include <vector>

namespace alder::engine {

struct GroupFactors {
    std::vector<double> lambda; ///< velocities are multiplied by it
    std::vector<double> kick;   ///< what is taken of F dt/m
    friend bool operator==(GroupFactors const&, GroupFactors const&) = default;
};

GroupFactors groupFactors(Scaling const& scaling, plan::DynamicsPlan const& dynamics);

} // namespace alder::engine
