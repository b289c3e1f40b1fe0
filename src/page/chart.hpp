#pragma once
// Charts for a page, drawn as SVG that scales with its card. Text in it is at least 10 pixels high where a card is 340 pixels wide.
//
// What is not finite is a gap. Series are told apart by color and by dash or marker, so colors need not be seen. A series or bar with a
// `mark` ("fixture: not measured") is hollow and dashed, and the mark stands in the legend: no reader can take it for a measurement.

#include "page/axis.hpp"

#include <string>
#include <variant>
#include <vector>

namespace alder::page {

enum class Drawn { line, points, both };
enum class Weight { normal, faint };

/// Values over x. Vectors are of one length, except that low and high may be empty.
struct Series {
    std::string name;
    std::vector<double> x, y;
    std::vector<double> low{}, high{}; ///< spread about y: a band along a line; bars where points are drawn
    Drawn drawn = Drawn::line;
    Weight weight = Weight::normal; ///< faint: what another series is a summary of
    std::string mark{};
    int look = -1; ///< which color, dash and marker, from 0; -1: by its place among the series. Two series that belong together share one
};

/// A dashed line across the chart at one value of y: a reference, a limit.
struct Level {
    double value = 0;
    std::string name;
};

/// Consecutive points of a line in one column of the drawing are reduced to the first, the least, the greatest and the last of them: it
/// looks as with all, and a series of any length, along an x that grows, has at most 1500 points.
struct LineChart {
    std::string title;
    Axis x, y;
    std::vector<Series> series;
    std::vector<Level> levels;
    std::string remark{}; ///< a line below the chart; may be empty
};

struct Bar {
    double value = std::numeric_limits<double>::quiet_NaN();                                                ///< not finite: no bar
    double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN(); ///< spread
    std::string mark{};
    std::string text{}; ///< beside the bar; empty: the value. Of what has no bar: the reason, such as "no price"
};

/// One bar a group, in their order.
struct BarSeries {
    std::string name;
    std::vector<Bar> bars;
};

/// Horizontal bars, by group. With one series no legend is shown.
struct BarChart {
    std::string title;
    Axis value;
    std::vector<std::string> groups;
    std::vector<BarSeries> series;
    std::string remark{};
};

using Chart = std::variant<LineChart, BarChart>;

/// The chart as a figure: title, SVG, legend, remark. Marks of axes carry their value in data-value, lines and bars the name of their series
/// in data-series. Throws std::invalid_argument where lengths of vectors do not fit together.
std::string figureOf(Chart const& chart);

} // namespace alder::page
