#pragma once
// Constraints that hold more atoms together than a thread has room for, as all bonds of a protein do: a block of threads takes a group
// through a step, with its arrays in the GPU's memory. LINCS is solved bond by bond and atom by atom, each by one thread in the order of
// the bonds, so that the bits are those of one thread that does it all.

#include "update/blame_board.hpp"
#include "update/leap_frog_step.hpp"
#include "update/update_tables.hpp"

namespace alder::cuda {

void stepMolecules(UpdateTables const& tables, Moving const& moving, FactorViews const& factors, StepConstants const& step,
                   BlameBoard const& board, VirialWords virial, Stream& stream);
void constrainMoleculePositions(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                                Stream& stream);
void constrainMoleculeVelocities(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                                 Stream& stream);

} // namespace alder::cuda
