#pragma once
// Runs of steps that nobody looks at, recorded as CUDA graphs: one launch by the host for all kernels until the next list.

#include "device/graph.hpp"
#include "device/stream.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace alder::cuda {

/// Graphs by what the steps of a run do. Arguments of launches are kept as they were when recorded, so a run's key must say all that they
/// depend on; and graphs die with any buffer that moves.
class StepGraphs {
public:
    /// Does a run of steps: by its graph; where there is none yet, by `work` itself the first time, and by recording it the second, since
    /// most of what is asked for once is never asked for again and what allocates memory does so the first time.
    void run(std::string const& key, Stream& stream, std::function<void()> const& work);
    /// Forgets all, for something that kernels were told has changed.
    void clear() { known_.clear(); }

private:
    struct Known {
        Graph graph;
        bool recorded = false;
    };
    std::map<std::string, Known> known_;
    std::uint64_t allocations_ = 0; ///< of device memory when the graphs were recorded
};

} // namespace alder::cuda
