#include "app/deck_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace alder::app {

namespace {

int processorsAllowed()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

int threadsFromEnvironment()
{
    char const* const text = std::getenv("OMP_NUM_THREADS");
    if (!text) return 0;
    int value = 0;
    auto const [end, error] = std::from_chars(text, text + std::strlen(text), value);
    return error == std::errc() && *end == '\0' && value > 0 ? value : 0;
}

} // namespace

void addDeckOptions(CLI::App& command, deck::DeckFiles& files)
{
    command.add_option("-f,--f", files.mdp, "Run parameters (.mdp)")->type_name("FILE")->required();
    command.add_option("-c,--c", files.coordinates, "Starting configuration (.gro)")->type_name("FILE")->required();
    command.add_option("-p,--p", files.topology, "Topology (.top)")->type_name("FILE")->required();
    command.add_option("-n,--n", files.index, "Index groups (.ndx)")->type_name("FILE");
    command.add_option("-r,--r", files.reference, "Reference positions of position restraints (.gro)")->type_name("FILE");
}

void addHardwareOptions(CLI::App& command, HardwareOptions& hardware)
{
    command.add_option("--nb", hardware.nonbonded, "Where forces are computed: auto, cpu or gpu")
        ->check(CLI::IsMember({"auto", "cpu", "gpu"}))
        ->capture_default_str();
    command.add_option("--nt,--ntomp", hardware.threads, "Threads (0: OMP_NUM_THREADS, else all processors allowed)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command.add_option("--simd", hardware.simd, "SIMD kernels: auto, sse4.1, avx2 or avx512")->capture_default_str();
}

cpu::CpuChoice chooseHardware(HardwareOptions const& hardware)
{
    base::FaultList faults;
    if (hardware.nonbonded == "gpu") faults.refuse({}, "-nb gpu: this build has no GPU kernels", "use -nb cpu or leave it out");
    cpu::CpuChoice choice;
    choice.simd = cpu::bestSimdLevel();
    if (hardware.simd != "auto") {
        auto const level = cpu::simdLevelNamed(hardware.simd);
        if (!level)
            faults.refuse({}, fmt::format("-simd {} is no SIMD level", hardware.simd), "write auto, sse4.1, avx2 or avx512");
        else if (!cpu::supported(*level))
            faults.refuse({}, fmt::format("-simd {}: this processor cannot run it", hardware.simd),
                          fmt::format("use -simd {} or leave it out", nameOf(choice.simd)));
        else
            choice.simd = *level;
    }
    choice.threads = hardware.threads > 0 ? hardware.threads : threadsFromEnvironment();
    if (choice.threads == 0) choice.threads = processorsAllowed();
    faults.throwIfAny();
    return choice;
}

void printWarnings(base::FaultList const& faults)
{
    for (base::Fault const& warning : faults.warnings()) fmt::print(stderr, "warning: {}\n", warning.text());
}

} // namespace alder::app
