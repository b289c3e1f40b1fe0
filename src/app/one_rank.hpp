#pragma once
// Refusal of several MPI ranks, said once and returned by all.

#include "domain/world.hpp"

namespace alder::app {

/// The ranks of a command that runs on one.
class OneRank {
public:
    OneRank();
    /// More than one was started, and the first has said so. Every rank is to return exitRefused, not leave by exit(): a launcher ends the
    /// others where one goes without finalizing, and the line may not have come out by then.
    [[nodiscard]] bool refused() const { return world_.size() > 1; }

private:
    domain::World world_;
};

} // namespace alder::app
