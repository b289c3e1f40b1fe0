#pragma once
// How much a user or a project may spend, from a table that users edit (TOML; docs/accounting.md).

#include "accounting/ledger_entry.hpp"
#include "accounting/prices.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace alder::accounting {

struct Quota {
    std::optional<std::string> user, project; ///< whose: entries that have all that is given
    double limit = 0;
    std::optional<std::string> currency;    ///< none: the limit is in GPU hours
    std::optional<std::string> from, until; ///< days, both included; none: without an end there

    [[nodiscard]] bool concerns(std::string const& someone, std::optional<std::string> const& someProject) const;
    [[nodiscard]] bool counts(LedgerEntry const& entry) const;
    [[nodiscard]] std::string owner() const; ///< "project folding"
    [[nodiscard]] std::string unit() const { return currency.value_or("GPU hours"); }
};

/// Throws InputRefused with every fault of the file.
std::vector<Quota> readQuotas(std::filesystem::path const& file);

/// What has been used of a quota.
struct QuotaUse {
    Quota quota;
    double used = 0;
    std::int64_t uncounted = 0; ///< runs without a price, or with one in another currency, which a quota in money can't count
    [[nodiscard]] double part() const { return used / quota.limit; }
    /// From here on users hear of it.
    static constexpr double warned = 0.8;
    [[nodiscard]] std::string text() const; ///< "project folding has used 812 of 1000 GPU hours (81 %)"
};
QuotaUse useOf(Quota const& quota, std::vector<LedgerEntry> const& entries);

/// A run that wants to start.
struct Applicant {
    std::string user;
    std::optional<std::string> project;
    Charged charged;
    Price const* price = nullptr;
    std::string today; ///< "2026-11-30"
};
struct QuotaVerdict {
    std::vector<std::string> warnings, refusals;
};
/// Quotas in GPU hours concern runs on GPUs; those in money all, and refuse a run that has no price in their currency: it could not be held
/// to them.
QuotaVerdict judge(std::vector<Quota> const& quotas, std::vector<LedgerEntry> const& entries, Applicant const& applicant);

} // namespace alder::accounting
