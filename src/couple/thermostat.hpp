#pragma once
// Temperature coupling on the host: from kinetic energies, which are integer sums, to the factors that velocities are multiplied by.

#include "couple/group_thermostat.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"
#include "system/sums.hpp"

#include <cstdint>
#include <vector>

namespace alder::couple {

/// Velocity factors (lambda) by temperature group for this step, from the kinetic energies of the half step before it. Adds what each
/// group's thermostat takes out to coupling.thermostatIntegral (kJ/mol).
std::vector<double> thermostatFactors(plan::DynamicsPlan const& dynamics, system::MotionSums const& halfStepBefore, std::int64_t step,
                                      system::CouplingState& coupling);

/// Nose-Hoover by leap-frog: half an interval times the thermostat's velocity, by temperature group, for the update of this step; empty
/// where another thermostat acts. Moves coupling.chainPosition and chainVelocity, and adds N_df k T0 d(xi) to thermostatIntegral.
std::vector<double> noseHooverDrags(plan::DynamicsPlan const& dynamics, system::MotionSums const& halfStepBefore, std::int64_t step,
                                    system::CouplingState& coupling);
/// The same with chains of thermostats, for velocity Verlet: the factor for whole-step velocities that two half moves of each group's chain
/// make, the end of one interval and the beginning of the next.
std::vector<double> chainFactors(plan::DynamicsPlan const& dynamics, system::MotionSums const& wholeStep, std::int64_t step,
                                 system::CouplingState& coupling);

/// The part of the conserved energy that the thermostats hold: what they have taken out so far, and Nose-Hoover's own kinetic energy,
/// kJ/mol. `time` in ps, for the reference temperature; `temperatures` of the groups now, K.
double thermostatEnergy(plan::DynamicsPlan const& dynamics, system::CouplingState const& coupling, double time,
                        std::vector<double> const& temperatures);

/// The thermostat of a group by the plan.
GroupThermostat groupThermostat(plan::DynamicsPlan const& dynamics, std::size_t group);
/// Length of coupling.chainPosition and chainVelocity: 0 without Nose-Hoover, else one number a group, or one for each link of its chain.
std::size_t chainNumbers(plan::DynamicsPlan const& dynamics);
/// Whether any thermostat acts by kinetic energies: Andersen's collisions do not, nor do stochastic and Brownian dynamics.
inline bool couplesByKineticEnergy(plan::Thermostat kind)
{
    return kind == plan::Thermostat::vRescale || kind == plan::Thermostat::berendsen || kind == plan::Thermostat::noseHoover;
}

} // namespace alder::couple
