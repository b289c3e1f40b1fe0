#include "app/deck_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
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

constexpr int mostThreads = 1024;

/// The first number of OMP_NUM_THREADS, which may list one for each nesting level; 0 where there is none.
int threadsFromEnvironment(base::FaultList& faults)
{
    char const* const text = std::getenv("OMP_NUM_THREADS");
    if (!text || *text == '\0') return 0;
    char const* const textEnd = text + std::strlen(text);
    int value = 0;
    auto const [end, error] = std::from_chars(text, textEnd, value);
    if (error == std::errc() && (end == textEnd || *end == ',') && value > 0 && value <= mostThreads) return value;
    faults.refuse({}, fmt::format("OMP_NUM_THREADS is '{}'", text), fmt::format("set a number from 1 to {}, or unset it", mostThreads));
    return 0;
}

} // namespace

void addDeckOptions(CLI::App& command, deck::DeckFiles& files)
{
    command.add_option("-f", files.mdp, "Run parameters (.mdp)")->type_name("FILE")->required();
    command.add_option("-c", files.coordinates, "Starting configuration (.gro, or the last frame of an .h5md)")
        ->type_name("FILE")
        ->required();
    command.add_option("-p", files.topology, "Topology (.top)")->type_name("FILE")->required();
    command.add_option("-n", files.index, "Index groups (.ndx)")->type_name("FILE");
    command.add_option("-r", files.reference, "Reference positions of position restraints (.gro or .h5md)")->type_name("FILE");
}

CLI::Validator above(double least, std::string const& allowed)
{
    return CLI::Validator(
        [least, allowed](std::string const& text) {
            double value = 0;
            bool const fits = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > least;
            return fits ? std::string() : fmt::format("is {}; write {}", text, allowed);
        },
        "");
}

void addHardwareOptions(CLI::App& command, HardwareOptions& hardware)
{
    command.add_option("--nb", hardware.nonbonded, "Where forces are computed: auto, cpu or gpu")
        ->check(CLI::IsMember({"auto", "cpu", "gpu"}))
        ->capture_default_str();
    command.add_option("--nt,--ntomp", hardware.threads, "Threads (0: OMP_NUM_THREADS, else all processors allowed)")
        ->check(CLI::Range(0, mostThreads))
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
    choice.threads = hardware.threads > 0 ? hardware.threads : threadsFromEnvironment(faults);
    if (choice.threads == 0) choice.threads = processorsAllowed();
    faults.throwIfAny();
    return choice;
}

void printWarnings(base::FaultList const& faults)
{
    for (base::Fault const& warning : faults.warnings()) fmt::print(stderr, "warning: {}\n", warning.text());
}

} // namespace alder::app
