#pragma once
// What both sorts of chart are drawn of. Lengths are in units of the drawing, which is 440 wide and fills its card.

#include "page/chart.hpp"

#include <string>

namespace alder::page {

/// At a card's least width, 340 of the drawing's 440 units, text of 13.5 units is 10.4 pixels high.
inline constexpr double drawingWidth = 440;
inline constexpr double textHeight = 13.5;
/// Width of a character, on average over the fonts that browsers take for sans-serif.
inline constexpr double characterWidth = 7.4;

/// A place or length: two decimals.
std::string place(double value);

/// Color, dash and marker of a series: one of seven, then again from the first.
int lookOf(int series);

/// The marker of a look about (x, y), hollow where what it stands for has a mark; `tip` is shown under the pointer (may be empty).
struct Marker {
    double x = 0, y = 0;
    int look = 0;
    bool hollow = false;
    std::string tip;
};
std::string markerOf(Marker const& marker);

/// Text of the drawing; `anchor` start, middle or end.
struct Words {
    double x = 0, y = 0;
    std::string anchor = "start";
    std::string text;
};
std::string wordsOf(Words const& words);

/// The frame of a plot.
struct Frame {
    double left = 0, right = 0, top = 0, bottom = 0;
};
/// Marks below the frame with their lines through it, and the axis' label under them.
std::string xMarks(PlacedAxis const& axis, Frame const& frame);
/// Marks left of the frame with their lines, and the label above it.
std::string yMarks(PlacedAxis const& axis, Frame const& frame);

struct Drawing {
    std::string title;
    double height = 0;
    std::string content;
};
std::string svgOf(Drawing const& drawing);

/// One entry of a legend.
struct LegendEntry {
    std::string name;
    int look = 0;
    bool line = false, marker = true, bar = false, faint = false;
    std::string mark;
};
std::string legendOf(std::vector<LegendEntry> const& entries);

/// The SVG of each chart and its legend.
std::string drawingOf(LineChart const& chart);
std::string drawingOf(BarChart const& chart);

} // namespace alder::page
