#include "app/benchmarks/benchmark.hpp"
#include "app/commands/commands.hpp"
#include "app/options/deck_options.hpp"
#include "bench/bench_deck.hpp"

#include <fmt/format.h>

#include <memory>

namespace alder::app {

namespace {

void addSweep(CLI::App& command, bench::SweepWish& sweep)
{
    auto const list = [&](char const* flag, std::vector<int>& values, int least, char const* what) {
        command.add_option(flag, values, what)->delimiter(',')->check(CLI::Range(least, mostRanks))->type_name("N,N,...");
    };
    list("--ranks", sweep.ranks, 1, "MPI ranks of a run");
    list("--threads", sweep.threads, 1, "Threads of each rank; without: what the processors give");
    list("--npme", sweep.pmeRanks, 0, "Ranks that do PME and nothing else");
    list("--replicas", sweep.replicas, 1, "Runs at the same time, which share the GPUs");
    list("--gpus", sweep.gpus, 1, "GPUs");
    command.add_option("--dt", sweep.dt, "Time steps (ps) that replace the deck's; from 0.004 on with hydrogens' masses tripled")
        ->delimiter(',')
        ->check(above(0, "a time step above 0"))
        ->type_name("PS,PS,...");
}

} // namespace

void addBench(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("bench", "Time runs over ranks, threads, GPUs and replicas, with their errors beside the speed");
    std::string names;
    for (bench::StandardDeck const& deck : bench::standardDecks())
        names += fmt::format("{}{} ({} atoms)", names.empty() ? "" : ", ", deck.name, deck.atoms);
    command->footer("Decks that alder makes: " + names + ".\nLists take values separated by commas; every combination is timed.");
    auto options = std::make_shared<BenchOptions>();
    command->add_option("deck", options->decks,
                        "Decks by name, or folders with an .mdp, a .gro and a .top; none: a choice of those that alder makes");
    addSweep(*command, options->sweep);
    command->add_option("--nb", options->nonbonded, "Where all is computed: auto, cpu or gpu")
        ->check(CLI::IsMember({"auto", "cpu", "gpu", "emulated-gpu"}))
        ->type_name("PLACE")
        ->capture_default_str();
    command->add_option("--devices", options->devices, "GPUs or MIG slices for the replicas in turn, as CUDA_VISIBLE_DEVICES names them")
        ->delimiter(',')
        ->type_name("NAME,NAME,...");
    command->add_option("--windows", options->windows, "Windows of each timing, in as many rounds through all of them")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--window", options->windowSeconds, "Seconds that each lasts at least")
        ->check(above(0, "a number of seconds above 0"))
        ->capture_default_str();
    command->add_option("--budget", options->budget, "Seconds after which no timing begins")
        ->check(above(0, "a number of seconds above 0"));
    command
        ->add_option("--launcher", options->launcher,
                     "What starts ranks, with {ranks} and {threads} in it; without: srun in a job of Slurm, else mpirun")
        ->type_name("COMMAND");
    command->add_option("--json", options->json, "Where the figures go")->type_name("FILE")->capture_default_str();
    command->add_option("--keep", options->keep, "Work in this folder, and leave all files there")->type_name("FOLDER");
    command->add_flag("!--noforces", options->forceErrors, "Do not compute the error of forces");
    command->callback([options, &chosen] { chosen = [options](Ranks& /*ranks*/) { return runBenchmark(*options); }; });
}

} // namespace alder::app
