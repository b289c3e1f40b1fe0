#include "report/best_choices.hpp"

#include "report/figures.hpp"

#include <fmt/format.h>

#include <map>

namespace alder::report {

namespace {

double rateOfOne(Row const& row) { return row.nsPerDay()->median / static_cast<double>(row.setup.replicas); }

bool isCheaper(Cheapest const& a, Cheapest const& b) { return b.row == nullptr || *a.cost->perNs < *b.cost->perNs; }

struct OfCurrency {
    Cheapest any, known; ///< known: preemptions are in the cost
};

void consider(Row const& row, BestChoice& best, std::map<std::string, OfCurrency>& byCurrency)
{
    if (best.fastestRun == nullptr || rateOfOne(row) > rateOfOne(*best.fastestRun)) best.fastestRun = &row;
    if (best.mostInAll == nullptr || row.nsPerDay()->median > best.mostInAll->nsPerDay()->median) best.mostInAll = &row;
    for (RowCost const& cost : row.costs) {
        if (!cost.perNs) continue;
        OfCurrency& cheapest = byCurrency[cost.price.currency];
        Cheapest const candidate{&row, &cost};
        if (isCheaper(candidate, cheapest.any)) cheapest.any = candidate;
        if (cost.lost && isCheaper(candidate, cheapest.known)) cheapest.known = candidate;
    }
}

} // namespace

std::vector<BestChoice> bestChoices(Comparison const& comparison)
{
    std::vector<BestChoice> choices;
    for (std::size_t first = 0, next = 0; first < comparison.rows.size(); first = next) {
        BestChoice best;
        best.system = comparison.rows[first].system;
        std::map<std::string, OfCurrency> byCurrency;
        for (next = first; next < comparison.rows.size() && comparison.rows[next].system == best.system; ++next)
            if (comparison.rows[next].counts()) consider(comparison.rows[next], best, byCurrency);
        for (auto const& [currency, cheapest] : byCurrency) {
            best.cheapest.push_back(cheapest.any);
            if (!cheapest.any.cost->lost && cheapest.known.cost != nullptr) best.cheapest.push_back(cheapest.known);
        }
        choices.push_back(std::move(best));
    }
    return choices;
}

std::string costText(RowCost const& cost)
{
    if (!cost.perNs) return "nothing is gained";
    std::string text = fmt::format("{}{} {}", cost.lost ? "" : "at least ", figure(*cost.perNs), cost.price.currency);
    if (!cost.price.verified) text += " (price not verified)";
    return text;
}

} // namespace alder::report
