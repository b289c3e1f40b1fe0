#pragma once
// A run as its files tell it: the trajectory's energies, and what stands beside it.

#include "output/energies/energy_reader.hpp"
#include "run_report/run_facts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace alder::run_report {

struct RunStory {
    std::string file; ///< the trajectory
    output::EnergyRecords records;
    std::optional<RunFacts> facts;    ///< of the md.json beside it, where there is one that fits
    std::vector<std::string> remarks; ///< what is missing, or does not fit, in words for the reader of the page
    std::string parametersFile;       ///< the .mdp, where it still is
    std::string parameters;           ///< its text, as it stands now
};

/// Reads a trajectory, the .json of its name, and the parameters that this names. A .json that is missing, unreadable or of another system
/// is told in the remarks; only the trajectory must be there. Throws base::InputRefused where it cannot be read.
RunStory readStory(std::string const& trajectory);

} // namespace alder::run_report
