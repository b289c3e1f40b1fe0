#include "accounting/ledger.hpp"
#include "accounting/quotas.hpp"
#include "accounting/spending.hpp"
#include "app/commands/commands.hpp"
#include "app/options/accounting_options.hpp"
#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace alder::app {

namespace {

struct LedgerOptions {
    std::string ledger, quotas;
    std::string by = "all";
};

void printTable(accounting::SpendingBy by, std::vector<accounting::LedgerEntry> const& entries)
{
    auto const rows = accounting::spendingBy(by, entries);
    std::size_t width = std::string(nameOf(by)).size();
    for (auto const& [name, spending] : rows) width = std::max(width, name.size());
    fmt::print("{:<{}} {:>6} {:>12} {:>12} {:>12}  {}\n", nameOf(by), width, "runs", "hours", "GPU hours", "ns", "cost");
    for (auto const& [name, spending] : rows)
        fmt::print("{:<{}} {:>6} {:>12.4f} {:>12.4f} {:>12.4f}  {}\n", name, width, spending.runs, spending.hours, spending.gpuHours,
                   spending.ns, spending.costText());
    fmt::print("\n");
}

int runLedger(LedgerOptions const& options)
{
    if (options.ledger.empty()) base::refuseInput({}, "no ledger is named", "write alder ledger FILE, or set ALDER_LEDGER");
    accounting::LedgerRead const ledger = accounting::readLedger(options.ledger);
    for (std::string const& fault : ledger.faults) fmt::print(stderr, "warning: {}\n", fault);
    fmt::print("{}: {} runs{}\n\n", options.ledger, ledger.entries.size(),
               ledger.faults.empty() ? "" : fmt::format(", {} lines left out", ledger.faults.size()));
    for (accounting::SpendingBy const by : {accounting::SpendingBy::job, accounting::SpendingBy::user, accounting::SpendingBy::project})
        if (options.by == "all" || options.by == nameOf(by)) printTable(by, ledger.entries);
    if (options.quotas.empty()) return exitDone;
    fmt::print("quotas\n");
    for (accounting::Quota const& quota : accounting::readQuotas(options.quotas)) {
        accounting::QuotaUse const use = accounting::useOf(quota, ledger.entries);
        char const* const mark = use.part() >= 1 ? "USED UP: " : use.part() >= accounting::QuotaUse::warned ? "nearly used up: " : "";
        fmt::print("  {}{}\n", mark, use.text());
    }
    return exitDone;
}

} // namespace

void addLedger(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("ledger", "What was spent: tables by job, user and project, and quotas");
    auto options = std::make_shared<LedgerOptions>();
    command->add_option("--ledger,ledger", options->ledger, "The ledger")->type_name("FILE")->envname("ALDER_LEDGER");
    command->add_option("--by", options->by, "One table alone: job, user or project")
        ->check(CLI::IsMember({"all", "job", "user", "project"}))
        ->type_name("NAME")
        ->capture_default_str();
    addQuotasOption(*command, options->quotas);
    command->callback([options, &chosen] { chosen = [options](Ranks& /*ranks*/) { return runLedger(*options); }; });
}

} // namespace alder::app
