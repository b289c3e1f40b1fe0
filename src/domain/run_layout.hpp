#pragma once
// How the ranks of a run share it.

#include "domain/communicator.hpp"
#include "domain/layout.hpp"
#include "domain/layout_wish.hpp"

#include <string>

namespace alder::domain {

struct RunLayout {
    Communicator* ranks = nullptr; ///< null: there is one rank, and nothing is shared
    DomainCounts domains;
    ColumnNeeds columns; ///< what domains are unions of
    int pmeRanks = 0;    ///< the last ranks, which do nothing else; 0: all do their part of the grids
};

/// What the layout depends on.
struct ToShare {
    physics::Box const& box;
    ColumnNeeds columns; ///< of the back end's pair lists
    bool grids = false;  ///< there is a reciprocal sum
};

/// Throws InputRefused, on every rank alike, where the wish cannot be met: with the largest number of ranks that can.
RunLayout settleLayout(Communicator& ranks, LayoutWish const& wish, ToShare const& run);

/// "4 x 2 domains, 1 rank for PME"
std::string describe(RunLayout const& layout);

} // namespace alder::domain
