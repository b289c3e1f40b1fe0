#include "page/chart.hpp"

#include "page/page.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace alder::page {
namespace {

using testing::HasSubstr;
using testing::Not;

double const nan = std::nan("");

std::size_t countOf(std::string const& text, std::string const& word)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
}

std::string match(std::string const& text, std::string const& pattern)
{
    std::smatch found;
    return std::regex_search(text, found, std::regex(pattern)) ? found[1].str() : "";
}

struct Point {
    double x = 0, y = 0;
};

/// Points of the first line of a figure.
std::vector<Point> pointsOfLine(std::string const& figure)
{
    std::size_t const first = figure.find("<path class=\"line");
    std::size_t const begin = figure.find("d=\"", first) + 3;
    std::string d = figure.substr(begin, figure.find('"', begin) - begin);
    for (char& c : d)
        if (c == 'M' || c == 'L') c = ' ';
    std::istringstream in(d);
    std::vector<Point> points;
    for (Point p; in >> p.x >> p.y;) points.push_back(p);
    return points;
}

/// Where the mark of a value stands: M x for x, M .. y for y.
double placeOfMark(std::string const& figure, char axis, std::string const& value)
{
    std::string const path =
        match(figure, std::string("tick ") + axis + "\" data-value=\"" + value + "\"><path class=\"grid\" d=\"M([0-9. ]+)");
    std::istringstream in(path);
    Point p;
    in >> p.x >> p.y;
    return axis == 'x' ? p.x : p.y;
}

LineChart chartOf(std::vector<double> x, std::vector<double> y)
{
    LineChart chart;
    chart.title = "a title";
    chart.x = {"time", "ps"};
    chart.y = {"energy", "kJ/mol"};
    chart.series.push_back({"Potential", std::move(x), std::move(y)});
    return chart;
}

TEST(LineChart, PutsPointsWhereTheMarksSay)
{
    std::string const figure = figureOf(chartOf({0, 2, 10}, {5, -5, 0}));
    auto const points = pointsOfLine(figure);
    ASSERT_EQ(points.size(), 3U);
    EXPECT_NEAR(points[0].x, placeOfMark(figure, 'x', "0"), 0.02);
    EXPECT_NEAR(points[2].x, placeOfMark(figure, 'x', "10"), 0.02);
    EXPECT_NEAR(points[1].x, points[0].x + 0.2 * (points[2].x - points[0].x), 0.02);
    EXPECT_NEAR(points[0].y, placeOfMark(figure, 'y', "5"), 0.02);
    EXPECT_NEAR(points[1].y, placeOfMark(figure, 'y', "-5"), 0.02);
    EXPECT_NEAR(points[2].y, placeOfMark(figure, 'y', "0"), 0.02);
    EXPECT_LT(points[0].y, points[2].y); // greater values are higher
    EXPECT_THAT(figure, HasSubstr("time (ps)"));
    EXPECT_THAT(figure, HasSubstr("energy (kJ/mol)"));
}

TEST(LineChart, LeavesGapsWhereNothingIsKnown)
{
    std::string const figure = figureOf(chartOf({0, 1, 2, 3, 4, 5}, {1, 2, nan, 3, std::numeric_limits<double>::infinity(), 4}));
    std::string const d = match(figure, "<path class=\"line s0\" d=\"([^\"]*)\"");
    EXPECT_EQ(countOf(d, "M"), 3U);
    EXPECT_EQ(countOf(d, "L"), 1U);
    EXPECT_EQ(countOf(d, "h0"), 2U); // points alone are dots
    EXPECT_THAT(figure, Not(HasSubstr("nan")));
    EXPECT_THAT(figure, Not(HasSubstr("inf")));
    EXPECT_EQ(countOf(figure, "class=\"marker"), 4U + 1); // and the legend's
}

TEST(LineChart, WithoutValuesSaysSo)
{
    EXPECT_THAT(figureOf(chartOf({}, {})), HasSubstr("no values"));
    EXPECT_THAT(figureOf(chartOf({1}, {nan})), HasSubstr("no values"));
    EXPECT_THAT(figureOf(chartOf({1}, {2})), Not(HasSubstr("no values")));
}

TEST(LineChart, ThinsLongSeriesAndHidesNoExtreme)
{
    std::vector<double> x, y;
    for (int i = 0; i < 200000; ++i) {
        x.push_back(i);
        y.push_back(std::sin(0.7 * i));
    }
    y[77777] = 40;
    y[123456] = -40;
    std::string const figure = figureOf(chartOf(x, y));
    auto const points = pointsOfLine(figure);
    EXPECT_LE(points.size(), 1500U);
    EXPECT_GT(points.size(), 1000U);
    double const up = placeOfMark(figure, 'y', "40"), down = placeOfMark(figure, 'y', "-40");
    auto const [least, most] = std::minmax_element(points.begin(), points.end(), [](Point a, Point b) { return a.y < b.y; });
    EXPECT_NEAR(least->y, up, 0.02);
    EXPECT_NEAR(most->y, down, 0.02);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x; }));
    EXPECT_NEAR(points.front().x, placeOfMark(figure, 'x', "0"), 0.02);
}

TEST(LineChart, ShowsMarkedSeriesHollow)
{
    LineChart chart = chartOf({0, 1}, {1, 2});
    EXPECT_THAT(figureOf(chart), Not(HasSubstr("marked")));
    chart.series[0].mark = "fixture: not measured";
    std::string const figure = figureOf(chart);
    EXPECT_THAT(figure, HasSubstr("class=\"line s0 marked\""));
    EXPECT_THAT(figure, HasSubstr("<em>(fixture: not measured)</em>"));
    EXPECT_EQ(countOf(figure, "marker s0 marked"), 3U);
}

