#pragma once
// The grids of LJ-PME.

#include "plan/run_plan.hpp"

#include <vector>

namespace alder::plan {

/// C6 (kJ/mol nm^6) that the grid has for two types of the topology.
double gridC6(system::Nonbonded const& nonbonded, GridCombination combination, std::size_t a, std::size_t b);

/// The grids whose energies add up to the dispersion beyond the cut-off; none where the deck does not ask for LJ-PME. A grid computes
/// sums over products c_i c_j, which geometric C6 are: one grid. A matrix of Lorentz-Berthelot C6 is a sum of such products, one for each
/// eigenvector, with the sign of its eigenvalue; those that change no C6 by 1e-8 of it are left out. Of the seven that the binomial
/// (sigma_i + sigma_j)^6 makes at most, water needs one and a peptide in water four to six. Throws InputRefused for C6 that no grid can
/// hold, and as makeGrid().
std::vector<PmePlan> makeDispersionGrids(RunOptions const& options, system::Topology const& topology, physics::Box const& box);

} // namespace alder::plan
