#pragma once
// How many degrees of freedom each temperature group has.

#include "plan/run_options.hpp"
#include "system/topology.hpp"

#include <vector>

namespace alder::plan {

struct DegreesOfFreedom {
    std::vector<double> byGroup; ///< by temperature group
    double total = 0;
};

/// Counts as GROMACS counts: three an atom; a constraint takes half from each of its two atoms (from one alone where the other has none
/// left), SETTLE one from each of three; virtual sites have none; what the removal of centre-of-mass motion takes is shared among the
/// groups in proportion to what they had.
DegreesOfFreedom degreesOfFreedom(RunOptions const& options, system::Topology const& topology);

} // namespace alder::plan
