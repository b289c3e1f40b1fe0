#pragma once
// `alder mdrun` with integrator = steep.

#include "app/mdrun_options.hpp"
#include "plan/run_plan.hpp"

namespace alder::app {

/// Returns the exit status: 0 where the descent converged or did all its steps, 75 where it was stopped.
int runMinimization(MdrunOptions const& options, deck::Deck& deck, plan::RunPlan const& plan, cpu::CpuChoice choice);

} // namespace alder::app
