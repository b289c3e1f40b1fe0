#pragma once
// The commands of alder, each added to the CLI with its own options; run() then does the work and returns the exit status.

#include "app/exit_status.hpp"
#include "app/ranks/ranks.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace alder::app {

/// Work of the command that was chosen on the command line.
using Command = std::function<int(Ranks&)>;

/// True where a command starts MPI, to run on all ranks or to refuse more than one; the others need no launcher to work.
bool knowsRanks(std::string const& command);

void addMdrun(CLI::App& app, std::string commandLine, Command& chosen); ///< the command line is for the log
void addEnergy(CLI::App& app, Command& chosen);
void addValidate(CLI::App& app, Command& chosen);
void addRepair(CLI::App& app, Command& chosen);
void addLedger(CLI::App& app, Command& chosen);
void addReport(CLI::App& app, Command& chosen);
void addBench(CLI::App& app, Command& chosen);
void addInfo(CLI::App& app, Command& chosen);

} // namespace alder::app
