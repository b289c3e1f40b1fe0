#pragma once
// The ledger added up.

#include "accounting/ledger_entry.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace alder::accounting {

enum class SpendingBy : std::uint8_t { job, user, project };
char const* nameOf(SpendingBy by);

struct Spending {
    std::int64_t runs = 0;
    double hours = 0, gpuHours = 0, ns = 0;
    std::map<std::string, double> cost; ///< by currency: sums of different ones have no meaning
    std::int64_t unpriced = 0;          ///< runs that no price is known of
    bool unverified = false;            ///< some price is
    void add(LedgerEntry const& entry);
    [[nodiscard]] std::string costText() const; ///< "12.40 USD + 3 runs unpriced"
};

/// Sums by one of an entry's names; entries that have none are under "(none)".
std::map<std::string, Spending> spendingBy(SpendingBy by, std::vector<LedgerEntry> const& entries);

} // namespace alder::accounting
