#pragma once
// What a run tells about itself, to people in md.log and to programs in md.json.

#include "base/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alder::output {

/// A GPU as its driver tells of it; what it does not tell is left out.
struct GpuFacts {
    std::string name, computeCapability, uuid; ///< "NVIDIA H200", "9.0", "GPU-..."
    double memory = 0;                         ///< GiB
    std::optional<std::string> slice;          ///< MIG profile; none: a whole GPU
    std::optional<std::string> driver, cuda;   ///< versions
    std::optional<double> powerLimit, clock;   ///< W, MHz
};

/// What figures of speed are figures of (docs/bench_schema.md).
struct TimedSetup {
    std::string deck; ///< what it is called
    std::int64_t atoms = 0;
    double dt = 0, rcoulomb = 0, rvdw = 0; ///< ps, nm
    std::string place;                     ///< "cpu", "gpu" or "emulated-gpu"
    std::optional<std::string> transform;  ///< "own" or "cufft"; none: on CPUs, or nothing is transformed
    int ranks = 1, pmeRanks = 0, threads = 1;
    std::int64_t gpus = 0; ///< different ones
    std::string host, processor;
    int processors = 1; ///< allowed to this process
    std::optional<GpuFacts> gpu;
};

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
    TimedSetup setup;
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

/// So many steps took so long.
struct TimedWindow {
    std::int64_t steps = 0;
    double seconds = 0;
};

/// Of rates, or any numbers.
struct Spread {
    double least = 0, median = 0, most = 0;
};
/// `values` must not be empty. The median of an even number of them is the mean of the two in the middle.
inline Spread spreadOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    std::size_t const n = values.size();
    return {values.front(), 0.5 * (values[(n - 1) / 2] + values[n / 2]), values.back()};
}

/// Slope of the conserved energy, kJ/mol/ns an atom, and its standard error.
struct EnergyDrift {
    double slope = 0, error = 0;
};

/// How fast the run was over one part of itself.
struct RateSoFar {
    std::int64_t step = 0; ///< where the part ended
    double nsPerDay = 0;
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
    std::vector<TimedWindow> windows;   ///< where the run was timed in windows; else what was timed is one
    std::optional<bool> steady;         ///< whether the rate had settled before the first
    std::vector<RateSoFar> rates;       ///< all along
    std::optional<double> began;        ///< Unix time of the first window's beginning, s
    std::optional<double> hostMemory;   ///< the most that was resident, of all ranks together, MiB
    std::optional<double> deviceMemory; ///< the most that the run's arrays took on GPUs, of all ranks together, MiB
    std::optional<double> power;        ///< of the GPUs while the run was timed, all together, W
    std::optional<EnergyDrift> drift;

    /// Under this many timed steps no rate is given: start-up effects would be sold as speed.
    static constexpr std::int64_t fewestSteps = 100;
    [[nodiscard]] bool measured() const { return timedSteps >= fewestSteps && timedSeconds > 0; }
    [[nodiscard]] double nsPerDay() const { return rateOf({timedSteps, timedSeconds}); }
    /// Steps x dt / 1000 is ns; seconds / 86400 is days.
    [[nodiscard]] double rateOf(TimedWindow const& window) const
    {
        return static_cast<double>(window.steps) * dt * 1e-3 / (window.seconds / 86400.0);
    }
    [[nodiscard]] double hoursPerNs() const { return 24.0 / nsPerDay(); }
};

} // namespace alder::output
