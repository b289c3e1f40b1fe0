#include "couple/andersen.hpp"

#include "couple/reference_temperature.hpp"
#include "math/variates.hpp"
#include "physics/constants.hpp"

#include <algorithm>
#include <cmath>

namespace alder::couple {

namespace {

/// The strike and the velocity come from one stream: the first number decides, the next ones are the velocity.
math::Variates variatesOf(plan::DynamicsPlan const& dynamics, std::int64_t step, std::int64_t atom)
{
    return {dynamics.seed, math::RandomPurpose::andersen, step, atom};
}

} // namespace

bool andersenStrikes(plan::DynamicsPlan const& dynamics, plan::TemperatureGroupPlan const& group, std::int64_t step, std::int64_t atom)
{
    if (!(group.tau > 0)) return false;
    if (dynamics.thermostat == plan::Thermostat::andersenMassive)
        return step % std::max<std::int64_t>(1, std::llround(group.tau / dynamics.dt)) == 0;
    return variatesOf(dynamics, step, atom).uniform() <= dynamics.dt / group.tau;
}

math::Vec3d andersenVelocity(plan::DynamicsPlan const& dynamics, plan::TemperatureGroupPlan const& group, double mass, std::int64_t step,
                             std::int64_t atom)
{
    if (!(mass > 0)) return {};
    double const time = dynamics.tinit + static_cast<double>(step) * dynamics.dt;
    double const width = std::sqrt(physics::boltzmann * referenceTemperature(group, time) / mass);
    math::Variates variates = variatesOf(dynamics, step, atom);
    variates.uniform();
    double const x = variates.normal(), y = variates.normal(), z = variates.normal();
    return {width * x, width * y, width * z};
}

} // namespace alder::couple
