#include "report/comparison_page.hpp"

#include "page/page.hpp"
#include "report/best_choices.hpp"
#include "report/charts.hpp"
#include "report/export.hpp"
#include "report/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace alder::report {

namespace {

using page::Align;
using page::Cell;

std::vector<page::Column> columnsOf(std::vector<std::string> const& words, std::vector<std::string> const& numbers)
{
    std::vector<page::Column> columns;
    columns.reserve(words.size() + numbers.size());
    for (std::string const& word : words) columns.push_back({word, Align::left});
    for (std::string const& number : numbers) columns.push_back({number, Align::right});
    return columns;
}

void warnOfFigures(page::Page& page, Comparison const& comparison)
{
    for (Standing const standing : {Standing::fixture, Standing::rehearsal}) {
        auto const count =
            std::count_if(comparison.rows.begin(), comparison.rows.end(), [&](Row const& row) { return row.standing == standing; });
        if (count > 0)
            page.note(fmt::format("{} of {} rows are {}s: {}. They are marked, and win nothing.", count, comparison.rows.size(),
                                  nameOf(standing), meaningOf(standing)),
                      page::Tone::warning);
    }
    auto const wrong = std::count_if(comparison.rows.begin(), comparison.rows.end(), [](Row const& row) { return !row.right; });
    if (wrong > 0)
        page.note(
            fmt::format("{} of {} rows are of files that failed a check. They are marked, and win nothing.", wrong, comparison.rows.size()),
            page::Tone::warning);
}

void addChoice(page::Table& table, BestChoice const& best)
{
    std::string const system = titleOf(best.system);
    auto const add = [&](std::string const& what, Row const& row, std::string const& told, std::string const& by) {
        table.rows.push_back({{system, what, row.machine, titleOf(row.setup), told, by}, markOf(row)});
    };
    if (best.fastestRun == nullptr) {
        table.rows.push_back({{system, "none", "nothing was measured and right", "", "", ""}, ""});
        return;
    }
    Row const& fastest = *best.fastestRun;
    add("fastest run", fastest, figure(fastest.nsPerDay()->median / static_cast<double>(fastest.setup.replicas)) + " ns/day", "");
    if (best.mostInAll != best.fastestRun) add("most in all", *best.mostInAll, figure(best.mostInAll->nsPerDay()->median) + " ns/day", "");
    for (Cheapest const& c : best.cheapest)
        add(fmt::format("cheapest in {}", c.cost->price.currency), *c.row, costText(*c.cost) + " a ns",
            fmt::format("{}, {}", c.cost->price.name, nameOf(c.cost->price.kind)));
    if (best.cheapest.empty()) table.rows.push_back({{system, "cheapest", "no price", "", "", ""}, ""});
}

page::Table ratesOf(std::vector<Row const*> const& rows)
{
    page::Table table;
    table.caption = "Rates";
    table.columns =
        columnsOf({"machine", "setup", "status"}, {"ns/day", "least", "most", "M atom steps/s", "drift (kJ/mol/ns/atom)", "its error",
                                                   "force error", "memory (MiB)", "on GPU (MiB)", "power (W)", "ns/kWh"});
    double most = 0;
    for (Row const* row : rows)
        if (!row->values.empty()) most = std::max(most, row->nsPerDay()->median);
    for (Row const* row : rows) {
        std::optional<Spread> const rate = row->nsPerDay();
        std::optional<double> const steps = row->atomStepsPerSecond();
        std::string const remarks = row->remarks();
        table.rows.push_back(
            {{row->machine, titleOf(row->setup), row->status() + (remarks.empty() ? "" : ": " + remarks),
              rate ? Cell(figure(rate->median), rate->median / most) : Cell("-"), rate ? figure(rate->least) : "-",
              rate ? figure(rate->most) : "-", steps ? figure(*steps / 1e6) : "-", figure(row->drift), figure(row->driftError),
              figure(row->forceError), figure(row->hostMiB), figure(row->deviceMiB), figure(row->powerW), figure(row->nsPerKWh())},
             markOf(*row)});
    }
    return table;
}

page::Table costsOf(std::vector<Row const*> const& rows)
{
    page::Table table;
    table.caption = "Costs";
    table.columns = columnsOf({"machine", "setup", "price", "kind", "verified", "date", "source"}, {"an hour", "lost", "a ns", "ns for 1"});
    for (Row const* row : rows) {
        if (row->costs.empty())
            table.rows.push_back(
                {{row->machine, titleOf(row->setup), row->values.empty() ? "no rate" : "no price", "", "", "", "", "", "", "", ""},
                 markOf(*row)});
        for (RowCost const& cost : row->costs) {
            accounting::Price const& price = cost.price;
            char const* const bound = cost.lost ? "" : "at least ";
            table.rows.push_back({{row->machine, titleOf(row->setup), price.name, nameOf(price.kind), price.verified ? "yes" : "NO",
                                   price.date, price.source, fmt::format("{} {}", figure(cost.perHour), price.currency),
                                   cost.lost ? fmt::format("{:.1f} %", 100 * *cost.lost) : "unknown",
                                   cost.perNs ? fmt::format("{}{} {}", bound, figure(*cost.perNs), price.currency) : "never",
                                   cost.perNs ? fmt::format("{}{} ns", cost.lost ? "" : "at most ", figure(cost.nsPerUnit())) : "-"},
                                  markOf(*row)});
        }
    }
    return table;
}

page::Table ledgerOf(std::vector<LedgerCost> const& ledger)
{
    page::Table table;
    table.columns = columnsOf({"device", "system", "price"}, {"runs", "unfinished", "hours", "GPU hours", "ns kept", "paid", "a ns kept"});
    for (LedgerCost const& cost : ledger) {
        std::string const price = cost.price.empty() ? "no price" : cost.price + (cost.verified ? "" : " (not verified)");
        table.rows.push_back(
            {{cost.device, cost.system, price, fmt::format("{}", cost.runs), fmt::format("{}", cost.unfinished), figure(cost.hours),
              figure(cost.gpuHours), figure(cost.ns), cost.price.empty() ? "-" : fmt::format("{} {}", figure(cost.amount), cost.currency),
              cost.perNs() ? fmt::format("{} {}", figure(*cost.perNs()), cost.currency) : "-"},
             ""});
    }
    return table;
}

page::Table filesOf(std::vector<ResultsFile> const& files)
{
    page::Table table;
    table.columns =
        columnsOf({"file", "made by", "at", "host", "CPU", "GPU", "driver", "CUDA", "power limit (W)", "build", "worth", "left out"}, {});
    for (ResultsFile const& file : files) {
        std::string gpu = "-";
        if (file.gpu) gpu = file.gpu->slice ? fmt::format("{} MIG {}", file.gpu->name, *file.gpu->slice) : file.gpu->name;
        std::string worth = nameOf(file.standing);
        if (!file.right) worth += file.wrongChecks.empty() ? ", failed" : fmt::format(", WRONG: {}", fmt::join(file.wrongChecks, ", "));
        auto const known = [&](std::optional<std::string> Gpu::*text) {
            return file.gpu ? (*file.gpu.*text).value_or("-") : std::string("-");
        };
        table.rows.push_back(
            {{file.path, file.madeBy, file.madeAt, file.host, file.cpu, gpu, known(&Gpu::driver), known(&Gpu::cuda),
              file.gpu ? figure(file.gpu->powerLimitW) : "-", fmt::format("{} ({}), {}", file.version, file.revision, file.buildType),
              worth, fmt::format("{}", fmt::join(file.leftOut, ", "))},
             file.standing == Standing::measured ? "" : fmt::format("{}: not measured", nameOf(file.standing))});
    }
    return table;
}

void addTables(page::Page& page, Comparison const& comparison, std::vector<BestChoice> const& choices)
{
    for (BestChoice const& best : choices) {
        std::vector<Row const*> rows;
        for (Row const& row : comparison.rows)
            if (row.system == best.system) rows.push_back(&row);
        page.subheading(titleOf(best.system));
        page.table(ratesOf(rows));
        page.table(costsOf(rows));
    }
}

void explain(page::Page& page, Comparison const& comparison)
{
    page.paragraph(
        "ns/day: median of all windows, of all runs at the same time together. Memory: the most that was resident, and the most taken of "
        "the first GPU's. Drift: of the conserved energy. Force error: rms error of the forces over their rms.");
    page.paragraph(
        fmt::format("A ns costs price x what is paid for (GPUs; without any, ranks x threads x runs) x 24 h / (ns/day) / (1 - lost). Lost: "
                    "part of the paid time that preemptions take, with a checkpoint every {:g} min and {:g} min a restart; where it is "
                    "unknown, it is not in the cost, which is a lower bound. Prices are from {}; currencies are never converted.",
                    comparison.preemptions.checkpointMinutes, comparison.preemptions.restartMinutes,
                    comparison.pricesFile.empty() ? "no file" : comparison.pricesFile));
}

} // namespace

