#pragma once
// Which settings are timed.

#include <optional>
#include <string>
#include <vector>

namespace alder::bench {

/// How one timing is run.
struct Setting {
    int ranks = 1, threads = 1;
    int pmeRanks = -1;        ///< -1: as alder chooses
    int replicas = 1;         ///< runs at the same time
    int gpus = 0;             ///< that all of them use; 0: CPUs
    std::optional<double> dt; ///< ps; none: the deck's
    /// "2 ranks x 1 thread, 2 replicas on 1 GPU, 4 fs"
    [[nodiscard]] std::string text() const;
};

/// What is asked for; what is empty is chosen.
struct SweepWish {
    std::vector<int> ranks, threads, pmeRanks, replicas, gpus;
    std::vector<double> dt;
};

/// What there is.
struct Machine {
    int processors = 1;
    int gpus = 0;          ///< that will be used; 0: CPUs compute
    bool launcher = false; ///< something that starts ranks was found
};

struct Sweep {
    std::vector<Setting> settings;
    std::vector<std::string> leftOut; ///< combinations that cannot be, with the reason
};

/// Every combination of what is asked for that can be. Without lists: on CPUs all processors by threads, and by ranks of one thread each;
/// with GPUs one of them with 1, 2 and 4 replicas, and all of them with a rank each. Threads that are not given divide the processors.
Sweep sweepOf(SweepWish const& wish, Machine const& machine);

} // namespace alder::bench
