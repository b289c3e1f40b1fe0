#pragma once
// How often things happen: the strides of an .mdp, reconciled with each other as GROMACS 2022 does.

#include "plan/run_plan.hpp"

#include <cstdint>

namespace alder::plan {

/// Steps between temperature couplings. nsttcouple as given, where it is; else 10. Where ten steps are as long as a time constant, a
/// divisor of 10 that leaves Berendsen 5 couplings a time constant and Nose-Hoover 20, or 1.
std::int64_t couplingInterval(RunOptions const& options);
/// The same for pressure: 10 couplings for Berendsen and C-rescale, 20 for Parrinello-Rahman.
std::int64_t pressureInterval(RunOptions const& options);

/// Sets the strides of energies, frames and log, with a note for each that is not what the .mdp says.
void setIntervals(RunOptions const& options, RunPlan& plan);

} // namespace alder::plan
