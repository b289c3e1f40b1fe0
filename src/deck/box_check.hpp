#pragma once
// Which boxes a file may give.

#include "base/error.hpp"
#include "physics/box.hpp"

#include <optional>

namespace alder::deck {

/// nm. Beyond this neither a box nor a position can be meant, and differences of fractions would lose all digits.
inline constexpr double greatestLength = 1e5;

/// The box of these vectors (rows), or a fault. One that leans by more than half a vector comes back as the same lattice with less lean, with
/// a warning.
std::optional<physics::Box> acceptedBox(math::Mat3d const& vectors, base::Place const& place, base::FaultList& faults);

} // namespace alder::deck
