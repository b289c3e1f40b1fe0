#include "app/commands/commands.hpp"
#include "app/options/arguments.hpp"
#include "base/build_info.hpp"
#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <malloc.h>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace alder::app {
namespace {

std::string commandLineOf(int argc, char** argv)
{
    std::string line = "alder";
    for (int i = 1; i < argc; ++i) line += fmt::format(" {}", argv[i]);
    return line;
}

/// CLI11 would only say that a command is missing.
void refuseUnknownCommand(CLI::App& app, std::string const& word)
{
    if (word.empty() || word[0] == '-') return;
    if (app.get_subcommands([&](CLI::App const* command) { return command->get_name() == word; }).empty())
        base::refuseInput({}, fmt::format("there is no command '{}'", word),
                          "write mdrun, energy, validate, repair, ledger, bench, report or info");
}

} // namespace

bool knowsRanks(std::string const& command)
{
    static constexpr std::array<std::string_view, 6> alone{"info", "repair", "ledger", "bench", "report", "help"};
    return !command.empty() && command[0] != '-' && std::find(alone.begin(), alone.end(), command) == alone.end();
}

namespace {

int parseAndRun(int argc, char** argv, Ranks& ranks)
{
    CLI::App app{"alder: molecular dynamics of GROMACS-style decks, with the same bits on any number of threads"};
    app.name("alder");
    app.require_subcommand(1);
    base::BuildInfo const& build = base::buildInfo();
    app.set_version_flag("--version", fmt::format("alder {} ({})", build.version, build.revision));
    app.set_help_flag("-h,--help", "Print this help and exit");
    Command chosen;
    addMdrun(app, commandLineOf(argc, argv), chosen);
    addEnergy(app, chosen);
    addValidate(app, chosen);
    addRepair(app, chosen);
    addLedger(app, chosen);
    addBench(app, chosen);
    addReport(app, chosen);
    addInfo(app, chosen);

    std::vector<std::string> arguments = normalizeArguments(argc, argv);
    if (!arguments.empty() && arguments.front() == "help") { // "alder help mdrun", as "gmx help mdrun"
        arguments.erase(arguments.begin());
        arguments.emplace_back("--help");
    }
    if (!arguments.empty()) refuseUnknownCommand(app, arguments.front());
    if (!arguments.empty() && arguments.front() == "mdrun") {
        int refusals = 0;
        for (std::string const& argument : arguments) {
            std::string const refusal = refusalOfGromacsFlag(argument);
            if (refusal.empty()) continue;
            if (ranks.first()) fmt::print(stderr, "{}\n", refusal);
            ++refusals;
        }
        if (refusals > 0) return exitRefused;
    }
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes its arguments last first
    try {
        app.parse(arguments);
    } catch (CLI::ParseError const& error) {
        std::ostringstream unsaid;
        int const status = ranks.first() ? app.exit(error) : app.exit(error, unsaid, unsaid);
        return status == 0 ? exitDone : exitRefused;
    }
    int const status = chosen(ranks);
    // What was printed may have been the result; a full disk behind a redirection must not pass for success.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw base::RunFailed("standard output: cannot write: is the disk full?");
    return status;
}

int run(int argc, char** argv)
{
    // Arrays of atoms go back to the system when they are freed. Left to itself glibc raises this limit as it sees them freed, and keeps what
    // a checkpoint needed for a moment: 60 bytes an atom at a million atoms.
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    Ranks ranks(argc > 1 && knowsRanks(argv[1]));
    return ranks.conclude([&] { return parseAndRun(argc, argv, ranks); });
}

} // namespace
} // namespace alder::app

int main(int argc, char** argv) { return alder::app::run(argc, argv); }
