#pragma once
// `alder mdrun` with integrator = steep, cg or l-bfgs.

#include "app/run_start.hpp"

namespace alder::app {

/// Returns the exit status: 0 where the minimization converged or did all its steps, 75 where it was stopped.
int runMinimization(RunStart const& start);

} // namespace alder::app
