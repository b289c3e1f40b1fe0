#pragma once
// An .mdp as typed options.

#include "base/error.hpp"
#include "plan/run_options.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alder::deck {

/// What an .mdp asks for, with GROMACS 2022's defaults for what it leaves out.
struct MdpContent {
    plan::RunOptions options;
    std::string includes, defines; ///< `include` and `define` as written, for the topology
    /// Groups named by keys that have no effect but on other programs' output; they must exist all the same.
    std::vector<std::pair<std::string, std::vector<std::string>>> groupsNamed;
    std::vector<std::string> energyGroups;
    std::size_t annealingWords = 0; ///< values of `annealing`, one a temperature group
    std::string canonicalText;      ///< the keys that decide the trajectory, sorted, `key=value` a line: what the input hash covers
};

/// Reads the file. A fault for each thing wrong; none is thrown.
MdpContent readMdp(std::string const& file, base::FaultList& faults);
MdpContent readMdpText(std::string const& file, std::string_view text, base::FaultList& faults);

} // namespace alder::deck
