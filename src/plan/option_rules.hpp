#pragma once
// Rules between .mdp keys, and between keys and the box: what GROMACS's preprocessor refuses, refused here for the same reason. They
// ask what was meant, not what alder's engine can do; makePlan() asks that.

#include "base/error.hpp"
#include "physics/box.hpp"
#include "plan/run_options.hpp"

namespace alder::plan {

/// Refuses combinations that contradict themselves, warns of those that GROMACS warns of.
void checkOptions(RunOptions const& options, base::FaultList& faults);

/// The greatest distance that a cutoff may reach in this box: half the shortest box vector, and no more than the smallest diagonal
/// element, so that the nearest image is among those searched (GROMACS 2022, nm).
double greatestCutoff(physics::Box const& box);

/// Refuses a box that is too small for the cutoffs, where the options tell them: rcoulomb, rvdw, and rlist where it is used as given.
void checkCutoffInBox(RunOptions const& options, physics::Box const& box, base::Place boxPlace, base::FaultList& faults);

} // namespace alder::plan
