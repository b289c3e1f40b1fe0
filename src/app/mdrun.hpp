#pragma once
// `alder mdrun` from the deck to the last file.

#include "app/options/mdrun_options.hpp"
#include "app/ranks/ranks.hpp"

namespace alder::app {

/// Returns the exit status; throws InputRefused or RunFailed.
int runMdrun(MdrunOptions const& options, Ranks& ranks);

} // namespace alder::app
