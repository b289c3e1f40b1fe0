#pragma once
// Coordinates in GROMACS's fixed columns.

#include "physics/box.hpp"
#include "system/topology.hpp"

#include <span>
#include <string>

namespace alder::output {

/// What one .gro frame holds.
struct GroFrame {
    std::string title;
    double time = 0; ///< ps
    physics::Box box;
    std::span<math::Vec3d const> positions;  ///< nm
    std::span<math::Vec3d const> velocities; ///< nm/ps; empty: no velocity columns
    int decimals = 3;                        ///< of positions; velocities have one more
};

/// The text: residue numbers as in the topology, counted through where a molecule type has one residue; both numbers wrap at 99999.
std::string groText(system::Topology const& topology, GroFrame const& frame);
void writeGro(std::string const& path, system::Topology const& topology, GroFrame const& frame);

} // namespace alder::output
