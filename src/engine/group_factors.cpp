#include "engine/group_factors.hpp"

#include "physics/leap_frog.hpp"

#include <algorithm>

namespace alder::engine {

GroupFactors groupFactors(Scaling const& scaling, plan::DynamicsPlan const& dynamics)
{
    std::size_t const groups = std::max<std::size_t>(1, dynamics.groups.size());
    GroupFactors factors{scaling.velocity, {}};
    factors.lambda.resize(groups, 1.0);
    factors.kick.resize(groups, 1.0);
    for (std::size_t g = 0; g < scaling.drag.size(); ++g) {
        factors.lambda[g] = physics::draggedLambda(factors.lambda[g], scaling.drag[g]);
        factors.kick[g] = physics::draggedKick(scaling.drag[g]);
    }
    if (dynamics.integrator == plan::Integrator::mdVv)
        for (double& kick : factors.kick) kick *= 0.5; // the other half comes where velocity Verlet arrives
    return factors;
}

} // namespace alder::engine
