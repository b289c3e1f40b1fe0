#pragma once
// Energies and forces of configurations that exist already.

#include "engine/backend.hpp"
#include "observe/frame.hpp"
#include "plan/run_plan.hpp"

#include <vector>

namespace alder::loop {

/// Where an observer finds one configuration of a trajectory.
struct RerunFrame {
    double time = 0;
};

/// Computes the configuration in `state` as it is, virtual sites rebuilt, nothing constrained, with a pair list of its own, and shows it to
/// the observers; kinetic energy is that of the velocities given. Returns the forces, kJ/mol/nm.
std::vector<math::Vec3d> rerun(engine::Backend& backend, plan::RunPlan const& plan, system::State& state, RerunFrame const& frame,
                               std::vector<observe::Observer*> const& observers);

} // namespace alder::loop
