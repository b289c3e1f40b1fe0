#pragma once
// How the splitting of the Ewald sum and its grid follow from the .mdp, by the rules that GROMACS 2022 applies, so that a deck means
// the same here as there.

#include "plan/run_plan.hpp"

#include <array>

namespace alder::plan {

inline constexpr int leastPmeOrder = 3, largestPmeOrder = 8;

/// beta (1/nm) with erfc(beta rcoulomb) = rtol.
double ewaldBeta(double rcoulomb, double rtol);

/// Grid points along each box vector: those given (> 0) as they are, the others the least size that is fast to transform, at least
/// 2 (order - 1), with a spacing along the vector of at most `spacing` nm.
std::array<int, 3> pmeGrid(physics::Box const& box, double spacing, int order, std::array<int, 3> given);

/// The whole of the PME plan; inactive where the deck does not ask for PME. Throws InputRefused for a grid or order that cannot be run.
PmePlan makePmePlan(RunOptions const& options, system::Topology const& topology, physics::Box const& box);

} // namespace alder::plan
