#pragma once
// Starting velocities.

#include "math/vec3.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::couple {

/// Maxwell velocities (nm/ps): each component normal with variance kT/m, scaled so that all 3N components together have exactly the
/// temperature asked for, then the motion of the centre of mass removed. Massless atoms rest. Depends on seed and atom index alone.
std::vector<math::Vec3d> generateVelocities(system::Topology const& topology, double temperature, std::uint64_t seed);

/// Subtracts the velocity of the centre of mass from every atom that has mass.
void removeCentreOfMassMotion(system::Topology const& topology, std::vector<math::Vec3d>& velocities);

} // namespace alder::couple
