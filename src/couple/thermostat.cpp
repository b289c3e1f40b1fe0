#include "couple/thermostat.hpp"

#include "couple/nose_hoover_chain.hpp"
#include "couple/reference_temperature.hpp"
#include "math/variates.hpp"
#include "physics/constants.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace alder::couple {

namespace {

/// What is remembered over one coupling interval, exp(-dt/tau); below tau = 0.1 intervals the energy is drawn afresh, as GROMACS does:
/// exp(-10) of memory is none.
double decayOf(double tau, double interval)
{
    double const steps = tau / interval;
    return steps > 0.1 ? math::exponential(-1.0 / steps) : 0.0;
}

double timeOf(plan::DynamicsPlan const& dynamics, std::int64_t step) { return dynamics.tinit + static_cast<double>(step) * dynamics.dt; }

double vRescaleFactor(plan::DynamicsPlan const& dynamics, std::size_t group, double kinetic, std::int64_t step)
{
    plan::TemperatureGroupPlan const& g = dynamics.groups[group];
    double const interval = static_cast<double>(dynamics.coupleInterval) * dynamics.dt;
    double const target = 0.5 * g.degreesOfFreedom * physics::boltzmann * referenceTemperature(g, timeOf(dynamics, step));
    math::Variates variates(dynamics.seed, math::RandomPurpose::velocityRescaling, step, static_cast<std::int64_t>(group));
    double const normal = variates.normal();
    RescaleNoise const noise{normal, variates.sumOfSquares(g.degreesOfFreedom - 1.0)};
    double const wanted = rescaledKineticEnergy(kinetic, target, g.degreesOfFreedom, decayOf(g.tau, interval), noise);
    return wanted > 0 ? std::sqrt(wanted / kinetic) : 0.0;
}

/// H. J. C. Berendsen et al., J. Chem. Phys. 81, 3684 (1984): lambda^2 = 1 + dt/tau (T0/T - 1), kept within 0.8 and 1.25.
double berendsenFactor(plan::DynamicsPlan const& dynamics, std::size_t group, double kinetic, std::int64_t step)
{
    plan::TemperatureGroupPlan const& g = dynamics.groups[group];
    double const interval = static_cast<double>(dynamics.coupleInterval) * dynamics.dt;
    double const present = temperature(kinetic, g.degreesOfFreedom);
    double const square = 1.0 + interval / g.tau * (referenceTemperature(g, timeOf(dynamics, step)) / present - 1.0);
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
                                                                           : berendsenFactor(dynamics, group, kinetic, step);
        coupling.thermostatIntegral[group] -= (factors[group] * factors[group] - 1.0) * kinetic;
    }
    return factors;
}

// S. Nose, Mol. Phys. 52, 255 (1984), W. G. Hoover, Phys. Rev. A 31, 1695 (1985): dv/dt = F/m - p v, dp/dt = (T - T0)/Q' with
// 1/Q' = 4 pi^2/(tau^2 T0), so that the kinetic energy of a system with few ties swings with period tau. The velocity p stands at whole
// steps and T at the half step before: both are second order, and the update of the atoms takes p with the mean of the velocities before
// and after (B. L. Holian et al., Phys. Rev. E 52, 2338 (1995)).
std::vector<double> noseHooverDrags(plan::DynamicsPlan const& dynamics, system::MotionSums const& halfStepBefore, std::int64_t step,
                                    system::CouplingState& coupling)
{
    if (dynamics.thermostat != plan::Thermostat::noseHoover) return {};
    double const interval = static_cast<double>(dynamics.coupleInterval) * dynamics.dt;
    std::vector<double> drags(dynamics.groups.size(), 0.0);
    coupling.thermostatIntegral.resize(dynamics.groups.size(), 0.0);
    coupling.chainPosition.resize(dynamics.groups.size(), 0.0);
    coupling.chainVelocity.resize(dynamics.groups.size(), 0.0);
    for (std::size_t group = 0; group < dynamics.groups.size(); ++group) {
        plan::TemperatureGroupPlan const& g = dynamics.groups[group];
        double const reference = referenceTemperature(g, timeOf(dynamics, step));
        if (!(g.tau > 0) || !(reference > 0) || !(g.degreesOfFreedom > 0)) continue;
        double const present = temperature(halfStepBefore.kinetic[group].value().trace(), g.degreesOfFreedom);
        double const after = coupling.chainVelocity[group] + interval * noseHooverRate(g.tau, reference) * (present - reference);
        coupling.chainVelocity[group] = after;
        coupling.chainPosition[group] += interval * after;
        coupling.thermostatIntegral[group] += g.degreesOfFreedom * physics::boltzmann * reference * interval * after;
        drags[group] = 0.5 * interval * after;
    }
    return drags;
}

