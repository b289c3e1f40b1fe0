#pragma once
// How the splitting of the Ewald sum and its grid follow from the .mdp, by the rules that GROMACS 2022 applies, so that a deck means
// the same here as there.

#include "plan/run_plan.hpp"

#include <array>

namespace alder::plan {

inline constexpr int leastPmeOrder = 3, largestPmeOrder = 8;

/// beta (1/nm) with erfc(beta rcoulomb) = rtol.
double ewaldBeta(double rcoulomb, double rtol);

/// beta (1/nm) of LJ-PME: G(beta rvdw) = rtol, G the part of dispersion left in real space (physics/dispersion_ewald.hpp).
double ewaldBetaLj(double rvdw, double rtol);

/// Grid points along each box vector: those given (> 0) as they are, the others the least size that is fast to transform, at least
/// 2 (order - 1), with a spacing along the vector of at most `spacing` nm.
std::array<int, 3> pmeGrid(physics::Box const& box, double spacing, int order, std::array<int, 3> given);

/// Order and grid, the same for charges and dispersion. Throws InputRefused for a grid or order that cannot be run.
PmePlan makeGrid(RunOptions const& options, physics::Box const& box);

/// What atoms put on a grid, summed: as charges in e, or as dispersion in sqrt(kJ/mol nm^6).
struct SourceSums {
    double net = 0, squares = 0, absolute = 0, largest = 0;
};

/// Bits after the point of the int32 that counts sources; under 22 for charges of order 1 where the grid is too coarse to count them well.
int chargeGridBits(SourceSums const& sources, std::array<int, 3> grid);

/// The whole of the PME plan of the charges; inactive where the deck does not ask for PME. Throws InputRefused as makeGrid().
PmePlan makePmePlan(RunOptions const& options, system::Topology const& topology, physics::Box const& box);

} // namespace alder::plan
