#pragma once
// The commands of alder, each added to the CLI with its own options; run() then does the work and returns the exit status.

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace alder::app {

/// Exit statuses (design: one meaning each).
enum ExitStatus : int { exitDone = 0, exitFailed = 1, exitRefused = 2, exitStopped = 75 };

/// Work of the command that was chosen on the command line.
using Command = std::function<int()>;

void addMdrun(CLI::App& app, std::string commandLine, Command& chosen); ///< the command line is for the log
void addEnergy(CLI::App& app, Command& chosen);
void addValidate(CLI::App& app, Command& chosen);
void addRepair(CLI::App& app, Command& chosen);
void addInfo(CLI::App& app, Command& chosen);

} // namespace alder::app
