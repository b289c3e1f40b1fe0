#pragma once
// What runs really cost, from a ledger: lost work, waits and failures are in it.

#include "accounting/ledger_entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alder::report {

/// The runs of one system on one kind of device at one price.
struct LedgerCost {
    std::string device; ///< with its MIG profile
    std::string system; ///< title of the topology
    std::string price;  ///< name of its entry; empty: no price was known
    std::string currency;
    bool verified = true;
    std::int64_t runs = 0, unfinished = 0; ///< unfinished: stopped early or failed
    double hours = 0, gpuHours = 0;        ///< paid
    double ns = 0;                         ///< kept
    double amount = 0;

    /// None where no price is known or nothing was kept.
    [[nodiscard]] std::optional<double> perNs() const;
};

/// By device, then system, then price. Minimizations and reruns gain no ns, and are paid for all the same.
std::vector<LedgerCost> ledgerCosts(std::vector<accounting::LedgerEntry> const& entries);

} // namespace alder::report
