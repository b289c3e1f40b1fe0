#pragma once
// Pressure coupling: from the pressure of a step to the next box. Positions are fractions of the box, so they follow by themselves;
// velocities are scaled where the law asks for it.

#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"

#include <cstdint>

namespace alder::couple {

/// What a barostat looks at, all of one step t.
struct PressureNow {
    std::int64_t step = 0;
    math::Mat3d pressure{};    ///< bar
    math::Mat3d virial{};      ///< -1/2 sum r outer F, constraint forces with it, kJ/mol
    math::Mat3d halfKinetic{}; ///< 1/2 sum m v outer v of v(t + dt/2), the velocities that will be scaled, kJ/mol
};

struct BoxChange {
    physics::Box box;
    math::Mat3d velocityFactor = math::identity<double>(); ///< velocities, as columns, are multiplied by it
    bool scalesVelocities = false;
};

/// The next box. Adds the work the barostat does to coupling.barostatIntegral and moves coupling.boxVelocity. Throws base::RunFailed
/// where the box would change by a tenth at once: no pressure that makes sense asks for that.
BoxChange couplePressure(plan::DynamicsPlan const& dynamics, PressureNow const& now, physics::Box const& box,
                         system::CouplingState& coupling);

/// The part of the conserved energy that the barostat holds, kJ/mol.
double barostatEnergy(plan::BarostatPlan const& barostat, physics::Box const& box, system::CouplingState const& coupling);

/// By which factor mu a barostat stretches the box in one interval: each row r of the box becomes r mu. Lower triangular, so that the box
/// keeps its form. `temperature` in K, `interval` in ps.
struct Stretch {
    double interval = 0, temperature = 0;
    std::uint64_t seed = 0;
};
math::Mat3d berendsenStretch(plan::BarostatPlan const& barostat, Stretch const& of, math::Mat3d const& pressure, physics::Box const& box);
math::Mat3d rescalingStretch(plan::BarostatPlan const& barostat, Stretch const& of, PressureNow const& now, physics::Box const& box);

/// Acceleration of the box vectors by Parrinello and Rahman, nm/ps^2.
math::Mat3d boxAcceleration(plan::BarostatPlan const& barostat, math::Mat3d const& pressure, physics::Box const& box);
/// Kinetic energy of the box, kJ/mol.
double boxKinetic(plan::BarostatPlan const& barostat, math::Mat3d const& boxVelocity);

} // namespace alder::couple
