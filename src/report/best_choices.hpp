#pragma once
// Which row to take, of those that were measured and right.

#include "report/comparison.hpp"

#include <string>
#include <vector>

namespace alder::report {

struct Cheapest {
    Row const* row = nullptr;
    RowCost const* cost = nullptr;
};

/// Of one system. Pointers are into the comparison.
struct BestChoice {
    System system;
    Row const* fastestRun = nullptr; ///< most ns/day of one run
    Row const* mostInAll = nullptr;  ///< most ns/day of all runs at the same time; the same row where no replicas do better
    /// The cheapest per ns in each currency, in alphabetical order. Where the cheapest is by a price whose preemptions are not known, so that
    /// its cost is a lower bound, the cheapest of the others follows it.
    std::vector<Cheapest> cheapest;
};

/// One choice a system, in the order of the rows. All pointers are null where nothing of a system counts (Row::counts).
std::vector<BestChoice> bestChoices(Comparison const& comparison);

/// "12.4 CNY" with what must be told with it: "at least", "price not verified".
std::string costText(RowCost const& cost);

} // namespace alder::report
