#pragma once
// Restraints, frozen atoms and fields: what of them cannot be done, and the plan of the rest.

#include "plan/run_plan.hpp"

namespace alder::plan {

/// Averages over time and ensembles, which distance restraints may ask for.
void refuseDistanceRestraints(RunOptions const& options, system::Topology const& topology, base::FaultList& faults);
/// Frozen atoms in runs that would move them by other means.
void refuseFreezing(RunOptions const& options, system::Topology const& topology, base::FaultList& faults);

void addRestraintsAndFields(RunOptions const& options, RunPlan& plan);

} // namespace alder::plan
