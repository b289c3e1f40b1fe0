#pragma once
// How often things happen: the strides of an .mdp, reconciled with each other as GROMACS 2022 does.

#include "plan/run_plan.hpp"

#include <cstdint>

namespace alder::plan {

/// Steps between temperature couplings. nsttcouple as given, where it is; else 10, and for Berendsen no more than tau / dt.
std::int64_t couplingInterval(RunOptions const& options);

/// Sets the strides of energies, frames and log, with a note for each that is not what the .mdp says.
void setIntervals(RunOptions const& options, RunPlan& plan);

} // namespace alder::plan
