#pragma once
// `alder bench`: runs of alder, one setting after the other, and the figures that come of them.

#include "bench/sweep.hpp"

#include <string>
#include <vector>

namespace alder::app {

struct BenchOptions {
    std::vector<std::string> decks; ///< names or folders; empty: a choice by what computes
    bench::SweepWish sweep;
    std::string nonbonded = "auto";   ///< -nb, handed to each run
    std::vector<std::string> devices; ///< CUDA_VISIBLE_DEVICES of the replicas, in turn: MIG slices by name; empty: as it is
    std::string launcher;             ///< with {ranks} and {threads}; empty: srun in a job of Slurm, else mpirun
    int windows = 3;
    double windowSeconds = 10;
    double budget = 0; ///< seconds after which no timing begins; 0: none
    bool forceErrors = true;
    std::string json = "bench.json";
    std::string keep; ///< folder to work in, and to leave as it is; empty: a folder that goes away
};

/// Returns the exit status: 0 where all ran that was not left out, 1 where a timing failed, 75 where it was stopped.
int runBenchmark(BenchOptions const& options);

} // namespace alder::app
