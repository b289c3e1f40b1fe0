#pragma once
// Which integrators a run takes, and what each asks of the deck.

#include "base/error.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

namespace alder::plan {

/// True for those that move atoms in time: md, md-vv, sd and bd.
bool movesInTime(Integrator integrator);

/// What stands against running `options` with their integrator.
void refuseIntegrator(RunOptions const& options, system::Topology const& topology, base::FaultList& faults);
/// What a user should know of the choice; `plan.dynamics` is made.
void noteIntegrator(RunOptions const& options, RunPlan& plan);

/// The topology with friction times dt / 2 for masses, which take their place in Brownian dynamics (physics/langevin.hpp).
system::Topology brownianTopology(system::Topology topology, DynamicsPlan const& dynamics);
/// The same with frictions themselves, amu/ps.
system::Topology frictionTopology(system::Topology topology, RunOptions const& options);

} // namespace alder::plan
