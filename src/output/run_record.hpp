#pragma once
// What a run tells about itself, to people in md.log and to programs in md.json.

#include "base/clock.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace alder::output {

/// Known before the first step. Pairs are (what, value), in the order they are to be shown.
struct RunRecord {
    std::string version; ///< "0.1.0"
    std::string title;   ///< of the deck
    std::string commandLine;
    std::string inputHash;
    std::vector<std::pair<std::string, std::string>> build;    ///< "compiler" "GCC 12.2.0" ...
    std::vector<std::pair<std::string, std::string>> hardware; ///< "host", "CPU", "SIMD", "threads" ...
    std::vector<std::pair<std::string, std::string>> files;    ///< "trajectory" "md.h5md" ...
    std::vector<std::pair<std::string, std::string>> plan;     ///< facts of the plan, for the log's table
};

/// How the run ended, and in which state.
struct RunEnd {
    std::string how;       ///< "done", "stopped early: signal 15 (Terminated); go on with -cpi"
    std::int64_t step = 0; ///< of the last state
    std::string
        stateSha256; ///< empty: there is none. Of its positions (box fractions) and velocities as they are in memory: equal bits, equal digest
};

/// What ranks have sent each other, a step; nothing where there is one.
struct Exchange {
    int ranks = 1;
    double messages = 0, bytes = 0;         ///< of all ranks together
    double mostMessages = 0, mostBytes = 0; ///< of the rank that sends most of them
    double reductions = 0;                  ///< sums and maxima over all ranks
};

/// Known at the end.
struct Performance {
    double dt = 0;               ///< ps
    std::int64_t steps = 0;      ///< all steps of this start
    std::int64_t timedSteps = 0; ///< those after the warm-up
    double timedSeconds = 0;     ///< wall time of those
    double wallSeconds = 0;      ///< of the whole start
    std::int64_t listBuilds = 0, listPrunings = 0;
    base::Clock clock;
    Exchange exchange;

    /// Under this many timed steps no rate is given: start-up effects would be sold as speed.
    static constexpr std::int64_t fewestSteps = 100;
    [[nodiscard]] bool measured() const { return timedSteps >= fewestSteps && timedSeconds > 0; }
    [[nodiscard]] double nsPerDay() const { return static_cast<double>(timedSteps) * dt * 1e-3 / (timedSeconds / 86400.0); }
    [[nodiscard]] double hoursPerNs() const { return 24.0 / nsPerDay(); }
};

} // namespace alder::output
