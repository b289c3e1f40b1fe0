#pragma once
// The processors of one machine, and how its ranks share them. Nothing is pinned: what a launcher has bound stays as it is.

#include "domain/world.hpp"

namespace alder::domain {

struct NodeShare {
    int ranks = 1;      ///< of this run, on this machine
    int place = 0;      ///< of this rank among them
    int processors = 1; ///< that one or more of them may run on
    int allowed = 1;    ///< that this rank may run on
    /// This rank's part of those: a processor that n ranks may run on counts 1/n.
    double part = 1;
    /// How many threads keep to that part; one at least.
    [[nodiscard]] int threads() const { return part < 1 ? 1 : static_cast<int>(part + 1e-6); }
};

/// All ranks together.
NodeShare shareOfNode(World const& world);

} // namespace alder::domain
