// GPUs as the CUDA runtime shows them: it reads CUDA_VISIBLE_DEVICES itself, with indices, UUIDs and MIG names.

#include "gpu/provider.hpp"

#include "base/error.hpp"
#include "device/buffers.hpp"
#include "device/check.hpp"
#include "engine/make_backend.hpp"
#include "pme/grid_transform.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alder::gpu {

#if defined(ALDER_SIMT)
Provider provider() { return Provider::emulated; }
#else
Provider provider() { return Provider::cuda; }
#endif

namespace {

// The oldest compute capability that kernels were compiled for, times ten; later ones run its code, or the PTX beside it.
#ifndef ALDER_CUDA_OLDEST
#define ALDER_CUDA_OLDEST 0
#endif

std::string versionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string uuidText(cudaUUID_t const& uuid, bool slice)
{
    std::string text = slice ? "MIG" : "GPU";
    for (int i = 0; i < 16; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

/// The runtime puts a slice's profile at the end of its name: "NVIDIA A100-SXM4-40GB MIG 1g.5gb".
Device deviceOf(int index)
{
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, index), "asking for a GPU's properties");
    Device device;
    device.index = index;
    device.name = properties.name;
    device.memory = properties.totalGlobalMem;
    device.major = properties.major;
    device.minor = properties.minor;
    if (auto const at = device.name.find(" MIG "); at != std::string::npos) {
        device.migProfile = device.name.substr(at + 5);
        device.name.resize(at);
    }
    device.uuid = uuidText(properties.uuid, !device.migProfile.empty());
    device.hasKernels = 10 * device.major + device.minor >= ALDER_CUDA_OLDEST;
    return device;
}

} // namespace

DeviceList devices()
{
    DeviceList list;
    int driver = 0, runtime = 0, count = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    cudaError_t const status = cudaGetDeviceCount(&count);
    if (driver == 0)
        list.trouble = "no NVIDIA driver is installed";
    else if (status == cudaErrorInsufficientDriver)
        list.trouble = fmt::format("the NVIDIA driver is too old: it goes up to CUDA {}, and this build needs {}", versionText(driver),
                                   versionText(runtime));
    else if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
        list.trouble = "the NVIDIA driver shows no GPU to this process (CUDA_VISIBLE_DEVICES, or the job's allocation)";
    else if (status != cudaSuccess)
        list.trouble = cudaGetErrorString(status);
    cudaGetLastError(); // what a count answers is no fault of a later call
    list.runtime = fmt::format("{}{}", versionText(runtime), driver == 0 ? "" : ", driver for up to " + versionText(driver));
    if (!list.trouble.empty()) return list;
    for (int index = 0; index < count; ++index) list.devices.push_back(deviceOf(index));
    return list;
}

std::vector<std::string> cannotDo(system::Topology const& topology, plan::RunPlan const& plan) { return cuda::cannotDo(topology, plan); }

std::uint64_t memoryNeeded(system::Topology const& topology, plan::RunPlan const& plan, double volume)
{
    return cuda::memoryNeeded(topology, plan, volume);
}

std::uint64_t memoryFree(Choice const& choice)
{
    cuda::check(cudaSetDevice(choice.device), "choosing a GPU");
    std::size_t free = 0, total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "asking for a GPU's free memory");
    return choice.memoryCap == 0 ? free : std::min<std::uint64_t>(free, choice.memoryCap);
}

std::uint64_t memoryPeak() { return cuda::peakDeviceBytes(); }

std::string arithmeticOf(Choice const& choice)
{
    std::string const transforms = ", grids transformed by " + cuda::nameOf(cuda::chosenTransform());
    if (provider() == Provider::emulated) return "emulated GPU" + transforms;
    Device const device = deviceOf(choice.device);
    return fmt::format("NVIDIA sm_{}{}{}", device.major, device.minor, transforms);
}

domain::ColumnNeeds columnNeeds(system::Topology const& topology, plan::RunPlan const& plan) { return cuda::columnNeeds(topology, plan); }

std::unique_ptr<engine::Backend> makeBackend(system::Topology const& topology, plan::RunPlan const& plan, Choice const& choice,
                                             domain::RunLayout const& layout)
{
    cuda::check(cudaSetDevice(choice.device), "choosing a GPU");
    return cuda::makeBackend(topology, plan, fmt::format("GPU, {}, {}", deviceOf(choice.device).name, arithmeticOf(choice)), layout);
}

} // namespace alder::gpu
