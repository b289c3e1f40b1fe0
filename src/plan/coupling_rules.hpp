#pragma once
// What couplings a run may have: the combinations that GROMACS 2022's preprocessor accepts, less those that have no formula here.

#include "plan/run_plan.hpp"

namespace alder::plan {

/// Refuses what mdrun cannot couple. A single-point energy takes any coupling, since none enters the forces.
void refuseCouplings(RunOptions const& options, base::FaultList& faults);

/// Notes and warnings about couplings that run.
void noteCouplings(RunOptions const& options, RunPlan& plan);

/// The barostat's part of the plan; `box` is the one the deck starts from.
BarostatPlan makeBarostat(RunOptions const& options, physics::Box const& box);

} // namespace alder::plan
