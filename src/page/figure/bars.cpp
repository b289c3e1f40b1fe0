// Horizontal bars by group: names of decks and GPUs are long, and stand above their bars.

#include "page/figure/parts.hpp"
#include "page/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace alder::page {

namespace {

constexpr double barHeight = 16, barGap = 4, groupGap = 10, nameHeight = 19, plotTop = 6, left = 6;
/// Of the axis' marks and label.
constexpr double footHeight = 2 * textHeight + 16;

struct Row {
    double y = 0;
    std::size_t series = 0, group = 0;
};

void requireWhole(BarChart const& chart)
{
    for (BarSeries const& s : chart.series)
        if (s.bars.size() != chart.groups.size()) throw std::invalid_argument("bars of '" + s.name + "' are not one a group");
}

std::string textOf(Bar const& bar, std::string const& unit)
{
    if (!bar.text.empty()) return bar.text;
    if (!std::isfinite(bar.value)) return "none";
    return numberText(bar.value, 4) + (unit.empty() ? "" : " " + unit);
}

std::string tipOf(BarChart const& chart, Row const& row)
{
    BarSeries const& series = chart.series[row.series];
    Bar const& bar = series.bars[row.group];
    std::string tip = fmt::format("{}, {}: {} {}", chart.groups[row.group], series.name, numberText(bar.value, 6), chart.value.unit);
    if (std::isfinite(bar.low) && std::isfinite(bar.high))
        tip += fmt::format(" ({} to {})", numberText(bar.low, 6), numberText(bar.high, 6));
    return bar.mark.empty() ? tip : tip + "; " + bar.mark;
}

PlacedAxis axisOf(BarChart const& chart)
{
    Axis axis = chart.value;
    axis.fromZero = true;
    Extent extent;
    std::size_t longest = 4;
    for (BarSeries const& series : chart.series)
        for (Bar const& bar : series.bars) {
            extent.take(bar.value, axis.scale);
            extent.take(bar.low, axis.scale);
            extent.take(bar.high, axis.scale);
            if (std::isfinite(bar.value)) longest = std::max(longest, textOf(bar, {}).size());
        }
    // On a logarithmic axis no bar may have no length.
    if (axis.scale == Scale::log && !extent.empty()) extent.low = std::pow(10.0, std::floor(std::log10(extent.low) - 0.01));
    double const room = std::min(160.0, 14 + characterWidth * static_cast<double>(longest));
    return {axis, extent, {left, drawingWidth - room}, 4};
}

std::string barOf(BarChart const& chart, Row const& row, PlacedAxis const& axis)
{
    BarSeries const& series = chart.series[row.series];
    Bar const& bar = series.bars[row.group];
    int const look = lookOf(static_cast<int>(row.series));
    double const end = axis.placeOf(bar.value);
    double const base = chart.value.scale == Scale::log ? left : axis.placeOf(0);
    std::string out = fmt::format("<g data-series=\"{}\" data-group=\"{}\">", escaped(series.name), escaped(chart.groups[row.group]));
    double textAt = left + 4;
    if (std::isfinite(end)) {
        out += fmt::format("<rect class=\"bar s{}{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>", look,
                           bar.mark.empty() ? "" : " marked", place(std::min(base, end)), place(row.y), place(std::abs(end - base)),
                           place(barHeight), escaped(tipOf(chart, row)));
        double const middle = row.y + barHeight / 2;
        // Colors need not be seen: the series' marker stands at the end of its bar.
        if (chart.series.size() > 1) out += markerOf({end, middle, look, !bar.mark.empty(), {}});
        double furthest = std::max(end, base);
        double const low = axis.placeOf(bar.low), high = axis.placeOf(bar.high);
        if (std::isfinite(low) && std::isfinite(high)) {
            out += fmt::format("<path class=\"whisker\" d=\"M{0} {1}V{2}M{0} {3}H{4}M{4} {1}V{2}\"/>", place(low), place(middle - 4),
                               place(middle + 4), place(middle), place(high));
            furthest = std::max(furthest, high);
        }
        textAt = furthest + (chart.series.size() > 1 ? 9 : 5);
    }
    return out + wordsOf({textAt, row.y + barHeight - 3.5, "start", textOf(bar, {})}) + "</g>\n";
}

std::vector<LegendEntry> legendEntries(BarChart const& chart)
{
    std::vector<LegendEntry> entries;
    std::set<std::string> marks;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        LegendEntry entry;
        entry.name = chart.series[s].name;
        entry.look = lookOf(static_cast<int>(s));
        entry.bar = true;
        if (chart.series.size() > 1) entries.push_back(entry);
        for (Bar const& bar : chart.series[s].bars)
            if (!bar.mark.empty()) marks.insert(bar.mark);
    }
    for (std::string const& mark : marks) {
        LegendEntry entry;
        entry.name = "hollow bars";
        entry.bar = true;
        entry.marker = false;
        entry.mark = mark;
        entries.push_back(entry);
    }
    return entries;
}

} // namespace

std::string drawingOf(BarChart const& chart)
{
    requireWhole(chart);
    PlacedAxis const axis = axisOf(chart);
    std::string names, bars;
    double y = plotTop;
    auto const mostCharacters = static_cast<std::size_t>((drawingWidth - left) / characterWidth);
    for (std::size_t g = 0; g < chart.groups.size(); ++g) {
        names += "<g class=\"group\"><title>" + escaped(chart.groups[g]) + "</title>" +
                 wordsOf({left, y + textHeight, "start", shortened(chart.groups[g], mostCharacters)}) + "</g>\n";
        y += nameHeight;
        for (std::size_t s = 0; s < chart.series.size(); ++s, y += barHeight + barGap) bars += barOf(chart, {y, s, g}, axis);
        y += groupGap;
    }
    if (chart.groups.empty()) names = wordsOf({drawingWidth / 2, y += 30, "middle", "no values"}) + "\n";
    Frame const frame{left, drawingWidth, plotTop, y};
    std::string const content = xMarks(axis, frame) + names + bars;
    return svgOf({chart.title, y + footHeight, content}) + legendOf(legendEntries(chart));
}

} // namespace alder::page
