#pragma once
// Multiple time stepping: which forces may wait, and what must not fall between their steps.

#include "plan/run_plan.hpp"

#include <bitset>

namespace alder::plan {

/// What GROMACS 2022 refuses of mts, and forces that it does not know.
void refuseMultipleTimeSteps(RunOptions const& options, base::FaultList& faults);

/// The plan of what waits; the strides must have been set. Refuses those that fall between the steps on which all forces are known.
void setSlowForces(RunOptions const& options, RunPlan& plan, base::FaultList& faults);

/// True where terms of a kind wait. Bonds, restraints of all kinds and the cross terms of bonds with angles act every step, as in GROMACS.
bool isSlow(SlowForces const& slow, system::Kind kind);

/// The kinds of terms that wait, or those that do not.
std::bitset<system::kindCount> kindsThatWait(SlowForces const& slow, bool waiting);

} // namespace alder::plan
