#include "engine/step_graphs.hpp"

#include "device/buffers.hpp"

namespace alder::cuda {

void StepGraphs::run(std::string const& key, Stream& stream, std::function<void()> const& work)
{
    if (allocations_ != allocationCount()) {
        clear();
        allocations_ = allocationCount();
    }
    auto const [at, first] = known_.try_emplace(key);
    if (first) {
        work();
        if (allocations_ == allocationCount()) return;
        // The first time is when buffers are made, and they may be those of older graphs.
        clear();
        known_.try_emplace(key);
        allocations_ = allocationCount();
        return;
    }
    Known& known = at->second;
    if (!known.recorded) {
        known.graph = captured(stream, work);
        known.recorded = true;
    }
    known.graph.launch(stream);
}

} // namespace alder::cuda
