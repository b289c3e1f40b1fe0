#include "report/charts.hpp"

#include "report/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace alder::report {

namespace {

struct Point {
    double value = 0;
    double low = 0, high = 0;
};

/// Of each series and place the best point.
class BestPoints {
public:
    /// `deck` keeps decks of one size apart.
    void take(std::string const& name, std::string const& mark, double x, std::string const& deck, Point const& point)
    {
        auto const [place, isNew] = series_[{name, mark}].try_emplace({x, deck}, point);
        if (!isNew && point.value > place->second.value) place->second = point;
    }
    [[nodiscard]] std::vector<page::Series> series(std::size_t fewestPoints) const
    {
        std::vector<page::Series> all;
        for (auto const& [key, points] : series_) {
            if (points.size() < fewestPoints) continue;
            page::Series series;
            series.name = key.first;
            series.mark = key.second;
            series.drawn = page::Drawn::both;
            series.look = static_cast<int>(all.size());
            bool spread = false;
            for (auto const& [place, point] : points) {
                series.x.push_back(place.first);
                series.y.push_back(point.value);
                series.low.push_back(point.low);
                series.high.push_back(point.high);
                spread = spread || point.low < point.high;
            }
            if (!spread) {
                series.low.clear();
                series.high.clear();
            }
            all.push_back(std::move(series));
        }
        return all;
    }

private:
    using Name = std::pair<std::string, std::string>;
    using Place = std::pair<double, std::string>;
    std::map<Name, std::map<Place, Point>> series_;
};

/// Names of series; step and cutoffs are told where not all rows have the same.
class SeriesNames {
public:
    explicit SeriesNames(Comparison const& comparison)
    {
        std::set<std::tuple<double, double, double>> settings;
        for (Row const& row : comparison.rows) settings.emplace(row.system.dtPs, row.system.rcoulombNm, row.system.rvdwNm);
        tellSettings_ = settings.size() > 1;
    }
    [[nodiscard]] std::string withGpus(Row const& row) const
    {
        return row.setup.gpus > 1 ? fmt::format("{}, {} GPUs", of(row), row.setup.gpus) : of(row);
    }
    [[nodiscard]] std::string of(Row const& row) const
    {
        std::string name = row.machine;
        if (tellSettings_) name += fmt::format(", {:g} fs, {:g}/{:g} nm", row.system.dtPs * 1000, row.system.rcoulombNm, row.system.rvdwNm);
        return name;
    }

private:
    bool tellSettings_ = false;
};

page::LineChart chartAgainstAtoms(std::string title, page::Axis y, BestPoints const& points, std::string remark)
{
    page::LineChart chart;
    chart.title = std::move(title);
    chart.x = {"atoms", "", page::Scale::log, false};
    chart.y = std::move(y);
    chart.series = points.series(1);
    chart.remark = std::move(remark);
    return chart;
}

std::string titleOfUnits(bool onGpus) { return onGpus ? "GPUs" : "processors (ranks x threads)"; }

/// The line of perfect scaling from the first point of a series.
page::Series idealOf(page::Series const& series)
{
    page::Series ideal;
    ideal.name = series.name + ": ideal";
    ideal.x = series.x;
    for (double const x : series.x) ideal.y.push_back(series.y.front() * x / series.x.front());
    ideal.drawn = page::Drawn::line;
    ideal.weight = page::Weight::faint;
    ideal.look = series.look;
    ideal.mark = series.mark; // of what was not measured no line is drawn as if it were
    return ideal;
}

} // namespace

std::string markOf(Row const& row)
{
    std::vector<std::string> said;
    if (row.standing != Standing::measured) said.push_back(fmt::format("{}: not measured", nameOf(row.standing)));
    if (!row.right) said.emplace_back("wrong");
    if (!row.steady.value_or(true)) said.emplace_back("unsteady");
    return fmt::format("{}", fmt::join(said, ", "));
}

std::vector<page::BarChart> chartsOfMachines(Comparison const& comparison)
{
    std::map<System, std::map<std::string, page::Bar>> systems;
    for (Row const& row : comparison.rows) {
        if (row.values.empty() || row.setup.replicas != 1) continue;
        Spread const rate = *row.nsPerDay();
        std::string name = row.setup.gpus > 1 ? fmt::format("{}, {} GPUs", row.machine, row.setup.gpus) : row.machine;
        if (std::string const mark = markOf(row); !mark.empty()) name += fmt::format(" ({})", mark);
        page::Bar& bar = systems[row.system][name];
        if (!(bar.value >= rate.median)) bar = {rate.median, rate.least, rate.most, markOf(row), ""};
    }
    std::vector<page::BarChart> charts;
    std::set<System> drawn;
    for (Row const& row : comparison.rows) { // whose order is that of the page's tables
        System const& system = row.system;
        auto const& byName = systems[system];
        if (byName.size() < 2 || !drawn.insert(system).second) continue;
        std::vector<std::pair<std::string, page::Bar>> bars(byName.begin(), byName.end());
        std::stable_sort(bars.begin(), bars.end(), [](auto const& a, auto const& b) { return a.second.value > b.second.value; });
        page::BarChart chart;
        chart.title = fmt::format("{}, {} atoms, {:g} fs, {:g}/{:g} nm", system.deck, system.atoms, system.dtPs * 1000, system.rcoulombNm,
                                  system.rvdwNm);
        chart.value = {"", "ns/day", page::Scale::linear, true};
        chart.series.push_back({"ns/day", {}});
        for (auto& [name, bar] : bars) {
            chart.groups.push_back(name);
            chart.series.front().bars.push_back(std::move(bar));
        }
        charts.push_back(std::move(chart));
    }
    return charts;
}

