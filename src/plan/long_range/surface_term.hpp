#pragma once
// The dipole term of the Ewald sum, from the .mdp.

#include "plan/run_plan.hpp"

namespace alder::plan {

/// None but with PME. Throws InputRefused for molecules with a charge of their own in dielectric surroundings: their dipole depends on
/// which of their images is taken, and jumps where one passes the edge of the box.
SurfacePlan makeSurfacePlan(RunOptions const& options, system::Topology const& topology);

} // namespace alder::plan
