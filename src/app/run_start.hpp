#pragma once
// What one start of a run works with, whatever it computes.

#include "app/hardware.hpp"
#include "app/options/mdrun_options.hpp"
#include "loop/stop_request.hpp"
#include "plan/run_plan.hpp"

namespace alder::app {

struct RunStart {
    MdrunOptions const& options;
    loop::StopRequest const& stop;
    Hardware const& hardware;
    deck::Deck& deck;
    plan::RunPlan const& plan;
};

} // namespace alder::app
