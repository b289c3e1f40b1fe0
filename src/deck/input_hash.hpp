#pragma once
// One number for an input, so that a run does not go on with another one unseen.

#include "system/state.hpp"
#include "system/topology.hpp"

#include <string>

namespace alder::deck {

/// SHA-256, in hex, of what decides the trajectory: options (as canonical text), topology as it was understood, and start. Comments,
/// file names and the order of keys don't count.
std::string inputHash(std::string const& options, system::Topology const& topology, system::State const& start);

} // namespace alder::deck
