#include "report/terminal_tables.hpp"

#include "report/best_choices.hpp"
#include "report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alder::report {

namespace {

/// A name in a column of so many characters; a longer one ends in '~'.
std::string inColumn(std::string const& name, std::size_t width)
{
    std::string const text = plain(name);
    auto const starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }; // of a character in UTF-8
    auto const length = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
    if (length <= width) return text + std::string(width - length, ' ');
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end)
        if (starts(text[end]) && ++seen == width) break;
    return text.substr(0, end) + "~";
}

std::size_t widthOf(std::vector<std::string> const& names)
{
    std::size_t width = 8;
    for (std::string const& name : names) width = std::max(width, name.size());
    return std::min<std::size_t>(width, 33);
}

std::string rateTable(std::vector<Row const*> const& rows, std::size_t width)
{
    std::string text =
        fmt::format("  {:<9} {:<{}} {:>4} {:>4} {:>5} {:>3} {:>4} {:>9} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7}\n", "status", "machine", width,
                    "GPUs", "runs", "ranks", "PME", "thr.", "ns/day", "least", "most", "Mas/s", "drift", "force e.", "ns/kWh");
    for (Row const* row : rows) {
        std::optional<Spread> const speed = row->nsPerDay();
        std::optional<double> const atomSteps = row->atomStepsPerSecond();
        text += fmt::format("  {:<9} {} {:>4} {:>4} {:>5} {:>3} {:>4} {:>9} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7}\n", row->status(),
                            inColumn(row->machine, width), row->setup.gpus, row->setup.replicas, row->setup.ranks, row->setup.pmeRanks,
                            row->setup.threads, speed ? figure(speed->median) : "-", speed ? figure(speed->least) : "-",
                            speed ? figure(speed->most) : "-", atomSteps ? figure(*atomSteps / 1e6) : "-", figure(row->drift),
                            figure(row->forceError), figure(row->nsPerKWh()));
        if (std::string const remarks = row->remarks(); !remarks.empty()) text += fmt::format("            {}\n", plain(remarks));
    }
    return text;
}

std::string lostText(std::optional<double> const& lost) { return lost ? fmt::format("{:.1f} %", 100 * *lost) : "unknown"; }

std::string costTable(std::vector<Row const*> const& rows, std::size_t width)
{
    std::string text = fmt::format("  {:<9} {:<{}} {:>7} {:>4}  {:<18} {:<9} {:<8} {:>10} {:>7} {:>13} {:>9}\n", "status", "machine", width,
                                   "paid", "runs", "price", "kind", "verified", "an hour", "lost", "a ns", "ns for 1");
    for (Row const* row : rows) {
        std::string const of =
            fmt::format("  {:<9} {} {:>7} {:>4}", row->status(), inColumn(row->machine, width),
                        fmt::format("{} {}", row->charged.units(), row->charged.gpus > 0 ? "GPU" : "thr"), row->setup.replicas);
        if (row->costs.empty()) text += fmt::format("{}  {}\n", of, row->values.empty() ? "no rate" : "no price");
        for (RowCost const& cost : row->costs) {
            std::string const perNs = cost.perNs ? (cost.lost ? "" : ">") + figure(*cost.perNs) + " " + cost.price.currency : "never";
            std::string const forUnit = cost.perNs ? (cost.lost ? "" : "<") + figure(cost.nsPerUnit()) : "-";
            text += fmt::format("{}  {} {:<9} {:<8} {:>10} {:>7} {:>13} {:>9}\n", of, inColumn(cost.price.name, 18),
                                nameOf(cost.price.kind), cost.price.verified ? "yes" : "NO",
                                plain(figure(cost.perHour) + " " + cost.price.currency), lostText(cost.lost), plain(perNs), forUnit);
        }
    }
    return text;
}

std::string named(Row const& row)
{
    return fmt::format("{} ({}){}", plain(row.machine), plain(titleOf(row.setup)), row.status() == "measured" ? "" : ", " + row.status());
}

