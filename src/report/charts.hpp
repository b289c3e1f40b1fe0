#pragma once
// A comparison drawn: which rows stand in which chart. Figures that were not measured, or are wrong, are series of their own with a mark.

#include "page/chart.hpp"
#include "report/comparison.hpp"

#include <string>
#include <vector>

namespace alder::report {

/// "fixture: not measured", "wrong"; empty for a good measurement.
std::string markOf(Row const& row);

/// ns/day of the fastest single run of each machine and number of GPUs, the fastest first: one chart a system that has several.
std::vector<page::BarChart> chartsOfMachines(Comparison const& comparison);

/// ns/day and atoms x steps/s against atoms, of the fastest single run of each machine and number of GPUs; ns for a unit of each currency
/// and for a kWh, of the setup of each machine that takes least (by price), replicas included. Those without any point are left out.
std::vector<page::LineChart> chartsBySize(Comparison const& comparison);

/// ns/day of single runs against GPUs, and against processors (ranks x threads) of CPUs, with a line of what the smallest would give if all
/// scaled perfectly: one chart a system that has several.
std::vector<page::LineChart> chartsOfScaling(Comparison const& comparison);

} // namespace alder::report
