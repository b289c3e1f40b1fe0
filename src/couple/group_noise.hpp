#pragma once
// Friction and noise of stochastic and Brownian dynamics in one step, by temperature group.

#include "physics/langevin.hpp"
#include "plan/run_plan.hpp"

#include <cstdint>
#include <vector>

namespace alder::couple {

struct GroupNoise {
    physics::LangevinCoupling langevin;
    double brownianWidth = 0; ///< sqrt(k T), to be divided by the root of the mass
    friend bool operator==(GroupNoise const& a, GroupNoise const& b)
    {
        return a.langevin.friction == b.langevin.friction && a.langevin.noise == b.langevin.noise && a.brownianWidth == b.brownianWidth;
    }
};

/// Temperatures may follow a schedule, so factors are made anew each step; there are few groups.
std::vector<GroupNoise> groupNoise(plan::DynamicsPlan const& dynamics, std::int64_t step);

} // namespace alder::couple
