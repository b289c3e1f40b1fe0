#include "couple/group_noise.hpp"

#include "couple/reference_temperature.hpp"

#include <algorithm>
#include <cmath>

namespace alder::couple {

std::vector<GroupNoise> groupNoise(plan::DynamicsPlan const& dynamics, std::int64_t step)
{
    double const time = dynamics.tinit + static_cast<double>(step) * dynamics.dt;
    std::vector<GroupNoise> noise;
    for (plan::TemperatureGroupPlan const& group : dynamics.groups) {
        double const temperature = referenceTemperature(group, time);
        noise.push_back(
            {physics::langevinCoupling(dynamics.dt, group.tau, temperature), std::sqrt(physics::boltzmann * std::max(0.0, temperature))});
    }
    return noise;
}

} // namespace alder::couple
