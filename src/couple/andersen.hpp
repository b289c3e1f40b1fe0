#pragma once
// Andersen's thermostat (H. C. Andersen, J. Chem. Phys. 72, 2384 (1980)): velocities drawn anew from Maxwell's distribution, for atoms
// picked one by one at a rate dt/tau, or for all at once every tau (massive). It conserves no energy.

#include "math/vec3.hpp"
#include "plan/run_plan.hpp"

#include <cstdint>

namespace alder::couple {

/// True where the velocity of this atom is drawn anew at this step. Depends on seed, step and atom alone.
bool andersenStrikes(plan::DynamicsPlan const& dynamics, plan::TemperatureGroupPlan const& group, std::int64_t step, std::int64_t atom);

/// The velocity (nm/ps) drawn for an atom of this mass (amu) at the group's reference temperature of the step.
math::Vec3d andersenVelocity(plan::DynamicsPlan const& dynamics, plan::TemperatureGroupPlan const& group, double mass, std::int64_t step,
                             std::int64_t atom);

} // namespace alder::couple
