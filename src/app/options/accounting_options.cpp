#include "app/options/accounting_options.hpp"

#include "app/options/deck_options.hpp"

namespace alder::app {

void addLedgerOption(CLI::App& command, std::string& ledger)
{
    command.add_option("--ledger", ledger, "Ledger that every run appends a line to")->type_name("FILE")->envname("ALDER_LEDGER");
}

void addPricesOption(CLI::App& command, std::string& prices)
{
    command.add_option("--prices", prices, "Table of what hardware costs (TOML)")->type_name("FILE")->envname("ALDER_PRICES");
}

void addQuotasOption(CLI::App& command, std::string& quotas)
{
    command.add_option("--quotas", quotas, "Table of what users and projects may spend (TOML)")->type_name("FILE")->envname("ALDER_QUOTAS");
}

void addAccountingOptions(CLI::App& command, AccountingOptions& accounting)
{
    addLedgerOption(command, accounting.ledger);
    command.add_option("--project", accounting.project, "Who pays, for the ledger; SLURM_JOB_ACCOUNT where nothing is said")
        ->type_name("NAME")
        ->envname("ALDER_PROJECT");
    addPricesOption(command, accounting.prices);
    command.add_option("--price", accounting.price, "The price to go by, where several fit the hardware")
        ->type_name("NAME")
        ->envname("ALDER_PRICE");
    addQuotasOption(command, accounting.quotas);
    command.add_flag("--beyond-quota", accounting.beyondQuota, "Start although a quota is used up");
    command.add_option("--maxcost", accounting.maxCost, "Stop with a checkpoint after 0.99 times what this money pays for; -1: never")
        ->type_name("AMOUNT")
        ->check(CLI::Validator(
            [](std::string const& text) {
                return text == "-1" ? std::string() : above(0, "an amount above 0 in the currency of the price, or -1 for no limit")(text);
            },
            ""));
}

} // namespace alder::app
