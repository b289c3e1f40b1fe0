#pragma once
// Temperature coupling: from kinetic energies, which are integer sums, to the factors that velocities are multiplied by.

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
/// 1/Q' of a group, 1/(K ps^2): what turns a difference of temperatures into an acceleration of the thermostat.
double noseHooverRate(double tau, double reference);

/// The part of the conserved energy that the thermostats hold: what they have taken out so far, and Nose-Hoover's own kinetic energy,
/// kJ/mol. `time` in ps, for the reference temperature; `temperatures` of the groups now, K.
double thermostatEnergy(plan::DynamicsPlan const& dynamics, system::CouplingState const& coupling, double time,
                        std::vector<double> const& temperatures);

/// 2 Ekin / (Ndf k), K; 0 without degrees of freedom.
double temperature(double kineticEnergy, double degreesOfFreedom);

/// The kinetic energy after v-rescale (G. Bussi, D. Donadio and M. Parrinello, J. Chem. Phys. 126, 014101 (2007), equation A7), as a
/// function of what it draws: one normal, and the sum of the squares of Ndf - 1 more.
struct RescaleNoise {
    double normal = 0, restSquares = 0;
};
double rescaledKineticEnergy(double kineticEnergy, double target, double degreesOfFreedom, double decay, RescaleNoise noise);

} // namespace alder::couple
