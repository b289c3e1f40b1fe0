#include "app/commands/commands.hpp"
#include "app/run_facts.hpp"
#include "base/allocation.hpp"
#include "base/build_info.hpp"
#include "base/data_path.hpp"
#include "cpu/cpu_backend.hpp"
#include "domain/world.hpp"
#include "gpu/provider.hpp"
#include "output/hdf5_version.hpp"

#include <fmt/format.h>

#include <sched.h>
#include <string>

namespace alder::app {

namespace {

void printGpus()
{
    gpu::DeviceList const list = gpu::devices();
    if (list.devices.empty()) fmt::print("  GPU          none: {}\n", list.trouble);
    for (gpu::Device const& d : list.devices)
        fmt::print("  GPU {}        {}{}, {:.1f} GiB, compute capability {}.{}, {}{}\n", d.index, d.name,
                   d.migProfile.empty() ? "" : " (MIG " + d.migProfile + ")", static_cast<double>(d.memory) / 1073741824.0, d.major,
                   d.minor, d.uuid, d.hasKernels ? "" : "; this build holds no code for it");
    if (!list.runtime.empty()) fmt::print("  CUDA         {}\n", list.runtime);
}

int runInfo(Ranks& /*ranks*/)
{
    base::BuildInfo const& build = base::buildInfo();
    fmt::print("alder {} ({})\n", build.version, build.revision);
    fmt::print("  build        {}, {}\n", build.compiler, build.buildType);
    cpu_set_t set;
    CPU_ZERO(&set);
    int const processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    fmt::print("  processor    {}, {} allowed to this process\n", processorName(), processors);
    std::string given;
    for (auto const& [what, value] : base::readAllocation().facts())
        given += fmt::format("{}{} {}", given.empty() ? "" : ", ", what, value);
    fmt::print("  allocation   {}\n", given.empty() ? "no job of Slurm, no limit of a control group" : given);
    std::string levels;
    for (cpu::SimdLevel const level : {cpu::SimdLevel::sse41, cpu::SimdLevel::avx2, cpu::SimdLevel::avx512})
        if (cpu::supported(level)) levels += fmt::format("{}{}", levels.empty() ? "" : ", ", nameOf(level));
    fmt::print("  SIMD         {} (used: {})\n", levels, nameOf(cpu::bestSimdLevel()));
    printGpus();
    fmt::print("  libraries    {}; {}\n", domain::mpiLibrary(), output::hdf5Version());
    fmt::print("  data         {}\n", base::dataFolder("validation").parent_path().string());
    return exitDone;
}

} // namespace

void addInfo(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("info", "Build, SIMD level, GPUs, libraries");
    command->callback([&chosen] { chosen = runInfo; });
}

} // namespace alder::app
