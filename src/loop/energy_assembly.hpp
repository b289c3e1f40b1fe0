#pragma once
// From the integer sums of a step to the numbers a user reads.

#include "observe/frame.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"
#include "system/sums.hpp"

namespace alder::loop {

/// The sums of one step: forces at t, kinetic energies of the half steps before and after it, and what constraints added.
struct StepSums {
    system::ForceSums const& forces;
    system::MotionSums const& before; ///< of v(t - dt/2)
    system::MotionSums const& after;  ///< of v(t + dt/2)
    math::FixedTensor const& constraintVirial;
};

/// Kinetic energy as leap-frog defines it at a whole step, the mean of both half steps:
///     K(t) = (K(t - dt/2) + K(t + dt/2)) / 2
/// pressure tensor P = 2 (K - Xi) / V with the virial Xi = -1/2 sum r outer F, and the conserved energy
///     H' = V(t) + K(t) + (energy that thermostat and barostat have taken out, or hold).
observe::Energies assembleEnergies(plan::RunPlan const& plan, StepSums const& sums, system::State const& state);

/// 1/2 sum m v outer v of all groups, kJ/mol.
math::Mat3d kineticTensor(system::MotionSums const& motion);

/// Potential terms, virial and (where velocities are given) kinetic energy of one configuration.
observe::Energies assembleSinglePoint(plan::RunPlan const& plan, system::ForceSums const& forces, system::MotionSums const& motion,
                                      system::State const& state);

} // namespace alder::loop
