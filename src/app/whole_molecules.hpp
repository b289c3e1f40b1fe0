#pragma once
// Positions with every molecule in one piece.

#include "system/state.hpp"
#include "system/topology.hpp"

#include <vector>

namespace alder::app {

/// nm. The first atom of a molecule lies in the box; every other is the image nearest to the atom before it, which keeps a molecule in
/// one piece while atoms that follow each other are less than half a box apart.
std::vector<math::Vec3d> wholeMolecules(system::Topology const& topology, system::State const& state);

} // namespace alder::app
