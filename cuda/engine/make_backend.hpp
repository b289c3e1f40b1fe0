#pragma once
// The back end, without the kernels' headers that it is made of: those are for nvcc.

#include "domain/run_layout.hpp"
#include "engine/backend.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace alder::cuda {

/// What of a deck no kernel computes yet, in words.
std::vector<std::string> cannotDo(system::Topology const& topology, plan::RunPlan const& plan);

/// Device memory of a run in a box of this volume (nm^3), bytes.
std::uint64_t memoryNeeded(system::Topology const& topology, plan::RunPlan const& plan, double volume);

/// Columns that domains of several ranks are unions of.
domain::ColumnNeeds columnNeeds(system::Topology const& topology, plan::RunPlan const& plan);

/// On the device that is current in this thread.
std::unique_ptr<engine::Backend> makeBackend(system::Topology const& topology, plan::RunPlan const& plan, std::string deviceName,
                                             domain::RunLayout const& layout);

} // namespace alder::cuda
