#include "accounting/spending.hpp"

#include <fmt/format.h>

namespace alder::accounting {

char const* nameOf(SpendingBy by)
{
    switch (by) {
    case SpendingBy::job: return "job";
    case SpendingBy::user: return "user";
    case SpendingBy::project: return "project";
    }
    return "";
}

void Spending::add(LedgerEntry const& entry)
{
    ++runs;
    hours += entry.hours;
    gpuHours += entry.gpuHours();
    ns += entry.ns;
    if (!entry.cost) {
        ++unpriced;
        return;
    }
    cost[entry.cost->currency] += entry.cost->amount;
    unverified = unverified || !entry.cost->verified;
}

std::string Spending::costText() const
{
    std::string text;
    for (auto const& [currency, amount] : cost) text += fmt::format("{}{:.2f} {}", text.empty() ? "" : " + ", amount, currency);
    if (unverified) text += " (price not verified)";
    if (unpriced > 0)
        text += text.empty() && unpriced == runs ? "unknown" : fmt::format(" + {} run{} unpriced", unpriced, unpriced == 1 ? "" : "s");
    return text;
}

std::map<std::string, Spending> spendingBy(SpendingBy by, std::vector<LedgerEntry> const& entries)
{
    std::map<std::string, Spending> all;
    for (LedgerEntry const& entry : entries) {
        std::string const key = by == SpendingBy::user  ? entry.user
                                : by == SpendingBy::job ? entry.job.value_or("(none)")
                                                        : entry.project.value_or("(none)");
        all[key].add(entry);
    }
    return all;
}

} // namespace alder::accounting
