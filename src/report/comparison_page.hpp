#pragma once
// A comparison as one page of HTML that holds all it needs.

#include "report/comparison.hpp"
#include "report/ledger_costs.hpp"

#include <string>
#include <vector>

namespace alder::report {

/// Best choices, charts, tables, files; and jsonText() as its data.
std::string pageOf(Comparison const& comparison, std::vector<LedgerCost> const& ledger);

} // namespace alder::report
