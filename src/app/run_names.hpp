#pragma once
// The files that a run leaves: NAME.h5md and its companions.

#include <string>

namespace alder::app {

struct RunNames {
    explicit RunNames(std::string const& name);
    std::string trajectory, log, json, configuration, checkpoint;
};

/// Throws InputRefused where no file can be written under this name, before hours are spent: it names no file, or its folder is not there.
void requireWritable(std::string const& name);

/// Moves what an older run of this name left out of the way, to #NAME.cpt.h5.1# and the like. An old checkpoint left in place would be
/// taken up by -cpi for this run's, should it be killed before its first. Trajectory and log do this when they are created.
void moveOlderRunAside(RunNames const& names);

} // namespace alder::app
