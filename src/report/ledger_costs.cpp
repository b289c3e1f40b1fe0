#include "report/ledger_costs.hpp"

#include <map>
#include <tuple>

namespace alder::report {

std::optional<double> LedgerCost::perNs() const
{
    if (price.empty() || ns <= 0) return {};
    return amount / ns;
}

std::vector<LedgerCost> ledgerCosts(std::vector<accounting::LedgerEntry> const& entries)
{
    std::map<std::tuple<std::string, std::string, std::string, std::string>, LedgerCost> costs;
    for (accounting::LedgerEntry const& entry : entries) {
        std::string const device = entry.slice ? entry.device + " MIG " + *entry.slice : entry.device;
        std::string const price = entry.cost ? entry.cost->price : "", currency = entry.cost ? entry.cost->currency : "";
        LedgerCost& cost = costs[{device, entry.title, currency, price}];
        cost.device = device;
        cost.system = entry.title;
        cost.price = price;
        cost.currency = currency;
        cost.verified = cost.verified && (!entry.cost || entry.cost->verified);
        ++cost.runs;
        if (entry.status != 0) ++cost.unfinished;
        cost.hours += entry.hours;
        cost.gpuHours += entry.gpuHours();
        cost.ns += entry.ns;
        if (entry.cost) cost.amount += entry.cost->amount;
    }
    std::vector<LedgerCost> list;
    list.reserve(costs.size());
    for (auto& [key, cost] : costs) list.push_back(std::move(cost));
    return list;
}

} // namespace alder::report
