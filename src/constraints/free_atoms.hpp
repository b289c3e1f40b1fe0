#pragma once
// Which atoms no constraint holds.

#include "constraints/constraint_set.hpp"
#include "constraints/settle_set.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::constraints {

/// Atoms with a mass that no constraint holds, ascending. A virtual site is moved by the atoms that make it.
std::vector<std::int32_t> freeAtoms(system::Topology const& topology, SettleSet const& waters, ConstraintSet const& groups);

} // namespace alder::constraints
