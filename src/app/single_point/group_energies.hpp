#pragma once
// Pair energies of one configuration, split by energy groups.

#include "cpu/cpu_backend.hpp"

#include <string>
#include <utility>
#include <vector>

namespace alder::app {

/// What is split. Positions are those that pairs see.
struct GroupedPairs {
    system::Topology const& topology;
    system::AtomGroups const& groups;
    plan::RunPlan const& plan;
    physics::Box const& box;
    std::vector<math::FractionVec> const& positions;
    std::vector<math::FractionVec> const& bondedPositions; ///< those that 1-4 pairs see
};

/// "Coul-SR:A-B", "LJ-SR:A-B", "Coul-14:A-B", "LJ-14:A-B" (kJ/mol) for every two groups, as `gmx energy` names them; nothing for fewer
/// than two groups.
///
/// The energy between A and B is that of both without all others, less that of each alone: a pass for every two groups, by the kernels that
/// compute the whole, and exact to the rounding of sums.
std::vector<std::pair<std::string, double>> groupEnergies(GroupedPairs const& pairs, cpu::CpuChoice choice);

} // namespace alder::app
