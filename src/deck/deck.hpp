#pragma once
// One deck: .mdp, .gro, .top and .ndx together, as what is to be run.

#include "base/error.hpp"
#include "deck/gro_reader.hpp"
#include "plan/run_options.hpp"
#include "system/state.hpp"
#include "system/topology.hpp"

#include <functional>
#include <string>

namespace alder::deck {

/// Paths as the command line gives them; empty: not given.
struct DeckFiles {
    std::string mdp, coordinates, topology, index, reference;
};

struct Deck {
    plan::RunOptions options;
    system::Topology topology;
    system::AtomGroups energyGroups; ///< between which pair energies are to be told apart; fewer than two: not at all
    system::State state;
    bool hasVelocities = false; ///< the coordinate file gave velocities
    base::FaultList warnings;   ///< warnings alone
    std::string title;          ///< of the topology
    std::string inputHash;      ///< SHA-256 of what decides the trajectory, in hex: options but for nsteps and output, topology, start
};

/// Reads a configuration from a file, with a fault for each thing wrong.
using CoordinateReader = std::function<Configuration(std::string const& file, base::FaultList& faults)>;

/// Reads all files, and the rules between them; coordinates and reference positions through `read`, which may know more formats than .gro.
/// Throws base::InputRefused with every fault of every file.
Deck readDeck(DeckFiles const& files, CoordinateReader const& read = readGro);

} // namespace alder::deck
