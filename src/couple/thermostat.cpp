#include "couple/thermostat.hpp"

#include "couple/nose_hoover_chain.hpp"
#include "couple/reference_temperature.hpp"
#include "math/elementary.hpp"
#include "physics/constants.hpp"

#include <algorithm>
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

using Memory = GroupMemory<std::span<double>>;

/// One after the other: what each group's thermostat does.
template <class Act> void forEachGroup(plan::DynamicsPlan const& dynamics, system::MotionSums const& motion, std::int64_t step, Act&& act)
{
    double const time = timeOf(dynamics, step);
    for (std::size_t group = 0; group < dynamics.groups.size(); ++group) {
        GroupNow const now{step, motion.kinetic[group].value().trace(), referenceTemperature(dynamics.groups[group], time)};
        act(group, groupThermostat(dynamics, group), now);
    }
}

} // namespace

GroupThermostat groupThermostat(plan::DynamicsPlan const& dynamics, std::size_t group)
{
    plan::TemperatureGroupPlan const& g = dynamics.groups[group];
    double const interval = static_cast<double>(dynamics.coupleInterval) * dynamics.dt;
    bool const chained = dynamics.thermostat == plan::Thermostat::noseHoover && dynamics.integrator == plan::Integrator::mdVv;
    return {static_cast<std::int64_t>(group),
            dynamics.seed,
            g.degreesOfFreedom,
            g.tau,
            interval,
            decayOf(g.tau, interval),
            dynamics.thermostat,
            chained ? std::max(1, dynamics.chainLength) : 0};
}

std::size_t chainNumbers(plan::DynamicsPlan const& dynamics)
{
    if (dynamics.thermostat != plan::Thermostat::noseHoover) return 0;
    bool const chained = dynamics.integrator == plan::Integrator::mdVv;
    return dynamics.groups.size() * static_cast<std::size_t>(chained ? std::max(1, dynamics.chainLength) : 1);
}

std::vector<double> thermostatFactors(plan::DynamicsPlan const& dynamics, system::MotionSums const& halfStepBefore, std::int64_t step,
                                      system::CouplingState& coupling)
{
    std::vector<double> factors(dynamics.groups.size(), 1.0);
    coupling.thermostatIntegral.resize(dynamics.groups.size(), 0.0);
    if (dynamics.thermostat != plan::Thermostat::vRescale && dynamics.thermostat != plan::Thermostat::berendsen) return factors;
    std::span<double> const integral(coupling.thermostatIntegral);
    forEachGroup(dynamics, halfStepBefore, step, [&](std::size_t group, GroupThermostat const& thermostat, GroupNow const& now) {
        factors[group] = rescaleGroup(thermostat, now, integral.subspan(group));
    });
    return factors;
}

std::vector<double> noseHooverDrags(plan::DynamicsPlan const& dynamics, system::MotionSums const& halfStepBefore, std::int64_t step,
                                    system::CouplingState& coupling)
{
    if (dynamics.thermostat != plan::Thermostat::noseHoover) return {};
    std::vector<double> drags(dynamics.groups.size(), 0.0);
    for (std::vector<double>* memory : {&coupling.thermostatIntegral, &coupling.chainPosition, &coupling.chainVelocity})
        memory->resize(dynamics.groups.size(), 0.0);
    std::span<double> const integral(coupling.thermostatIntegral), position(coupling.chainPosition), velocity(coupling.chainVelocity);
    forEachGroup(dynamics, halfStepBefore, step, [&](std::size_t group, GroupThermostat const& thermostat, GroupNow const& now) {
        drags[group] = dragGroup(thermostat, now, Memory{integral.subspan(group), position.subspan(group), velocity.subspan(group)});
    });
    return drags;
}

std::vector<double> chainFactors(plan::DynamicsPlan const& dynamics, system::MotionSums const& wholeStep, std::int64_t step,
                                 system::CouplingState& coupling)
{
    std::vector<double> factors(dynamics.groups.size(), 1.0);
    coupling.chainPosition.resize(chainNumbers(dynamics), 0.0);
    coupling.chainVelocity.resize(chainNumbers(dynamics), 0.0);
    std::span<double> const position(coupling.chainPosition), velocity(coupling.chainVelocity);
    forEachGroup(dynamics, wholeStep, step, [&](std::size_t group, GroupThermostat const& thermostat, GroupNow const& now) {
        std::size_t const first = group * static_cast<std::size_t>(thermostat.links);
        factors[group] = moveChain(thermostat, now, Memory{{}, position.subspan(first), velocity.subspan(first)});
    });
    return factors;
}

namespace {
struct ChainState {
    std::span<double> position, velocity;
};
/// Chain of a group as the state holds it.
NoseHooverChain chainOf(plan::DynamicsPlan const& dynamics, std::size_t group, double time, ChainState state)
{
    int const links = std::max(1, dynamics.chainLength);
    std::size_t const first = group * static_cast<std::size_t>(links);
    plan::TemperatureGroupPlan const& g = dynamics.groups[group];
    return {g.degreesOfFreedom, referenceTemperature(g, time), g.tau, links, state.position.subspan(first), state.velocity.subspan(first)};
}
bool hasChain(plan::TemperatureGroupPlan const& group, double time)
{
    return group.tau > 0 && group.degreesOfFreedom > 0 && referenceTemperature(group, time) > 0;
}
} // namespace

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
