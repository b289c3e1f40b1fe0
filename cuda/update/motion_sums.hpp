#pragma once
// Kinetic energies by temperature group and momentum as sums of integers, and the drift of the centre of mass.

#include "system/sums.hpp"
#include "update/moved_atoms.hpp"
#include "update/update_tables.hpp"

#include <cstdint>
#include <span>

namespace alder::cuda {

/// Momentum first; then of each group xx xy xz yy yz zz, for v outer v is symmetric to the last bit.
inline constexpr std::size_t momentumWords = 3, kineticWords = 6;
inline constexpr std::size_t motionWords(std::size_t groups) { return momentumWords + kineticWords * groups; }

/// Adds to `sums`: momentum and the kinetic energies of so many groups, of none where only the momentum is wanted.
void sumMotion(UpdateTables const& tables, View<math::Vec3d const> velocities, int groups, View<std::int64_t> sums, Stream& stream);
system::MotionSums motionOf(std::span<std::int64_t const> words, std::size_t groups);

/// Takes the velocity of the centre of mass, of which `momentum` holds the momentum, from every atom that has mass.
void removeDrift(UpdateTables const& tables, View<math::Vec3d> velocities, View<std::int64_t const> momentum, Stream& stream);

/// Multiplies velocities, as columns.
void transformVelocities(View<math::Vec3d> velocities, std::int64_t count, math::Mat3d const& factor, Stream& stream);

} // namespace alder::cuda
