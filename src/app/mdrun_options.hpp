#pragma once
// What `alder mdrun` was asked for, and the files it leaves.

#include "app/deck_options.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace alder::app {

struct MdrunOptions {
    deck::DeckFiles files;
    HardwareOptions hardware;
    std::string name = "md"; ///< -deffnm
    bool goOn = false;       ///< -cpi
    std::string checkpoint;  ///< -cpi FILE; empty: NAME.cpt.h5
    double checkpointMinutes = 15, maxHours = -1;
    std::optional<std::int64_t> steps, nstlist;
    bool exactLists = false, resetHalfway = false, force = false;
    std::string commandLine;
};

/// NAME.h5md and its companions.
struct RunNames {
    explicit RunNames(std::string const& name)
        : trajectory(name + ".h5md"),
          log(name + ".log"),
          json(name + ".json"),
          configuration(name + ".gro"),
          checkpoint(name + ".cpt.h5")
    {}
    std::string trajectory, log, json, configuration, checkpoint;
};

} // namespace alder::app