namespace {
struct ChainState {
    std::span<double> position, velocity;
};
/// Chain of a group as the state holds it.
NoseHooverChain chainOf(plan::DynamicsPlan const& dynamics, std::size_t group, double time, ChainState state)
{
    auto const length = static_cast<std::size_t>(std::max(1, dynamics.chainLength));
    plan::TemperatureGroupPlan const& g = dynamics.groups[group];
    return {g.degreesOfFreedom, referenceTemperature(g, time), g.tau, state.position.subspan(group * length, length),
            state.velocity.subspan(group * length, length)};
}
bool hasChain(plan::TemperatureGroupPlan const& group, double time)
{
    return group.tau > 0 && group.degreesOfFreedom > 0 && referenceTemperature(group, time) > 0;
}
} // namespace

std::vector<double> chainFactors(plan::DynamicsPlan const& dynamics, system::MotionSums const& wholeStep, std::int64_t step,
                                 system::CouplingState& coupling)
{
    double const half = 0.5 * static_cast<double>(dynamics.coupleInterval) * dynamics.dt, time = timeOf(dynamics, step);
    std::vector<double> factors(dynamics.groups.size(), 1.0);
    std::size_t const links = dynamics.groups.size() * static_cast<std::size_t>(std::max(1, dynamics.chainLength));
    coupling.chainPosition.resize(links, 0.0);
    coupling.chainVelocity.resize(links, 0.0);
    for (std::size_t group = 0; group < dynamics.groups.size(); ++group) {
        if (!hasChain(dynamics.groups[group], time)) continue;
        NoseHooverChain chain = chainOf(dynamics, group, time, {coupling.chainPosition, coupling.chainVelocity});
        double const kinetic = wholeStep.kinetic[group].value().trace();
        double const once = chain.move(half, kinetic);
        factors[group] = once * chain.move(half, once * once * kinetic);
    }
    return factors;
}

double noseHooverRate(double tau, double reference) { return 4.0 * physics::pi * physics::pi / (tau * tau * reference); }

// Nose-Hoover's velocity u_k acts on the atoms as one push at coupling k, so the products u_k u_(k+1), not the squares, are what the heat
// of these pushes adds up to: 1/2 Q u_k u_(k+1) - 1/2 Q u_(k-1) u_k = N_df k Dt u_k (T - T0) with T the mean before and after push k. The
// square alone would swing by K Dt u, 40 kJ/mol for 900 waters at tau = 0.5 ps.
double thermostatEnergy(plan::DynamicsPlan const& dynamics, system::CouplingState const& coupling, double time,
                        std::vector<double> const& temperatures)
{
    double all = 0;
    for (double taken : coupling.thermostatIntegral) all += taken;
    if (dynamics.thermostat != plan::Thermostat::noseHoover) return all;
    if (dynamics.integrator == plan::Integrator::mdVv) {
        std::vector<double> position = coupling.chainPosition, velocity = coupling.chainVelocity;
        for (std::size_t group = 0; group < dynamics.groups.size() && !velocity.empty(); ++group)
            if (hasChain(dynamics.groups[group], time)) all += chainOf(dynamics, group, time, {position, velocity}).energy();
        return all;
    }
    for (std::size_t group = 0; group < coupling.chainVelocity.size() && group < dynamics.groups.size(); ++group) {
        plan::TemperatureGroupPlan const& g = dynamics.groups[group];
        double const reference = referenceTemperature(g, time), velocity = coupling.chainVelocity[group];
        if (!(g.tau > 0) || !(reference > 0)) continue;
        double const interval = static_cast<double>(dynamics.coupleInterval) * dynamics.dt, rate = noseHooverRate(g.tau, reference);
        double const next = velocity + interval * rate * (temperatures[group] - reference);
        all += 0.5 * physics::boltzmann * g.degreesOfFreedom * velocity * next / rate;
    }
    return all;
}

} // namespace alder::couple
