#pragma once
// A comparison for people at a terminal of 130 columns.

#include "report/comparison.hpp"
#include "report/ledger_costs.hpp"

#include <string>
#include <vector>

namespace alder::report {

/// By system: a table of rates, a table of costs, and the best choice; in the end what the columns are. Every row says first whether it was
/// measured.
std::string terminalText(Comparison const& comparison);

/// What runs really cost.
std::string terminalText(std::vector<LedgerCost> const& costs);

} // namespace alder::report