std::string choiceText(BestChoice const& best)
{
    if (best.fastestRun == nullptr) return "  best choice: none, for nothing here was measured and right\n";
    double const rate = best.fastestRun->nsPerDay()->median / static_cast<double>(best.fastestRun->setup.replicas);
    std::string text = fmt::format("  fastest run: {}, {} ns/day\n", named(*best.fastestRun), figure(rate));
    if (best.mostInAll != best.fastestRun)
        text += fmt::format("  most ns/day in all: {}, {} ns/day\n", named(*best.mostInAll), figure(best.mostInAll->nsPerDay()->median));
    for (Cheapest const& cheapest : best.cheapest)
        text += fmt::format("  cheapest in {}: {}, {} a ns, by {}\n", plain(cheapest.cost->price.currency), named(*cheapest.row),
                            plain(costText(*cheapest.cost)), plain(cheapest.cost->price.name));
    if (best.cheapest.empty()) text += "  cheapest: no price\n";
    return text;
}

} // namespace

std::string terminalText(Comparison const& comparison)
{
    std::string text;
    std::vector<BestChoice> const choices = bestChoices(comparison);
    std::vector<std::string> machines;
    for (Row const& row : comparison.rows) machines.push_back(row.machine);
    std::size_t const width = widthOf(machines);
    for (BestChoice const& best : choices) {
        std::vector<Row const*> rows;
        for (Row const& row : comparison.rows)
            if (row.system == best.system) rows.push_back(&row);
        text +=
            fmt::format("{}\n{}\n{}\n{}\n", plain(titleOf(best.system)), rateTable(rows, width), costTable(rows, width), choiceText(best));
    }
    for (ResultsFile const& file : comparison.files) {
        if (file.timings.empty()) text += fmt::format("{}: no timings{}\n", plain(file.path), file.right ? "" : ", and something is wrong");
        for (std::string const& name : file.leftOut) text += fmt::format("{}: left out: {}\n", plain(file.path), plain(name));
    }
    for (Standing const standing : {Standing::rehearsal, Standing::fixture})
        if (std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](Row const& row) { return row.standing == standing; }))
            text += fmt::format("{}: {}.\n", standing == Standing::fixture ? "FIXTURE" : nameOf(standing), meaningOf(standing));
    text += fmt::format(
        "ns/day: median of all windows, of all runs together. Mas/s: million atom steps a second. Drift: kJ/mol/ns/atom.\n"
        "force e.: rms error of the forces over their rms. Lost: part of the paid time that preemptions take, with a checkpoint "
        "every {:g} min\nand {:g} min a restart; unknown: it is not in the cost, which is a lower bound. Prices: {}.\n",
        comparison.preemptions.checkpointMinutes, comparison.preemptions.restartMinutes,
        comparison.pricesFile.empty() ? "none" : plain(comparison.pricesFile));
    return text;
}

std::string terminalText(std::vector<LedgerCost> const& costs)
{
    std::string text = fmt::format("what runs cost, by the ledger\n  {:<34} {:<24} {:>5} {:>11} {:>10} {:>10} {:>10}  {}\n", "device",
                                   "system", "runs", "unfinished", "hours", "GPU hours", "ns kept", "a ns kept");
    for (LedgerCost const& cost : costs) {
        std::string perNs = "no price";
        if (!cost.price.empty())
            perNs = cost.perNs() ? fmt::format("{} {} by {}{}", figure(*cost.perNs()), cost.currency, cost.price,
                                               cost.verified ? "" : " (price not verified)")
                                 : fmt::format("{} {} spent, nothing kept", figure(cost.amount), cost.currency);
        text += fmt::format("  {} {} {:>5} {:>11} {:>10} {:>10} {:>10}  {}\n", inColumn(cost.device, 34), inColumn(cost.system, 24),
                            cost.runs, cost.unfinished, figure(cost.hours), figure(cost.gpuHours), figure(cost.ns), plain(perNs));
    }
    return text;
}

} // namespace alder::report
