#pragma once
// What one start of a run works with, whatever it computes.

#include "app/hardware.hpp"
#include "app/options/mdrun_options.hpp"
#include "app/ranks/ranks.hpp"
#include "loop/stop_request.hpp"
#include "plan/run_plan.hpp"

namespace alder::app {

struct RunStart {
    MdrunOptions const& options;
    loop::StopRequest const& stop;
    Hardware const& hardware;
    deck::Deck&
        deck; ///< on all ranks but the first: topology, title, and the state without positions and velocities (all of it: minimizations)
    plan::RunPlan const& plan;
    Ranks& ranks;
};

} // namespace alder::app
