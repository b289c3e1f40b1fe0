#pragma once
// `alder mdrun -rerun`: energies and forces of every frame of a trajectory.

#include "app/options/mdrun_options.hpp"
#include "app/ranks/ranks.hpp"
#include "app/spending/run_account.hpp"
#include "loop/stop_request.hpp"

namespace alder::app {

/// Writes NAME.h5md, NAME.log and NAME.json. Returns the exit status; throws InputRefused or RunFailed.
int runRerun(MdrunOptions const& options, loop::StopRequest& stop, RunAccount& account, Ranks& ranks);

} // namespace alder::app
