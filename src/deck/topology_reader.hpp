#pragma once
// A .top file and what it includes, as the topology that is simulated.

#include "base/error.hpp"
#include "deck/topology/preprocessor.hpp"
#include "plan/run_options.hpp"
#include "system/topology.hpp"

#include <string>
#include <vector>

namespace alder::deck {

struct TopologyRequest {
    std::string file;
    std::vector<std::string> defines;     ///< of the .mdp: "NAME" or "NAME=value"
    std::vector<std::string> includeDirs; ///< of the .mdp
    plan::Constraints constraints = plan::Constraints::none;
    bool morse = false;
    base::Place constraintsAt = {}; ///< where the .mdp says so
};

/// Reads the topology. Gathers faults and warnings, never throws for what the text says, and returns what it could read.
system::Topology readTopology(TopologyRequest const& request, base::FaultList& faults);

/// The same in two steps, for those who want the preprocessed text too.
SourceText preprocess(TopologyRequest const& request, base::FaultList& faults);
system::Topology readTopology(SourceText const& text, TopologyRequest const& request, base::FaultList& faults);

} // namespace alder::deck
