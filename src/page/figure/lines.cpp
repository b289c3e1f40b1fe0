// Lines and points over x.

#include "page/figure/parts.hpp"
#include "page/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace alder::page {

namespace {

constexpr double plotTop = 26, plotBottom = 240, drawingHeight = 282, plotRight = drawingWidth - 12;
constexpr std::size_t mostPoints = 1500;
/// Lines with more points than this have markers at a few of them, where there are other lines to be told from.
constexpr std::size_t mostMarkers = 60;
constexpr std::size_t fewMarkers = 6, looksApart = 7;

struct Spot {
    double x = 0, y = 0;
    std::size_t index = 0; ///< of the point in its series
};
using Spots = std::vector<Spot>; ///< consecutive points without a gap

/// Stretches between gaps, in the units of the drawing.
std::vector<Spots> stretchesOf(Series const& series, std::vector<double> const& y, PlacedAxis const& xAxis, PlacedAxis const& yAxis)
{
    std::vector<Spots> stretches;
    bool gap = true;
    for (std::size_t i = 0; i < y.size(); ++i) {
        Spot const spot{xAxis.placeOf(series.x[i]), yAxis.placeOf(y[i]), i};
        bool const whole = std::isfinite(spot.x) && std::isfinite(spot.y);
        if (whole && gap) stretches.emplace_back();
        if (whole) stretches.back().push_back(spot);
        gap = !whole;
    }
    return stretches;
}

constexpr double columnWidth = 1.2;

/// Of each run of points within one column: first, least, greatest, last, in their order. No extreme is lost.
Spots thinned(Spots const& spots)
{
    Spots kept;
    for (std::size_t first = 0; first < spots.size();) {
        double const column = std::floor(spots[first].x / columnWidth);
        std::size_t end = first, least = first, greatest = first;
        for (; end < spots.size() && std::floor(spots[end].x / columnWidth) == column; ++end) {
            if (spots[end].y < spots[least].y) least = end;
            if (spots[end].y > spots[greatest].y) greatest = end;
        }
        std::size_t last = first;
        kept.push_back(spots[first]);
        for (std::size_t next : {std::min(least, greatest), std::max(least, greatest), end - 1})
            if (next > last) kept.push_back(spots[last = next]);
        first = end;
    }
    return kept;
}

std::vector<Spots> thinned(std::vector<Spots> stretches)
{
    std::size_t total = 0;
    for (Spots const& spots : stretches) total += spots.size();
    if (total > mostPoints)
        for (Spots& spots : stretches) spots = thinned(spots);
    return stretches;
}

std::string pathOf(std::vector<Spots> const& stretches)
{
    std::string d;
    for (Spots const& spots : stretches) {
        char command = 'M';
        for (Spot const& spot : spots) {
            d += command + place(spot.x) + " " + place(spot.y);
            command = 'L';
        }
        if (spots.size() == 1) d += "h0"; // a dot, as ends are round
    }
    return d;
}

struct Axes {
    PlacedAxis x, y;
    Frame frame;
};

std::string tipOf(LineChart const& chart, Series const& series, std::size_t i)
{
    std::string tip =
        fmt::format("{}: {} {} at {} {}", series.name, numberText(series.y[i], 6), chart.y.unit, numberText(series.x[i], 6), chart.x.unit);
    if (!series.low.empty()) tip += fmt::format(" ({} to {})", numberText(series.low[i], 6), numberText(series.high[i], 6));
    return series.mark.empty() ? tip : tip + "; " + series.mark;
}

/// The band between low and high, a polygon a stretch.
std::string bandOf(Series const& series, Axes const& axes, int look)
{
    std::vector<double> low = series.low, high = series.high;
    for (std::size_t i = 0; i < low.size(); ++i)
        if (!std::isfinite(low[i]) || !std::isfinite(high[i])) low[i] = high[i] = std::numeric_limits<double>::quiet_NaN();
    std::vector<Spots> const below = thinned(stretchesOf(series, low, axes.x, axes.y));
    std::vector<Spots> const above = thinned(stretchesOf(series, high, axes.x, axes.y));
    std::string out;
    for (std::size_t s = 0; s < std::min(below.size(), above.size()); ++s) {
        std::string points;
        for (Spot const& spot : above[s]) points += place(spot.x) + "," + place(spot.y) + " ";
        std::for_each(below[s].rbegin(), below[s].rend(), [&](Spot const& spot) { points += place(spot.x) + "," + place(spot.y) + " "; });
        points.pop_back();
        out += fmt::format("<polygon class=\"band s{}\" points=\"{}\"/>\n", look, points);
    }
    return out;
}

/// Bars from low to high with short caps.
std::string spreadOf(Series const& series, Axes const& axes, int look)
{
    std::string d;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        double const x = axes.x.placeOf(series.x[i]), low = axes.y.placeOf(series.low[i]), high = axes.y.placeOf(series.high[i]);
        if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high)) continue;
        d += fmt::format("M{0} {1}H{2}M{3} {1}V{4}M{0} {4}H{2}", place(x - 4), place(low), place(x + 4), place(x), place(high));
    }
    return d.empty() ? d : fmt::format("<path class=\"spread s{}\" d=\"{}\"/>\n", look, d);
}

