#include "run_report/run_page.hpp"

#include "observe/mean.hpp"
#include "page/page.hpp"
#include "page/text.hpp"
#include "run_report/record_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace alder::run_report {

namespace {

using output::EnergyRecords;
using page::numberText;

page::Axis const timeAxis{"time", "ps"};

std::string nameOf(RunStory const& story) { return std::filesystem::path(story.file).filename().string(); }

page::Table pairsTable(Pairs const& pairs)
{
    page::Table table;
    table.columns = {{"what"}, {"value"}};
    for (auto const& [what, value] : pairs) table.rows.push_back({{what, value}});
    return table;
}

Pairs summaryOf(RunStory const& story)
{
    EnergyRecords const& records = story.records;
    Pairs pairs;
    auto const add = [&](char const* what, std::string value) {
        if (!value.empty()) pairs.emplace_back(what, std::move(value));
    };
    if (story.facts)
        add("ended", story.facts->ended);
    else
        add("ended", records.closed ? "not known; the trajectory was closed" : "");
    if (!records.closed) add("trajectory", "not closed: its run goes on, or was killed");
    add("file", story.file);
    if (records.atoms > 0) add("atoms", fmt::format("{}", records.atoms));
    add("frames", fmt::format("{}", records.frames));
    if (records.steps.empty())
        add("energy records", "0");
    else
        add("energy records", fmt::format("{}, steps {} to {}, {} to {} ps", records.steps.size(), records.steps.front(),
                                          records.steps.back(), numberText(records.times.front(), 9), numberText(records.times.back(), 9)));
    if (auto const drift = driftByAtom(records))
        add("drift of the conserved energy",
            fmt::format("{} \u00b1 {} kJ/mol/ns by atom", numberText(drift->slope, 3), numberText(drift->standardError, 2)));
    if (story.facts && story.facts->nsPerDay)
        add("speed", fmt::format("{} ns/day, {} hours/ns ({} steps in {} s)", numberText(*story.facts->nsPerDay, 4),
                                 numberText(story.facts->hoursPerNs.value_or(24 / *story.facts->nsPerDay), 4),
                                 numberText(story.facts->timedSteps.value_or(0), 9), numberText(story.facts->timedSeconds.value_or(0), 4)));
    else if (story.facts)
        add("speed", "not given: " + (story.facts->noRate.empty() ? "it was not measured" : story.facts->noRate));
    add("written by", story.facts && !story.facts->madeAt.empty() ? records.madeBy + ", " + story.facts->madeAt : records.madeBy);
    return pairs;
}

/// One column: each record faint, and the mean over a window on top; of few records, each. Several columns: lines of their own.
page::LineChart chartOf(ColumnGroup const& group, EnergyRecords const& records)
{
    page::LineChart chart;
    chart.title = group.title;
    chart.x = timeAxis;
    chart.y.unit = shownUnit(group.columns.front()->unit);
    std::size_t const width = smoothingWidth(records.times.size());
    for (EnergyRecords::Column const* column : group.columns) {
        page::Series each{group.columns.size() > 1 ? column->name : "each record", records.times, column->values};
        if (width == 0 || group.columns.size() > 1) {
            chart.series.push_back(std::move(each));
            continue;
        }
        page::Series mean{"", records.times, runningMean(column->values, width)};
        double const span = (records.times.back() - records.times.front()) / static_cast<double>(records.times.size() - 1);
        mean.name = fmt::format("mean over {} ps", numberText(span * static_cast<double>(width), 3));
        mean.look = each.look = 0;
        each.weight = page::Weight::faint;
        chart.series = {std::move(each), std::move(mean)};
    }
    return chart;
}

void addDrift(page::Page& page, EnergyRecords const& records)
{
    page.subheading("Drift of the conserved energy");
    auto const drift = driftByAtom(records);
    EnergyRecords::Column const* conserved = records.find("Conserved En.");
    if (!drift || conserved == nullptr) {
        page.paragraph(conserved == nullptr ? "The trajectory holds no conserved energy."
                                            : fmt::format("Not told: there are {} records, and {} are the fewest that tell.",
                                                          records.times.size(), observe::fewestDriftRecords));
        return;
    }
    page::LineChart chart;
    chart.title = "Conserved energy since the first record";
    chart.x = timeAxis;
    chart.y.unit = "kJ/mol/atom";
    page::Series each{"each record", records.times, conserved->values};
    each.weight = page::Weight::faint;
    each.look = 0;
    for (double& value : each.y) value = (value - conserved->values.front()) / static_cast<double>(records.atoms);
    double const span = records.times.back() - records.times.front();
    page::Series line{
        "least-squares line", {records.times.front(), records.times.back()}, {drift->start, drift->start + drift->slope * 1e-3 * span}};
    line.look = 1;
    chart.series = {std::move(each), std::move(line)};
    chart.remark =
        fmt::format("Drift {} \u00b1 {} kJ/mol/ns by atom; the error is one standard deviation, from means of blocks of records.",
                    numberText(drift->slope, 3), numberText(drift->standardError, 2));
    page.charts({chart});
}

void addEnergies(page::Page& page, EnergyRecords const& records)
{
    page.heading("Over time");
    if (records.times.empty()) {
        page.note("The trajectory holds no record of energies yet.");
        return;
    }
    for (Section const& section : sectionsOf(records)) {
        page.subheading(section.title);
        std::vector<page::Chart> charts;
        for (ColumnGroup const& group : section.groups) charts.emplace_back(chartOf(group, records));
        page.charts(charts);
    }
    addDrift(page, records);
}

/// Step of a rate as a time, by the records: they may begin at any step and time.
std::optional<double> timeOfStep(EnergyRecords const& records, std::int64_t step)
{
    if (records.steps.size() < 2 || records.steps.back() == records.steps.front()) return {};
    double const dt = (records.times.back() - records.times.front()) / static_cast<double>(records.steps.back() - records.steps.front());
    return records.times.front() + dt * static_cast<double>(step - records.steps.front());
}

void addSpeed(page::Page& page, RunStory const& story)
{
    page.heading("Speed");
    if (!story.facts) {
        page.paragraph("Not known: the run's .json tells it.");
        return;
    }
    RunFacts const& facts = *story.facts;
    if (facts.rates.empty()) {
        page.paragraph("The run's .json holds no speeds over time.");
    } else {
        bool const times = timeOfStep(story.records, 0).has_value();
        page::LineChart chart;
        chart.title = "Speed of the last start, part by part";
        chart.x = times ? timeAxis : page::Axis{"step", ""};
        chart.y.unit = "ns/day";
        page::Series series{"mean of a part, at its end", {}, {}};
        if (facts.fixture) series.mark = "fixture: not measured";
        for (RunFacts::Rate const& rate : facts.rates) {
            series.x.push_back(timeOfStep(story.records, rate.step).value_or(static_cast<double>(rate.step)));
            series.y.push_back(rate.nsPerDay);
        }
        chart.series.push_back(std::move(series));
        if (facts.nsPerDay) chart.levels.push_back({*facts.nsPerDay, "whole start"});
        page.charts({chart});
    }
    if (facts.table.empty()) return;
    page.subheading("Where the time went");
    page::Table table;
    table.columns = {{"part"}, {"calls", page::Align::right}, {"wall s", page::Align::right}, {"of all", page::Align::right}};
    double total = 0;
    for (RunFacts::Part const& part : facts.table) total += part.seconds;
    bool const device =
        std::any_of(facts.table.begin(), facts.table.end(), [](auto const& part) { return part.deviceSeconds.has_value(); });
    if (device) table.columns.push_back({"GPU s", page::Align::right});
    for (RunFacts::Part const& part : facts.table) {
        double const share = total > 0 ? part.seconds / total : 0;
        page::Row row{{part.name, numberText(part.calls, 9), numberText(part.seconds, 4), {fmt::format("{:.1f} %", 100 * share), share}}};
        if (device) row.cells.emplace_back(part.deviceSeconds ? numberText(*part.deviceSeconds, 4) : "-");
        table.rows.push_back(std::move(row));
    }
    page.table(table);
}

void addAverages(page::Page& page, RunStory const& story)
{
    page.heading("Averages");
    page.paragraph(
        "Over the records of the trajectory. The error is one standard deviation of the mean, from means of blocks of records, which "
        "knows that records close to each other are alike; a run shorter than eight times its slowest motion does not know it.");
    bool const told = story.facts && !story.facts->averages.empty();
    page::Table table;
    table.columns = {
        {"energy"}, {"mean", page::Align::right}, {"error", page::Align::right}, {"fluctuation", page::Align::right}, {"unit"}};
    if (told) table.columns.insert(table.columns.begin() + 4, {"mean of all evaluations", page::Align::right});
    for (Section const& section : sectionsOf(story.records))
        for (ColumnGroup const& group : section.groups)
            for (EnergyRecords::Column const* column : group.columns) {
                auto const mean = observe::meanWithError(column->values);
                page::Row row;
                row.cells = {column->name, mean ? numberText(mean->value, 7) : "-",
                             mean && mean->standardError ? numberText(*mean->standardError, 2) : "-",
                             mean ? numberText(mean->fluctuation, 3) : "-"};
                if (told) {
                    auto const& all = story.facts->averages;
                    auto const found =
                        std::find_if(all.begin(), all.end(), [&](auto const& average) { return average.name == column->name; });
                    row.cells.emplace_back(found == all.end() ? "-" : numberText(found->mean, 7));
                }
                row.cells.emplace_back(shownUnit(column->unit));
                table.rows.push_back(std::move(row));
            }
    if (told)
        table.caption =
            fmt::format("{} records; the run averaged over {} evaluations", story.records.steps.size(), story.facts->averagesOver);
    page.table(table);
}

void addTensors(page::Page& page, EnergyRecords const& records)
{
    for (EnergyRecords::Tensor const& tensor : records.tensors) {
        if (tensor.values.empty()) continue;
        math::Mat3d sum;
        for (math::Mat3d const& value : tensor.values) sum = sum + value;
        double const n = static_cast<double>(tensor.values.size());
        page::Table table;
        table.caption = fmt::format("{}, mean of the records, {}", tensor.name, shownUnit(tensor.unit));
        table.columns = {{""}, {"x", page::Align::right}, {"y", page::Align::right}, {"z", page::Align::right}};
        auto const add = [&](char const* name, math::Vec3d const& v) {
            table.rows.push_back({{name, numberText(v.x / n, 6), numberText(v.y / n, 6), numberText(v.z / n, 6)}});
        };
        add("x", sum.x);
        add("y", sum.y);
        add("z", sum.z);
        page.table(table);
    }
}

void addInput(page::Page& page, RunStory const& story)
{
    if (!story.facts) return;
    RunFacts const& facts = *story.facts;
    page.heading("Hardware and build");
    page.table(pairsTable(facts.hardware));
    page.table(pairsTable(facts.build));
    page.heading("Input");
    if (!facts.commandLine.empty()) page.paragraph("Command: " + facts.commandLine);
    if (!facts.inputHash.empty()) page.paragraph("Digest of the input: " + facts.inputHash);
    page.subheading("Plan");
    page.table(pairsTable(facts.plan));
    page.subheading("Files");
    page.table(pairsTable(facts.files));
    if (!story.parameters.empty()) page.folded(story.parametersFile + ", as it stands now", story.parameters);
}

} // namespace

std::string pageOf(RunStory const& story)
{
    std::string const title = story.facts ? story.facts->title : "";
    page::Page page(title.empty() ? "Run " + nameOf(story) : title + " \u2013 " + nameOf(story));
    if (story.facts && story.facts->fixture)
        page.note("Fixture: figures of speed on this page were made up, not measured.", page::Tone::warning);
    if (!story.records.closed)
        page.note("The trajectory is not closed: its run goes on, or was killed. This page holds what was written so far.",
                  page::Tone::warning);
    if (story.facts && story.facts->ended.starts_with("failed")) page.note("The run " + story.facts->ended, page::Tone::warning);
    for (std::string const& remark : story.remarks) page.note(remark);
    page.table(pairsTable(summaryOf(story)));
    addEnergies(page, story.records);
    addSpeed(page, story);
    addAverages(page, story);
    addTensors(page, story.records);
    addInput(page, story);
    page.data(dataOf(story));
    return page.html();
}

} // namespace alder::run_report
