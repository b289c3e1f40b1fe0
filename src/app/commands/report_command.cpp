#include "accounting/ledger.hpp"
#include "accounting/prices.hpp"
#include "app/commands/commands.hpp"
#include "app/options/accounting_options.hpp"
#include "app/options/deck_options.hpp"
#include "base/data_path.hpp"
#include "base/error.hpp"
#include "output/storage/durable_file.hpp"
#include "report/comparison.hpp"
#include "report/comparison_page.hpp"
#include "report/export.hpp"
#include "report/ledger_costs.hpp"
#include "report/terminal_tables.hpp"
#include "run_report/run_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace alder::app {

namespace {

struct ReportOptions {
    std::vector<std::string> files;
    std::string csv, html, prices, ledger;
    accounting::Preemptions preemptions;
    std::vector<std::string> ofFigures; ///< flags given that mean nothing to the page of a run
};

/// The table that was named, else the one that comes with alder.
std::string pricesFileOf(ReportOptions const& options)
{
    if (!options.prices.empty()) return options.prices;
    return (base::dataFolder("inputs") / "prices.toml").string();
}

std::vector<report::LedgerCost> costsOf(std::string const& ledger)
{
    if (ledger.empty()) return {};
    accounting::LedgerRead const read = accounting::readLedger(ledger);
    for (std::string const& fault : read.faults) fmt::print(stderr, "warning: {}\n", fault);
    return report::ledgerCosts(read.entries);
}

/// Figures of benchmarks, of one machine or many.
int reportFigures(ReportOptions const& options)
{
    std::vector<report::ResultsFile> files = report::readResults({options.files.begin(), options.files.end()});
    std::string const prices = pricesFileOf(options);
    std::vector<report::LedgerCost> const ledger = costsOf(options.ledger);
    report::Comparison const comparison = report::compare(std::move(files), accounting::PriceTable(prices), prices, options.preemptions);
    fmt::print("{}", report::terminalText(comparison));
    if (!options.ledger.empty()) fmt::print("\n{}", report::terminalText(ledger));
    if (!options.html.empty()) output::replaceFile(options.html, report::pageOf(comparison, ledger));
    if (!options.csv.empty()) output::replaceFile(options.csv, report::csvText(comparison));
    return exitDone;
}

bool isTrajectory(std::string const& file) { return std::filesystem::path(file).extension() == ".h5md"; }

/// The page of one run, beside its trajectory where no other place is named.
int reportRun(ReportOptions const& options)
{
    if (options.files.size() > 1)
        base::refuseInput({}, "a trajectory stands beside other files", "write alder report md.h5md: one run has one page");
    if (!options.ofFigures.empty())
        base::refuseInput({},
                          fmt::format("{} {} for figures of machines", fmt::join(options.ofFigures, " and "),
                                      options.ofFigures.size() == 1 ? "is" : "are"),
                          "write alder report md.h5md, or name files of figures (.json)");
    std::string const& trajectory = options.files.front();
    std::string page = options.html;
    if (page.empty()) page = std::filesystem::path(trajectory).replace_extension(".html").string();
    run_report::RunStory const story = run_report::readStory(trajectory);
    output::replaceFile(page, run_report::pageOf(story));
    for (std::string const& remark : story.remarks) fmt::print(stderr, "note: {}\n", remark);
    fmt::print("{}: {} energy records, {} frames{}\n", page, story.records.steps.size(), story.records.frames,
               story.records.closed ? "" : "; the trajectory is not closed");
    return exitDone;
}

int runReport(ReportOptions const& options)
{
    bool const run = std::any_of(options.files.begin(), options.files.end(), isTrajectory);
    return run ? reportRun(options) : reportFigures(options);
}

/// Minutes, 0 included, and neither infinite nor no number.
CLI::Validator minutes()
{
    return {[](std::string const& text) {
                double value = 0;
                bool const fits = CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 1e6;
                return fits ? std::string() : fmt::format("'{}' are no minutes; write 0 or more", text);
            },
            "MINUTES"};
}

} // namespace

void addReport(CLI::App& app, Command& chosen)
{
    CLI::App* command =
        app.add_subcommand("report", "Figures of many machines in one table: speed, and what a nanosecond costs; or the page of a run");
    auto options = std::make_shared<ReportOptions>();
    command->add_option("files", options->files, "Figures of alder bench, mdrun (its .json) and gpu_check.sh; or one trajectory (.h5md)")
        ->required()
        ->type_name("RESULT.json...|md.h5md");
    command->add_option("--csv", options->csv, "The table for programs")->type_name("FILE");
    command->add_option("--html", options->html, "Charts and tables, on one page that holds all it needs; of a run: md.html unless named")
        ->type_name("FILE");
    addPricesOption(*command, options->prices);
    command->add_option("--ledger", options->ledger, "What the runs of this ledger cost, beside it")->type_name("FILE");
    command->add_option("--cpt", options->preemptions.checkpointMinutes, "Minutes between checkpoints, for the work that preemptions take")
        ->check(minutes())
        ->capture_default_str();
    command->add_option("--restart", options->preemptions.restartMinutes, "Minutes that are paid after a preemption until steps are new")
        ->check(minutes())
        ->capture_default_str();
    command->callback([options, command, &chosen] {
        for (char const* flag : {"--csv", "--ledger", "--prices", "--cpt", "--restart"}) {
            bool const byEnvironment = std::string_view(flag) == "--prices" && std::getenv("ALDER_PRICES") != nullptr;
            if (command->get_option(flag)->count() > 0 && !byEnvironment) options->ofFigures.emplace_back(flag + 1);
        }
        chosen = [options](Ranks& /*ranks*/) { return runReport(*options); };
    });
}

} // namespace alder::app
