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

/// The part of the conserved energy that the thermostats hold: what they have taken out so far, kJ/mol.
double thermostatEnergy(system::CouplingState const& coupling);

/// 2 Ekin / (Ndf k), K; 0 without degrees of freedom.
double temperature(double kineticEnergy, double degreesOfFreedom);

/// The kinetic energy after v-rescale (G. Bussi, D. Donadio and M. Parrinello, J. Chem. Phys. 126, 014101 (2007), equation A7), as a
/// function of what it draws: one normal, and the sum of the squares of Ndf - 1 more.
struct RescaleNoise {
    double normal = 0, restSquares = 0;
};
double rescaledKineticEnergy(double kineticEnergy, double target, double degreesOfFreedom, double decay, RescaleNoise noise);

} // namespace alder::couple
