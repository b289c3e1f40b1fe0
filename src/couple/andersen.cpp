#include "couple/andersen.hpp"

#include "couple/reference_temperature.hpp"
#include "physics/constants.hpp"

#include <algorithm>

namespace alder::couple {

namespace {

double shareOf(plan::DynamicsPlan const& dynamics, plan::TemperatureGroupPlan const& group, std::int64_t step)
{
    if (!(group.tau > 0)) return 0;
    if (dynamics.thermostat != plan::Thermostat::andersenMassive) return dynamics.dt / group.tau;
    return step % std::max<std::int64_t>(1, std::llround(group.tau / dynamics.dt)) == 0 ? 1 : 0;
}

} // namespace

std::vector<Collisions> collisionsOf(plan::DynamicsPlan const& dynamics, std::int64_t step)
{
    double const time = dynamics.tinit + static_cast<double>(step) * dynamics.dt;
    std::vector<Collisions> all;
    for (plan::TemperatureGroupPlan const& group : dynamics.groups)
        all.push_back({shareOf(dynamics, group, step), physics::boltzmann * referenceTemperature(group, time)});
    return all;
}

} // namespace alder::couple
