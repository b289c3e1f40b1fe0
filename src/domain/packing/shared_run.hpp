#pragma once
// What every rank knows of a run: all but where the atoms are.

#include "domain/communicator.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"
#include "system/topology.hpp"

#include <string>

namespace alder::domain {

/// Which arrays of the state go along.
enum class StateArrays : bool { ofFirstRankAlone, everywhere };

struct SharedRun {
    system::Topology& topology;
    plan::RunPlan& plan;
    system::State& state;
    std::string& title;
};

/// Rank 0's become everybody's. Positions and velocities of other ranks are empty afterwards, unless they are asked for.
void broadcast(Communicator& ranks, SharedRun const& run, StateArrays arrays);

} // namespace alder::domain
