#include "page/figure/parts.hpp"

#include "page/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alder::page {

namespace {

constexpr int looks = 7;
constexpr double radius = 4;

std::string polygon(double x, double y, std::initializer_list<std::pair<double, double>> corners)
{
    std::string points;
    for (auto const& [dx, dy] : corners) points += place(x + dx) + "," + place(y + dy) + " ";
    points.pop_back();
    return "<polygon points=\"" + points + "\"";
}

std::string shapeOf(Marker const& m)
{
    double const r = radius;
    switch (m.look) {
    case 0: return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", place(m.x), place(m.y), r);
    case 1: return polygon(m.x, m.y, {{-r, -r}, {r, -r}, {r, r}, {-r, r}});
    case 2: return polygon(m.x, m.y, {{0, -1.2 * r}, {1.2 * r, r}, {-1.2 * r, r}});
    case 3: return polygon(m.x, m.y, {{0, -1.4 * r}, {1.4 * r, 0}, {0, 1.4 * r}, {-1.4 * r, 0}});
    case 4: return polygon(m.x, m.y, {{0, 1.2 * r}, {1.2 * r, -r}, {-1.2 * r, -r}});
    case 5:
        return polygon(m.x, m.y,
                       {{-1.5, -5},
                        {1.5, -5},
                        {1.5, -1.5},
                        {5, -1.5},
                        {5, 1.5},
                        {1.5, 1.5},
                        {1.5, 5},
                        {-1.5, 5},
                        {-1.5, 1.5},
                        {-5, 1.5},
                        {-5, -1.5},
                        {-1.5, -1.5}});
    default: return polygon(m.x, m.y, {{-1.5 * r, -0.6 * r}, {1.5 * r, -0.6 * r}, {1.5 * r, 0.6 * r}, {-1.5 * r, 0.6 * r}});
    }
}

std::string swatchOf(LegendEntry const& entry)
{
    std::string const style = fmt::format("s{}{}{}", entry.look, entry.mark.empty() ? "" : " marked", entry.faint ? " faint" : "");
    std::string content;
    if (entry.bar) content += fmt::format("<rect class=\"bar {}\" x=\"3\" y=\"2\" width=\"28\" height=\"12\"/>", style);
    if (entry.line) content += fmt::format("<path class=\"line {}\" d=\"M1 8H33\"/>", style);
    if (entry.marker) content += markerOf({17, 8, entry.look, !entry.mark.empty(), {}});
    return "<svg class=\"swatch\" viewBox=\"0 0 34 16\" aria-hidden=\"true\">" + content + "</svg>";
}

} // namespace

std::string place(double value)
{
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

int lookOf(int series) { return series % looks; }

std::string markerOf(Marker const& marker)
{
    std::string const tip = marker.tip.empty() ? "" : "<title>" + escaped(marker.tip) + "</title>";
    return fmt::format("{} class=\"marker s{}{}\">{}</{}>", shapeOf(marker), marker.look, marker.hollow ? " marked" : "", tip,
                       marker.look == 0 ? "circle" : "polygon");
}

std::string wordsOf(Words const& words)
{
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", place(words.x), place(words.y), words.anchor,
                       escaped(words.text));
}

std::string xMarks(PlacedAxis const& axis, Frame const& frame)
{
    std::string out;
    for (Tick const& tick : axis.ticks()) {
        double const x = axis.placeOf(tick.value);
        // A wide mark near the edge would leave the drawing.
        double const half = characterWidth * static_cast<double>(tick.text.size()) / 2;
        std::string const anchor = x + half > drawingWidth ? "end" : "middle";
        out += fmt::format("<g class=\"tick x\" data-value=\"{0}\"><path class=\"grid\" d=\"M{1} {2}V{3}\"/>{4}</g>\n", tick.value,
                           place(x), place(frame.top), place(frame.bottom),
                           wordsOf({anchor == "end" ? drawingWidth : x, frame.bottom + textHeight + 4, anchor, tick.text}));
    }
    out += wordsOf({(frame.left + frame.right) / 2, frame.bottom + 2 * textHeight + 8, "middle", axis.label()}) + "\n";
    return out;
}

std::string yMarks(PlacedAxis const& axis, Frame const& frame)
{
    std::string out;
    for (Tick const& tick : axis.ticks()) {
        double const y = axis.placeOf(tick.value);
        out += fmt::format("<g class=\"tick y\" data-value=\"{0}\"><path class=\"grid\" d=\"M{1} {2}H{3}\"/>{4}</g>\n", tick.value,
                           place(frame.left), place(y), place(frame.right), wordsOf({frame.left - 6, y + 4.5, "end", tick.text}));
    }
    out += wordsOf({2, textHeight, "start", axis.label()}) + "\n";
    return out;
}

std::string svgOf(Drawing const& drawing)
{
    return fmt::format("<svg class=\"drawing\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", place(drawingWidth),
                       place(drawing.height), escaped(drawing.title), drawing.content);
}

std::string legendOf(std::vector<LegendEntry> const& entries)
{
    if (entries.empty()) return {};
    std::string out = "<ul class=\"legend\">\n";
    for (LegendEntry const& entry : entries) {
        std::string const mark = entry.mark.empty() ? "" : " <em>(" + escaped(entry.mark) + ")</em>";
        out += "<li>" + swatchOf(entry) + " " + escaped(entry.name) + mark + "</li>\n";
    }
    return out + "</ul>\n";
}

std::string figureOf(Chart const& chart)
{
    auto const drawn = [](auto const& c) {
        std::string const remark = c.remark.empty() ? "" : "<p class=\"remark\">" + escaped(c.remark) + "</p>\n";
        return "<figure>\n<figcaption>" + escaped(c.title) + "</figcaption>\n" + drawingOf(c) + remark + "</figure>\n";
    };
    return std::visit(drawn, chart);
}

} // namespace alder::page
