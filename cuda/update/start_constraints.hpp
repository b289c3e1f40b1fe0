#pragma once
// Constraints where nothing moves in time: starting positions and velocities, and velocities along bonds taken out.

#include "update/blame_board.hpp"
#include "update/update_tables.hpp"

namespace alder::cuda {

void constrainPositions(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                        Stream& stream);
/// v(-dt/2), such that a step back from constrained positions joins two configurations that satisfy the constraints.
void constrainVelocities(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                         Stream& stream);
/// Takes out of velocities what changes constrained distances.
void projectVelocities(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                       Stream& stream);

} // namespace alder::cuda