std::string pageOf(Comparison const& comparison, std::vector<LedgerCost> const& ledger)
{
    std::set<std::string> machines;
    for (Row const& row : comparison.rows) machines.insert(row.machine);
    page::Page page(fmt::format("alder on {} kind{} of machine", machines.size(), machines.size() == 1 ? "" : "s"));
    warnOfFigures(page, comparison);

    std::vector<BestChoice> const choices = bestChoices(comparison);
    page.heading("Best choice");
    page::Table best;
    best.columns = columnsOf({"system", "what", "machine", "setup", "figure", "price"}, {});
    for (BestChoice const& choice : choices) addChoice(best, choice);
    if (std::any_of(choices.begin(), choices.end(), [](BestChoice const& choice) { return choice.fastestRun != nullptr; }))
        page.table(best);
    else
        page.paragraph("None: nothing here was measured and right.");

    std::vector<page::Chart> charts;
    auto const draw = [&](char const* heading, auto const& some) {
        if (some.empty()) return;
        page.heading(heading);
        std::vector<page::Chart> const drawn(some.begin(), some.end());
        page.charts(drawn);
        charts.insert(charts.end(), drawn.begin(), drawn.end());
    };
    draw("Fastest single run", chartsOfMachines(comparison));
    draw("Speed and cost by size", chartsBySize(comparison));
    draw("Scaling", chartsOfScaling(comparison));

    page.heading("Tables");
    addTables(page, comparison, choices);
    explain(page, comparison);
    if (!ledger.empty()) {
        page.heading("What runs cost, by the ledger");
        page.table(ledgerOf(ledger));
    }
    page.heading("Files");
    page.table(filesOf(comparison.files));
    page.data(jsonText(comparison, ledger, charts));
    return page.html();
}

} // namespace alder::report
