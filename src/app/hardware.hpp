#pragma once
// What of the machine a run uses: judged from the command line first, settled when the plan is known.

#include "app/options/deck_options.hpp"
#include "app/ranks/ranks.hpp"
#include "cpu/cpu_backend.hpp"
#include "gpu/provider.hpp"

#include <memory>
#include <string>

namespace alder::app {

/// Whether a GPU is asked for: never, where there is one that can do all of it, or in any case.
enum class GpuWish : std::uint8_t { never, ifPossible, always };

/// What all ranks of a run take together.
struct HardwareCount {
    std::int64_t gpus = 0;       ///< different ones; those that would be used if GPUs are
    std::int64_t processors = 1; ///< threads
    bool firstOnDevice = true;   ///< of the ranks that share this one's GPU, this comes first
};

struct Hardware {
    cpu::CpuChoice cpu;
    GpuWish wish = GpuWish::never;
    gpu::Choice gpu;
    gpu::Device device;  ///< the one chosen, where there is one
    std::string trouble; ///< what keeps a welcome GPU from being used
    int usableGpus = 1;  ///< of this machine, that its ranks take in turn
    HardwareCount count;
    bool onGpu = false; ///< settled: the GPU computes
};

/// Judges the choice against the machines of all ranks and this build, and lets them agree on arithmetic that all can do. Throws
/// InputRefused; RunFailed where a GPU is asked for and none can be used.
Hardware chooseHardware(HardwareOptions const& options, Ranks& ranks);

/// What is to be placed.
struct RunToPlace {
    system::Topology const& topology;
    plan::RunPlan const& plan;
    physics::Box const& box; ///< it starts in
};

/// On which ranks, and how they are to share the work.
struct RankPlacement {
    Ranks& ranks;
    domain::LayoutWish wish;
};

/// Decides between CPU and GPU, for all ranks alike, on rank 0. Where a GPU is asked for, throws InputRefused with everything that it cannot compute yet; where it is but
/// welcome, says in one line what keeps the run on the CPU.
void settleHardware(Hardware& hardware, RunToPlace const& run, Ranks const& ranks);

/// All ranks together. Topology, plan and the communicator of the ranks must outlive the back end. Throws InputRefused, on all ranks, for a
/// layout that cannot work.
std::unique_ptr<engine::Backend> makeBackend(Hardware const& hardware, RunToPlace const& run, RankPlacement const& where);

/// What decides a trajectory's bits: "AVX2+FMA", "NVIDIA sm_90, grids transformed by cuFFT 12.0".
std::string arithmeticOf(Hardware const& hardware);

} // namespace alder::app
