#pragma once
// A comparison for programs: one record a row and price, the same in CSV and JSON.

#include "report/comparison.hpp"
#include "report/ledger_costs.hpp"

#include <string>
#include <vector>

namespace alder::report {

/// RFC 4180, with a line of names. docs/report.md describes the columns; an empty cell is a figure that is not known, and `price` is
/// "no price" where none is.
std::string csvText(Comparison const& comparison);

/// {"schema": "alder-report-1", "rows": [records], "best": [...], "ledger": [...]}: with null where CSV has an empty cell.
std::string jsonText(Comparison const& comparison, std::vector<LedgerCost> const& ledger);

} // namespace alder::report
