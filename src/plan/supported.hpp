#pragma once
// Which kinds of interaction the engine computes. What it does not compute is refused, never left out.

#include "system/topology.hpp"

namespace alder::plan {

/// What the engine does with a kind of interaction.
enum class Treatment : std::uint8_t {
    force,       ///< a bonded term with a formula
    connection,  ///< no force: it only makes exclusions
    constraint,  ///< a distance kept during a run; without effect on the forces of one configuration
    average,     ///< a restraint on the average of several pairs, where the .mdp asks for it
    virtualSite, ///< a place that follows from others
    refused      ///< not computed
};
Treatment treatmentOf(system::Kind kind);

/// True where a run has distances to keep beside those of SETTLE's waters.
bool constrainsDistances(system::Topology const& topology);

} // namespace alder::plan
