#pragma once
// What a run tells about itself: build, hardware, plan.

#include "app/hardware.hpp"
#include "app/run_start.hpp"
#include "output/checkpoint.hpp"
#include "output/run_record.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"

#include <string>
#include <utility>
#include <vector>

namespace alder::app {

std::string hostName();
std::string processorName();
std::string processorMake(); ///< "AuthenticAMD"
output::Machine thisMachine(Hardware const& hardware);

/// The facts of the plan as (what, value), for the log and for programs.
std::vector<std::pair<std::string, std::string>> planFacts(plan::RunPlan const& plan, system::Topology const& topology);
/// Those that a restart must share to keep its bits; exact lists leave no trace of when they were built.
std::vector<std::pair<std::string, std::string>> restartFacts(plan::RunPlan const& plan);

/// SHA-256 of positions, velocities and box as they are in memory: equal bits, equal digest.
std::string stateDigest(system::State const& state);

/// What rank 0 tells of a start.
output::RunRecord makeRunRecord(RunStart const& start, engine::Backend const& backend);

} // namespace alder::app
