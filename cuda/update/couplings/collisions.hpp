#pragma once
// Andersen's collisions (couple/andersen.hpp), between the whole step of velocity Verlet and the next half kick.

#include "couple/andersen.hpp"
#include "update/blame_board.hpp"
#include "update/update_tables.hpp"

#include <cstdint>

namespace alder::cuda {

struct CollisionSource {
    View<couple::Collisions const> groups; ///< by temperature group, of the present step
    std::uint64_t seed = 0;
};

/// Draws velocities anew. Where atoms are struck that constraints hold together, what that puts along the constraints is taken out.
void strikeAtoms(UpdateTables const& tables, Moving const& moving, CollisionSource const& source, StepConstants const& step,
                 BlameBoard const& board, Stream& stream);

} // namespace alder::cuda
