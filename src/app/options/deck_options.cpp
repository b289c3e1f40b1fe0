#include "app/options/deck_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace alder::app {

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
    command.add_option("--nb", hardware.nonbonded, "Where all is computed: auto, cpu or gpu")
        ->check(CLI::IsMember({"auto", "cpu", "gpu", "emulated-gpu"}))
        ->type_name("PLACE")
        ->capture_default_str();
    command
        .add_option("--gpu_id", hardware.gpuIds,
                    "Which of the GPUs that can be seen (alder info), as in 0 or 0,2; the ranks of a machine take them in turn")
        ->type_name("LIST");
    command.add_option("--gpu_mem", hardware.gpuMemory, "Most GPU memory to use (GiB); 0: what is free")
        ->check(above(-1e-300, "a number of GiB, 0 or more"))
        ->capture_default_str();
    command
        .add_option("--nt,--ntomp", hardware.threads, "Threads of each rank (0: OMP_NUM_THREADS, else its part of the processors allowed)")
        ->check(CLI::Range(0, mostThreads))
        ->capture_default_str();
    command.add_option("--simd", hardware.simd, "SIMD kernels: auto, sse4.1, avx2 or avx512")->capture_default_str();
}

void addLayoutOptions(CLI::App& command, domain::LayoutWish& layout)
{
    command
        .add_option_function<std::vector<int>>(
            "--dd",
            [&layout](std::vector<int> const& n) {
                layout.domains = {n[0], n[1], n[2]};
            },
            "Domains along the three box vectors; 0 0 0: chosen")
        ->expected(3)
        ->check(CLI::Range(0, mostRanks))
        ->type_name("NX NY NZ");
    command.add_option("--npme", layout.pmeRanks, "Ranks that do PME and nothing else; -1: chosen")
        ->check(CLI::Range(-1, mostRanks))
        ->type_name("N")
        ->capture_default_str();
}

void printWarnings(base::FaultList const& faults)
{
    for (base::Fault const& warning : faults.warnings()) fmt::print(stderr, "warning: {}\n", warning.text());
}

} // namespace alder::app
