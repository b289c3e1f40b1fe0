#pragma once
// The correction for dispersion beyond the cut-off.

#include "plan/run_plan.hpp"

namespace alder::plan {

/// From the average C6 (and, where AllEner is asked, C12) over all pairs of atoms that are not excluded, in a fluid that is uniform
/// outside the cut-off.
DispersionPlan makeDispersionPlan(RunOptions const& options, system::Topology const& topology, PairPlan const& pairs);

} // namespace alder::plan