TEST(LineChart, DrawsSpreadAsBandOrBars)
{
    LineChart chart = chartOf({0, 1, 2}, {1, 2, 3});
    chart.series[0].low = {0, 1, nan};
    chart.series[0].high = {2, 30, 4};
    std::string figure = figureOf(chart);
    EXPECT_EQ(countOf(match(figure, "<polygon class=\"band s0\" points=\"([^\"]*)\""), ","), 4U);
    EXPECT_GT(placeOfMark(figure, 'y', "30"), 0); // the axis holds the spread
    chart.series[0].drawn = Drawn::both;
    figure = figureOf(chart);
    EXPECT_THAT(figure, Not(HasSubstr("band")));
    EXPECT_EQ(countOf(match(figure, "<path class=\"spread s0\" d=\"([^\"]*)\""), "V"), 2U);
    chart.series[0].drawn = Drawn::points;
    EXPECT_THAT(figureOf(chart), Not(HasSubstr("class=\"line")));
}

TEST(LineChart, OnLogarithmsPassesOverWhatIsNotPositive)
{
    LineChart chart = chartOf({0, 10, 100, 1000}, {1, 10, 100, -1});
    chart.x.scale = chart.y.scale = Scale::log;
    auto const points = pointsOfLine(figureOf(chart));
    ASSERT_EQ(points.size(), 2U);
}

TEST(LineChart, RefusesVectorsThatDoNotFit)
{
    EXPECT_THROW(figureOf(chartOf({1, 2}, {1})), std::invalid_argument);
    LineChart chart = chartOf({1}, {1});
    chart.series[0].low = {1};
    EXPECT_THROW(figureOf(chart), std::invalid_argument);
}

TEST(Charts, EscapeWhatUsersWrote)
{
    LineChart lines = chartOf({0, 1}, {1, 2});
    lines.title = lines.remark = lines.x.label = lines.series[0].name = lines.series[0].mark = "<b>&\"";
    lines.levels.push_back({1.5, "<b>"});
    EXPECT_THAT(figureOf(lines), Not(HasSubstr("<b>")));
    BarChart bars{"<b>", {"<b>", "<b>"}, {"<b>"}, {{"<b>", {{1, 1, 2, "<b>", "<b>"}}}}, "<b>"};
    EXPECT_THAT(figureOf(bars), Not(HasSubstr("<b>")));
}

TEST(BarChart, HasLengthsInProportion)
{
    BarChart const chart{"speed", {"speed", "ns/day"}, {"water", "peptide"}, {{"CPU", {{10}, {40}}}, {"GPU", {{20}, {nan}}}}, ""};
    std::string const figure = figureOf(chart);
    auto const widthOf = [&](std::string const& series, std::string const& group) {
        return match(figure, "data-series=\"" + series + "\" data-group=\"" + group +
                                 "\"><rect class=\"bar s[0-9]\" x=\"6\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
    };
    double const ten = std::stod(widthOf("CPU", "water"));
    EXPECT_NEAR(std::stod(widthOf("CPU", "peptide")), 4 * ten, 0.05);
    EXPECT_NEAR(std::stod(widthOf("GPU", "water")), 2 * ten, 0.05);
    EXPECT_NEAR(placeOfMark(figure, 'x', "20"), 6 + 2 * ten, 0.05);
    EXPECT_EQ(widthOf("GPU", "peptide"), "");
    EXPECT_THAT(figure, HasSubstr(">none</text>"));
}

TEST(BarChart, ShowsMarkedBarsHollow)
{
    BarChart chart{"speed", {"speed", "ns/day"}, {"water"}, {{"CPU", {{10}}}}, ""};
    EXPECT_THAT(figureOf(chart), Not(HasSubstr("legend")));
    chart.series[0].bars[0].mark = "fixture: not measured";
    std::string const figure = figureOf(chart);
    EXPECT_THAT(figure, HasSubstr("class=\"bar s0 marked\""));
    EXPECT_THAT(figure, HasSubstr("hollow bars <em>(fixture: not measured)</em>"));
}

TEST(BarChart, RefusesBarsThatAreNotOneAGroup)
{
    BarChart const chart{"", {}, {"a", "b"}, {{"s", {{1}}}}, ""};
    EXPECT_THROW(figureOf(chart), std::invalid_argument);
}

TEST(Page, HoldsAllItNeedsAndNothingElse)
{
    Page page("a run of <water>");
    page.heading("<h>");
    page.paragraph("<p>");
    page.note("<n>", Tone::warning);
    page.folded("<f>", "<g>");
    page.table({{{"<c>", Align::right}}, {{{"<r>"}, "<m>"}, {{{"12", 0.5}}, ""}}, "<t>"});
    page.charts({chartOf({0, 1}, {1, 2})});
    page.data(R"({"title": "</script>"})");
    std::string const html = page.html();
    EXPECT_THAT(html, HasSubstr("<title>a run of &lt;water&gt;</title>"));
    for (char const* name : {"h", "p", "n", "f", "g", "c", "r", "m", "t"})
        EXPECT_THAT(html, HasSubstr(std::string("&lt;") + name + "&gt;"));
    EXPECT_THAT(html, HasSubstr(R"(id="data">{"title": "\u003c/script>"}</script>)"));
    EXPECT_THAT(html, HasSubstr("width:50.0%"));
    for (char const* outside : {"http://", "https://", "src=", "url(", "@import"}) EXPECT_THAT(html, Not(HasSubstr(outside)));
    EXPECT_EQ(countOf(html, "<script"), 1U);
    EXPECT_THROW(page.table({{{"a"}, {"b"}}, {{{"1"}, ""}}, ""}), std::invalid_argument);
}

} // namespace
} // namespace alder::page