std::vector<page::LineChart> chartsBySize(Comparison const& comparison)
{
    SeriesNames const names(comparison);
    BestPoints speed, work, energy;
    std::map<std::string, BestPoints> money; // by currency
    for (Row const& row : comparison.rows) {
        if (row.values.empty()) continue;
        auto const atoms = static_cast<double>(row.system.atoms);
        std::string const name = names.of(row), single = names.withGpus(row), mark = markOf(row);
        Spread const rate = *row.nsPerDay();
        if (row.setup.replicas == 1) {
            double const each = *row.atomStepsPerSecond() / rate.median; // atom steps a second of one ns/day
            speed.take(single, mark, atoms, row.system.deck, {rate.median, rate.least, rate.most});
            work.take(single, mark, atoms, row.system.deck, {rate.median * each, rate.least * each, rate.most * each});
        }
        if (std::optional<double> const perKWh = row.nsPerKWh())
            energy.take(name, mark, atoms, row.system.deck, {*perKWh, *perKWh, *perKWh});
        for (RowCost const& cost : row.costs)
            if (std::optional<double> const ns = cost.nsPerUnit())
                money[cost.price.currency].take(fmt::format("{}, {}{}{}", name, cost.price.name,
                                                            cost.price.verified ? "" : " (not verified)", cost.lost ? "" : " (at most)"),
                                                mark, atoms, row.system.deck, {*ns, *ns, *ns});
    }
    std::string const what = "The fastest single run of each, with least and most of its windows.";
    std::vector<page::LineChart> charts;
    charts.push_back(chartAgainstAtoms("ns/day by system size", {"", "ns/day", page::Scale::log, false}, speed, what));
    charts.push_back(chartAgainstAtoms("Atoms x steps a second", {"atom steps", "1/s", page::Scale::log, false}, work, what));
    for (auto const& [currency, points] : money)
        charts.push_back(chartAgainstAtoms(
            fmt::format("ns for 1 {}", currency), {"", fmt::format("ns/{}", currency), page::Scale::log, false}, points,
            "The setup of each machine that costs least, by price; runs at the same time included. At most: what preemptions "
            "take is not known."));
    charts.push_back(chartAgainstAtoms(
        "ns for 1 kWh", {"", "ns/kWh", page::Scale::log, false}, energy,
        "The setup of each machine that takes least, runs at the same time included; where the driver told the power of the GPUs."));
    charts.erase(std::remove_if(charts.begin(), charts.end(), [](page::LineChart const& chart) { return chart.series.empty(); }),
                 charts.end());
    return charts;
}

std::vector<page::LineChart> chartsOfScaling(Comparison const& comparison)
{
    std::vector<page::LineChart> charts;
    std::map<std::pair<System, bool>, BestPoints> systems; // on GPUs or not
    for (Row const& row : comparison.rows) {
        if (row.values.empty() || row.setup.replicas != 1) continue;
        bool const onGpus = row.setup.gpus > 0;
        Spread const rate = *row.nsPerDay();
        systems[{row.system, onGpus}].take(row.machine, markOf(row), static_cast<double>(onGpus ? row.setup.gpus : row.setup.processors()),
                                           "", {rate.median, rate.least, rate.most});
    }
    for (auto const& [key, points] : systems) {
        page::LineChart chart;
        auto const& [system, onGpus] = key;
        chart.title = fmt::format("Scaling of {}, {} atoms, {:g} fs", system.deck, system.atoms, system.dtPs * 1000);
        chart.x = {titleOfUnits(onGpus), "", page::Scale::log, false};
        chart.y = {"", "ns/day", page::Scale::log, false};
        chart.series = points.series(2);
        chart.remark = "Single runs, the fastest of each number. Ideal: as many times faster than the smallest.";
        std::vector<page::Series> const measured = chart.series;
        for (page::Series const& series : measured) chart.series.push_back(idealOf(series));
        if (!chart.series.empty()) charts.push_back(std::move(chart));
    }
    std::stable_sort(charts.begin(), charts.end(), [](auto const& a, auto const& b) { return a.x.label < b.x.label; });
    return charts;
}

} // namespace alder::report
