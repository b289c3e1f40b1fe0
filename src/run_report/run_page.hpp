#pragma once
// The page of a run: what alder report makes of a trajectory.

#include "run_report/run_story.hpp"

#include <string>

namespace alder::run_report {

/// The whole page as HTML (docs/report.md). Times on it are ps, drifts kJ/mol/ns by atom.
std::string pageOf(RunStory const& story);

/// The numbers that the page shows, as JSON: the element with the id "data".
std::string dataOf(RunStory const& story);

} // namespace alder::run_report
