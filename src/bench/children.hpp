#pragma once
// Programs that are started and waited for.

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace alder::bench {

struct Child {
    std::vector<std::string> words;                               ///< the program, found along PATH, and its arguments
    std::vector<std::pair<std::string, std::string>> environment; ///< in addition
    std::filesystem::path output;                                 ///< standard output and error go there
};

/// How one ended.
struct ChildEnd {
    int status = -1;       ///< exit status; 128 + n: by signal n; -1: it could not be started
    bool timedOut = false; ///< it was ended for want of time
    std::string lastWords; ///< the last lines of what it printed
};

struct Patience {
    double seconds = 0;            ///< then they are ended
    std::function<bool()> stopped; ///< or when this says so
};

/// Starts all at once and waits for all. Those that are to end get SIGTERM, and ten seconds later SIGKILL. They end with this process.
std::vector<ChildEnd> runTogether(std::vector<Child> const& children, Patience const& patience);

/// Whether PATH has such a program.
bool onPath(std::string const& program);

} // namespace alder::bench
