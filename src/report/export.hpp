#pragma once
// A comparison for programs: one record a row and price, the same in CSV and JSON.

#include "page/chart.hpp"
#include "report/comparison.hpp"
#include "report/ledger_costs.hpp"

#include <string>
#include <vector>

namespace alder::report {

/// RFC 4180, with a line of names. docs/report.md describes the columns; an empty cell is a figure that is not known, and `price` is
/// "no price" where none is.
std::string csvText(Comparison const& comparison);

/// An object of `schema` ("alder-report-1"), `records` as the lines of CSV, with null for an empty cell and the number of their `row`; `best`, which
/// names rows by that number; `ledger`; and `charts`: title, and name, mark, x, y of each line, or groups, values, marks of bars.
std::string jsonText(Comparison const& comparison, std::vector<LedgerCost> const& ledger, std::vector<page::Chart> const& charts);

} // namespace alder::report
