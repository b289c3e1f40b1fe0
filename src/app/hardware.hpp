#pragma once
// What of the machine a run uses: judged from the command line first, settled when the plan is known.

#include "app/options/deck_options.hpp"
#include "cpu/cpu_backend.hpp"
#include "gpu/provider.hpp"

#include <memory>
#include <string>

namespace alder::app {

/// Whether a GPU is asked for: never, where there is one that can do all of it, or in any case.
enum class GpuWish : std::uint8_t { never, ifPossible, always };

struct Hardware {
    cpu::CpuChoice cpu;
    GpuWish wish = GpuWish::never;
    gpu::Choice gpu;
    gpu::Device device;  ///< the one chosen, where there is one
    std::string trouble; ///< what keeps a welcome GPU from being used
    bool onGpu = false;  ///< settled: the GPU computes
};

/// Judges the choice against this machine and build. Throws InputRefused; RunFailed where a GPU is asked for and none can be used.
Hardware chooseHardware(HardwareOptions const& options);

/// What is to be placed.
struct RunToPlace {
    system::Topology const& topology;
    plan::RunPlan const& plan;
    physics::Box const& box; ///< it starts in
    plan::Purpose purpose = plan::Purpose::dynamics;
};

/// Decides between CPU and GPU. Where a GPU is asked for, throws InputRefused with everything that it cannot compute yet; where it is but
/// welcome, says in one line what keeps the run on the CPU.
void settleHardware(Hardware& hardware, RunToPlace const& run);

/// `topology` and `plan` must outlive the back end.
std::unique_ptr<engine::Backend> makeBackend(Hardware const& hardware, system::Topology const& topology, plan::RunPlan const& plan);

/// What decides a trajectory's bits: "AVX2+FMA", "NVIDIA sm_90, grids transformed by cuFFT 12.0".
std::string arithmeticOf(Hardware const& hardware);

} // namespace alder::app
