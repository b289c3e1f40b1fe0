#pragma once
// What this program was built from and with: for `alder info`, md.log, md.json and the checkpoint.

#include <string_view>

namespace alder::base {

struct BuildInfo {
    std::string_view version;      ///< "0.1.0"
    std::string_view revision;     ///< git describe, "unknown" outside a clone
    std::string_view compiler;     ///< "GNU 12.2.0"
    std::string_view buildType;    ///< "Release"
    std::string_view sourceFolder; ///< the source tree, where it still stands
    std::string_view dataFolder;   ///< share/alder under the prefix given at configure time
};

BuildInfo const& buildInfo();

} // namespace alder::base
