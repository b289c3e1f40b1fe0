#pragma once
// Where GPU back ends come from. One of three libraries is linked: CUDA, its emulation (for tests), or the stub that has none; nobody else
// needs to know which.

#include "domain/run_layout.hpp"
#include "engine/backend.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace alder::gpu {

enum class Provider : std::uint8_t { none, cuda, emulated };
/// What this program was linked with.
Provider provider();

/// One GPU, or one MIG slice of one, as the driver numbers those that this process may see.
struct Device {
    int index = 0;
    std::string name;
    std::uint64_t memory = 0; ///< bytes
    int major = 0, minor = 0; ///< compute capability
    std::string uuid;         ///< "GPU-..." or "MIG-..."
    std::string migProfile;   ///< empty: a whole GPU
    bool hasKernels = true;   ///< false: this build holds no code for it
};

struct DeviceList {
    std::vector<Device> devices;
    std::string trouble; ///< why there are none, in one line
    std::string runtime; ///< "CUDA 13.0, driver 13.0"
};
DeviceList devices();

/// Which device to use, and how much of it.
struct Choice {
    int device = 0;
    std::uint64_t memoryCap = 0; ///< bytes; 0: what is free
};

/// What of the deck no kernel computes yet, each in a few words; empty: a GPU can run it.
std::vector<std::string> cannotDo(system::Topology const& topology, plan::RunPlan const& plan);

/// Device memory that a run in a box of this volume (nm^3) takes, bytes: worked out before anything is allocated.
std::uint64_t memoryNeeded(system::Topology const& topology, plan::RunPlan const& plan, double volume);
/// Device memory that a run may have now, bytes.
std::uint64_t memoryFree(Choice const& choice);

/// The most that this process's arrays have taken of GPUs so far, bytes.
std::uint64_t memoryPeak();

/// What decides a trajectory's bits on a device: "NVIDIA sm_90, grids transformed by cuFFT 12.0". Checkpoints record it.
std::string arithmeticOf(Choice const& choice);

/// The columns of atoms that domains of several ranks are unions of.
domain::ColumnNeeds columnNeeds(system::Topology const& topology, plan::RunPlan const& plan);

/// `topology`, `plan` and the layout's ranks must outlive the back end. Throws RunFailed where the device cannot be used.
std::unique_ptr<engine::Backend> makeBackend(system::Topology const& topology, plan::RunPlan const& plan, Choice const& choice,
                                             domain::RunLayout const& layout = {});

} // namespace alder::gpu
