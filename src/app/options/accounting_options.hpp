#pragma once
// The flags of what a run costs and where that is written down. Each has a variable of the environment, for job scripts of a whole group.

#include <CLI/CLI.hpp>

#include <string>

namespace alder::app {

struct AccountingOptions {
    std::string ledger;  ///< -ledger, ALDER_LEDGER; empty: none is kept
    std::string project; ///< -project, ALDER_PROJECT; empty: SLURM_JOB_ACCOUNT
    std::string prices;  ///< -prices, ALDER_PRICES; empty: no cost is known
    std::string price;   ///< -price, ALDER_PRICE; empty: the only one that fits
    std::string quotas;  ///< -quotas, ALDER_QUOTAS
    bool beyondQuota = false;
    double maxCost = -1; ///< -maxcost, in the currency of the price; -1: no limit
};

void addAccountingOptions(CLI::App& command, AccountingOptions& accounting);
void addLedgerOption(CLI::App& command, std::string& ledger);
void addPricesOption(CLI::App& command, std::string& prices);
void addQuotasOption(CLI::App& command, std::string& quotas);

} // namespace alder::app
