#include "accounting/quotas.hpp"

#include "accounting/toml_file.hpp"

#include <fmt/format.h>

namespace alder::accounting {

namespace {

Quota quotaOf(TomlTable& table)
{
    Quota quota;
    quota.user = table.textIfAny("user");
    quota.project = table.textIfAny("project");
    if (!table.has("user") && !table.has("project"))
        table.refuse("user", "it has to be told whose quota it is", "write project = \"...\" or user = \"...\"");
    std::optional<double> const hours = table.amountIfAny("gpu_hours"), money = table.amountIfAny("money");
    if (table.has("gpu_hours") == table.has("money"))
        table.refuse("money", "a quota is in GPU hours or in money, one of them",
                     "write gpu_hours = 1000, or money = 500 and currency = \"USD\"");
    quota.limit = hours ? *hours : money.value_or(1);
    quota.currency = table.textIfAny("currency");
    if (table.has("money") != table.has("currency"))
        table.refuse("currency", "money and currency belong together", "write money = 500 and currency = \"USD\"");
    quota.from = table.dateIfAny("from");
    quota.until = table.dateIfAny("until");
    if (quota.from && quota.until && *quota.until < *quota.from)
        table.refuse("until", fmt::format("until {} is before from {}", *quota.until, *quota.from), "write the later day in until");
    table.refuseUnreadKeys();
    return quota;
}

bool coversDay(Quota const& quota, std::string const& day)
{
    return (!quota.from || *quota.from <= day) && (!quota.until || day <= *quota.until);
}

} // namespace

bool Quota::concerns(std::string const& someone, std::optional<std::string> const& someProject) const
{
    return (!user || *user == someone) && (!project || project == someProject);
}

bool Quota::counts(LedgerEntry const& entry) const
{
    return concerns(entry.user, entry.project) && coversDay(*this, entry.endedAt.substr(0, 10));
}

std::string Quota::owner() const
{
    if (user && project) return fmt::format("user {} in project {}", *user, *project);
    return user ? "user " + *user : "project " + project.value_or("");
}

std::vector<Quota> readQuotas(std::filesystem::path const& file)
{
    base::FaultList faults;
    std::vector<Quota> quotas;
    for (TomlTable& table : readTables(file, "quota", faults)) quotas.push_back(quotaOf(table));
    faults.throwIfAny();
    return quotas;
}

QuotaUse useOf(Quota const& quota, std::vector<LedgerEntry> const& entries)
{
    QuotaUse use{quota, 0, 0};
    for (LedgerEntry const& entry : entries) {
        if (!quota.counts(entry)) continue;
        if (!quota.currency)
            use.used += entry.gpuHours();
        else if (entry.cost && entry.cost->currency == *quota.currency)
            use.used += entry.cost->amount;
        else
            ++use.uncounted;
    }
    return use;
}

std::string QuotaUse::text() const
{
    std::string text =
        fmt::format("{} has used {:.6g} of {:.6g} {} ({:.0f} %)", quota.owner(), used, quota.limit, quota.unit(), 100 * part());
    if (quota.from || quota.until)
        text += fmt::format(" from {} until {}", quota.from.value_or("the beginning"), quota.until.value_or("now"));
    if (uncounted > 0)
        text += fmt::format("; {} run{} without a price in {} not counted", uncounted, uncounted == 1 ? "" : "s", quota.unit());
    return text;
}

QuotaVerdict judge(std::vector<Quota> const& quotas, std::vector<LedgerEntry> const& entries, Applicant const& applicant)
{
    QuotaVerdict verdict;
    for (Quota const& quota : quotas) {
        if (!quota.concerns(applicant.user, applicant.project) || !coversDay(quota, applicant.today)) continue;
        if (!quota.currency && applicant.charged.gpus == 0) continue;
        QuotaUse const use = useOf(quota, entries);
        if (quota.currency && (!applicant.price || applicant.price->currency != *quota.currency))
            verdict.refusals.push_back(
                fmt::format("{} has a quota in {}, and this run has no price in {}", quota.owner(), *quota.currency, *quota.currency));
        else if (use.part() >= 1)
            verdict.refusals.push_back(use.text());
        else if (use.part() >= QuotaUse::warned)
            verdict.warnings.push_back(use.text());
    }
    return verdict;
}

} // namespace alder::accounting
