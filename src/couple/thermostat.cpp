#include "couple/thermostat.hpp"

#include "math/variates.hpp"
#include "physics/constants.hpp"

#include <algorithm>
#include <cmath>

namespace alder::couple {

namespace {

/// What is remembered over one coupling interval, exp(-dt/tau); below tau = 0.1 intervals the energy is drawn afresh, as GROMACS does:
/// exp(-10) of memory is none.
double decayOf(double tau, double interval)
{
    double const steps = tau / interval;
    return steps > 0.1 ? math::exponential(-1.0 / steps) : 0.0;
}

double vRescaleFactor(plan::DynamicsPlan const& dynamics, std::size_t group, double kinetic, std::int64_t step)
{
    plan::TemperatureGroupPlan const& g = dynamics.groups[group];
    double const interval = static_cast<double>(dynamics.coupleInterval) * dynamics.dt;
    double const target = 0.5 * g.degreesOfFreedom * physics::boltzmann * g.reference;
    math::Variates variates(dynamics.seed, math::RandomPurpose::velocityRescaling, step, static_cast<std::int64_t>(group));
    double const normal = variates.normal();
    RescaleNoise const noise{normal, variates.sumOfSquares(g.degreesOfFreedom - 1.0)};
    double const wanted = rescaledKineticEnergy(kinetic, target, g.degreesOfFreedom, decayOf(g.tau, interval), noise);
    return wanted > 0 ? std::sqrt(wanted / kinetic) : 0.0;
}

/// H. J. C. Berendsen et al., J. Chem. Phys. 81, 3684 (1984): lambda^2 = 1 + dt/tau (T0/T - 1), kept within 0.8 and 1.25.
double berendsenFactor(plan::DynamicsPlan const& dynamics, std::size_t group, double kinetic)
{
    plan::TemperatureGroupPlan const& g = dynamics.groups[group];
    double const interval = static_cast<double>(dynamics.coupleInterval) * dynamics.dt;
    double const present = temperature(kinetic, g.degreesOfFreedom);
    double const square = 1.0 + interval / g.tau * (std::max(0.0, g.reference) / present - 1.0);
    return std::clamp(std::sqrt(std::max(0.0, square)), 0.8, 1.25);
}

/// A group is coupled where its time constant says so. v-rescale with tau = 0 draws a new kinetic energy each time; Berendsen's
/// formula has no such limit, and 0 stands for "not coupled" there.
bool coupled(plan::DynamicsPlan const& dynamics, plan::TemperatureGroupPlan const& group, double kinetic)
{
    bool const tau = dynamics.thermostat == plan::Thermostat::vRescale ? group.tau >= 0 : group.tau > 0;
    return tau && group.degreesOfFreedom > 0 && kinetic > 0;
}

} // namespace

double rescaledKineticEnergy(double kineticEnergy, double target, double degreesOfFreedom, double decay, RescaleNoise noise)
{
    double const perFreedom = target / degreesOfFreedom;
    double const fresh = 1.0 - decay;
    return kineticEnergy + fresh * (perFreedom * (noise.restSquares + noise.normal * noise.normal) - kineticEnergy) +
           2.0 * noise.normal * std::sqrt(kineticEnergy * perFreedom * fresh * decay);
}

double temperature(double kineticEnergy, double degreesOfFreedom)
{
    return degreesOfFreedom > 0 ? 2.0 * kineticEnergy / (degreesOfFreedom * physics::boltzmann) : 0.0;
}

std::vector<double> thermostatFactors(plan::DynamicsPlan const& dynamics, system::MotionSums const& halfStepBefore, std::int64_t step,
                                      system::CouplingState& coupling)
{
    std::vector<double> factors(dynamics.groups.size(), 1.0);
    coupling.thermostatIntegral.resize(dynamics.groups.size(), 0.0);
    if (dynamics.thermostat != plan::Thermostat::vRescale && dynamics.thermostat != plan::Thermostat::berendsen) return factors;
    for (std::size_t group = 0; group < dynamics.groups.size(); ++group) {
        double const kinetic = halfStepBefore.kinetic[group].value().trace();
        if (!coupled(dynamics, dynamics.groups[group], kinetic)) continue;
        factors[group] = dynamics.thermostat == plan::Thermostat::vRescale ? vRescaleFactor(dynamics, group, kinetic, step)
                                                                           : berendsenFactor(dynamics, group, kinetic);
        coupling.thermostatIntegral[group] -= (factors[group] * factors[group] - 1.0) * kinetic;
    }
    return factors;
}

double thermostatEnergy(system::CouplingState const& coupling)
{
    double all = 0;
    for (double taken : coupling.thermostatIntegral) all += taken;
    return all;
}

} // namespace alder::couple