std::string markersOf(LineChart const& chart, std::size_t s, Axes const& axes, int look)
{
    Series const& series = chart.series[s];
    Spots spots;
    for (Spots const& stretch : stretchesOf(series, series.y, axes.x, axes.y)) spots.insert(spots.end(), stretch.begin(), stretch.end());
    bool const few = series.drawn == Drawn::line && spots.size() > mostMarkers;
    if (few && chart.series.size() == 1) return {};
    // Those of a long line stand at other places than the next line's.
    std::size_t const every = few ? spots.size() / fewMarkers : 1;
    std::size_t const first = few ? every * (s % looksApart) / looksApart : 0;
    std::string out;
    for (std::size_t i = first; i < spots.size(); i += every)
        out += markerOf({spots[i].x, spots[i].y, look, !series.mark.empty(), tipOf(chart, series, spots[i].index)}) + "\n";
    return out;
}

void requireWhole(LineChart const& chart)
{
    for (Series const& s : chart.series) {
        std::size_t const n = s.x.size();
        bool const spread = s.low.size() == s.high.size() && (s.low.empty() || s.low.size() == n);
        if (s.y.size() != n || !spread) throw std::invalid_argument("series '" + s.name + "' has vectors of different lengths");
    }
}

Axes axesOf(LineChart const& chart)
{
    Extent xs, ys;
    for (Series const& s : chart.series)
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            // A point without a place on one axis must not widen the other.
            Extent x, y;
            x.take(s.x[i], chart.x.scale);
            y.take(s.y[i], chart.y.scale);
            if (x.empty() || y.empty()) continue;
            xs.take(s.x[i], chart.x.scale);
            ys.take(s.y[i], chart.y.scale);
            if (s.low.empty()) continue;
            ys.take(s.low[i], chart.y.scale);
            ys.take(s.high[i], chart.y.scale);
        }
    for (Level const& level : chart.levels) ys.take(level.value, chart.y.scale);
    PlacedAxis y(chart.y, ys, {plotBottom, plotTop}, 5);
    std::size_t widest = 3;
    for (Tick const& tick : y.ticks()) widest = std::max(widest, tick.text.size());
    Frame const frame{12 + characterWidth * static_cast<double>(widest), plotRight, plotTop, plotBottom};
    return {PlacedAxis(chart.x, xs, {frame.left, frame.right}, 5), std::move(y), frame};
}

/// A series of points alone that has low and high has bars; a line has a band.
std::string seriesOf(LineChart const& chart, std::size_t s, Axes const& axes)
{
    Series const& series = chart.series[s];
    int const look = lookOf(series.look < 0 ? static_cast<int>(s) : series.look);
    std::string const style =
        fmt::format("s{}{}{}", look, series.mark.empty() ? "" : " marked", series.weight == Weight::faint ? " faint" : "");
    std::string out = fmt::format("<g data-series=\"{}\">\n", escaped(series.name));
    if (!series.low.empty()) out += series.drawn == Drawn::line ? bandOf(series, axes, look) : spreadOf(series, axes, look);
    if (series.drawn != Drawn::points)
        out += fmt::format("<path class=\"line {}\" d=\"{}\"><title>{}</title></path>\n", style,
                           pathOf(thinned(stretchesOf(series, series.y, axes.x, axes.y))), escaped(series.name));
    if (series.weight != Weight::faint) out += markersOf(chart, s, axes, look);
    return out + "</g>\n";
}

std::string levelOf(Level const& level, PlacedAxis const& y, double left)
{
    double const at = y.placeOf(level.value);
    return fmt::format("<path class=\"level\" d=\"M{} {}H{}\"/>\n", place(left), place(at), place(plotRight)) +
           wordsOf({plotRight - 2, at < plotTop + 20 ? at + 15 : at - 5, "end", level.name}) + "\n";
}

} // namespace

std::string drawingOf(LineChart const& chart)
{
    requireWhole(chart);
    Axes const axes = axesOf(chart);
    Frame const& frame = axes.frame;
    std::string content = xMarks(axes.x, frame) + yMarks(axes.y, frame);
    content += fmt::format("<path class=\"frame\" d=\"M{} {}V{}H{}\"/>\n", place(frame.left), place(frame.top), place(frame.bottom),
                           place(frame.right));
    for (Level const& level : chart.levels) content += levelOf(level, axes.y, frame.left);
    std::vector<LegendEntry> legend;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        content += seriesOf(chart, s, axes);
        Series const& series = chart.series[s];
        LegendEntry entry;
        entry.name = series.name;
        entry.look = lookOf(series.look < 0 ? static_cast<int>(s) : series.look);
        entry.line = series.drawn != Drawn::points;
        entry.faint = series.weight == Weight::faint;
        entry.marker = !entry.faint;
        entry.mark = series.mark;
        legend.push_back(std::move(entry));
    }
    bool const anything = std::any_of(chart.series.begin(), chart.series.end(),
                                      [&](Series const& s) { return !stretchesOf(s, s.y, axes.x, axes.y).empty(); });
    if (!anything) content += wordsOf({(frame.left + plotRight) / 2, (plotTop + plotBottom) / 2, "middle", "no values"}) + "\n";
    return svgOf({chart.title, drawingHeight, content}) + legendOf(legend);
}

} // namespace alder::page
