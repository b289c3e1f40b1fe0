#pragma once
// Which atoms each thread moves: groups of constraints, free atoms and rigid waters, so that all have about as much to do.

#include "constraints/constraint_set.hpp"
#include "constraints/settle_set.hpp"

#include <cstdint>
#include <vector>

namespace alder::cpu {

struct ItemRange {
    std::int64_t begin = 0, end = 0;
};

struct ThreadShare {
    ItemRange groups;                   ///< of ConstraintSet::groups()
    ItemRange freeAtoms;                ///< of those that no constraint holds
    std::vector<ItemRange> waterBlocks; ///< by SettleGroup: blocks of waterLanes waters
};

/// What there is to share out.
struct SharedWork {
    constraints::ConstraintSet const& groups;
    constraints::SettleSet const& waters;
    std::int64_t freeAtoms = 0;
};

/// A group of constraints is never split: a whole protein under all-bonds is one thread's, who gets less of the rest.
std::vector<ThreadShare> shareOut(SharedWork const& work, int threads);

} // namespace alder::cpu
