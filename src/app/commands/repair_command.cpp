#include "app/commands/commands.hpp"
#include "output/repair.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace alder::app {

void addRepair(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("repair", "After a kill: every whole frame, in a file that opens anywhere");
    auto path = std::make_shared<std::string>();
    command->add_option("file", *path, "Trajectory of a run that was killed (.h5md)")->required();
    command->callback([path, &chosen] {
        chosen = [path](Ranks& /*ranks*/) {
            output::RepairReport const report = output::repair(*path);
            fmt::print("{}\n", report.text(*path));
            return int{exitDone};
        };
    });
}

} // namespace alder::app
