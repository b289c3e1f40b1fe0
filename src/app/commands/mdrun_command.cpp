#include "app/commands/commands.hpp"
#include "app/mdrun.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace alder::app {

void addMdrun(CLI::App& app, std::string commandLine, Command& chosen)
{
    CLI::App* command = app.add_subcommand("mdrun", "Run molecular dynamics or an energy minimization");
    command->footer(
        "Exit status: 0 done; 1 the run failed; 2 the input is refused; 75 stopped early on purpose (signal, -maxh, -maxcost),\n"
        "checkpoint written: run the same command again with -cpi. Long names take one dash or two.");
    auto options = std::make_shared<MdrunOptions>();
    options->commandLine = std::move(commandLine);
    addDeckOptions(*command, options->files);
    command->add_option("--deffnm", options->name, "Name of all output files: NAME.h5md, .cpt.h5, .log, .json, .gro")
        ->type_name("NAME")
        ->capture_default_str();
    auto* cpi =
        command
            ->add_option("--cpi", options->checkpoint, "Go on from NAME.cpt.h5, or from this checkpoint; starts anew where there is none")
            ->type_name("FILE")
            ->expected(0, 1);
    auto* rerun =
        command->add_option("--rerun", options->rerun, "Energies and forces of each frame of this trajectory (.h5md or .gro); no run")
            ->type_name("FILE");
    rerun->excludes(cpi);
    command->add_option("--cpt", options->checkpointMinutes, "Minutes between checkpoints; 0: at every list step")
        ->check(above(-1e-300, "a number of minutes, 0 or more"))
        ->capture_default_str();
    command->add_option("--maxh", options->maxHours, "Stop with a checkpoint after 0.99 times this time (hours); -1: never")
        ->type_name("HOURS")
        ->check(above(-1.1, "a number of hours, or -1 for no limit"));
    command->add_option("--nsteps", options->steps, "Steps of the whole run, with -cpi too; -1: no end; -2 or nothing: as the .mdp says")
        ->type_name("N")
        ->check(above(-3, "a number of steps, -1 for no end, or -2 for the .mdp's"));
    command->add_option("--nstlist", options->nstlist, "Steps between pair-list builds; replaces the .mdp's")->type_name("N");
    command->add_flag("--exact-lists", options->exactLists, "Rebuild a list before it can miss a pair: bits then don't depend on nstlist");
    command->add_flag("--resethway", options->timing.resetHalfway, "Time the second half of the run only");
    auto* windows = command
                        ->add_option("--windows", options->timing.windows,
                                     "Once the rate is steady time so many windows, and end; without -nsteps for as long as that takes")
                        ->type_name("N")
                        ->check(CLI::Range(1, 1000));
    windows->excludes(rerun);
    command->add_option("--window", options->timing.windowSeconds, "Seconds that each window lasts at least, and 100 steps")
        ->type_name("SECONDS")
        ->check(above(0, "a number of seconds above 0"))
        ->capture_default_str()
        ->needs(windows);
    command->add_option("--warmup", options->timing.warmUpSeconds, "Seconds of warm-up before the windows; 0: until the rate is steady")
        ->type_name("SECONDS")
        ->check(above(-1e-300, "a number of seconds, 0 or more"))
        ->needs(windows);
    command->add_flag("--force", options->force, "Go on from a checkpoint of a different input");
    addHardwareOptions(*command, options->hardware);
    addLayoutOptions(*command, options->layout);
    addAccountingOptions(*command, options->accounting);
    static bool ignored = false; // GROMACS habits that change nothing here
    command->add_flag("-v,--notunepme,--noconfout", ignored, "Accepted, without effect");
    command->callback([options, cpi, &chosen] {
        options->goOn = cpi->count() > 0;
        if (options->steps == -2) options->steps.reset();
        if (options->timing.windows > 0 && !options->steps) options->steps = -1;
        chosen = [options](Ranks& ranks) { return runMdrun(*options, ranks); };
    });
}

} // namespace alder::app
