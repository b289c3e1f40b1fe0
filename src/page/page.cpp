#include "page/page.hpp"

#include "page/style.hpp"
#include "page/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace alder::page {

namespace {

char const* classOf(Align align) { return align == Align::right ? " class=\"right\"" : ""; }

std::string cellOf(Cell const& cell, Align align, std::string const& mark)
{
    std::string out = fmt::format("<td{}>{}", classOf(align), escaped(cell.text));
    if (!mark.empty()) out += " <span class=\"mark\">" + escaped(mark) + "</span>";
    if (std::isfinite(cell.bar))
        out += fmt::format("<span class=\"part\" style=\"width:{:.1f}%\"></span>", 100 * std::clamp(cell.bar, 0.0, 1.0));
    return out + "</td>";
}

std::string element(char const* name, std::string_view text) { return fmt::format("<{0}>{1}</{0}>\n", name, escaped(text)); }

} // namespace

Page::Page(std::string title) : title_(std::move(title)) {}

void Page::heading(std::string_view text) { body_ += element("h2", text); }
void Page::subheading(std::string_view text) { body_ += element("h3", text); }
void Page::paragraph(std::string_view text) { body_ += element("p", text); }

void Page::note(std::string_view text, Tone tone)
{
    body_ += fmt::format("<p class=\"note{}\">{}</p>\n", tone == Tone::warning ? " warning" : "", escaped(text));
}

void Page::table(Table const& table)
{
    // Tables that scroll must be reachable by keyboard, too.
    body_ += "<div class=\"scroll\" tabindex=\"0\"><table>\n";
    if (!table.caption.empty()) body_ += element("caption", table.caption);
    body_ += "<thead><tr>";
    for (Column const& column : table.columns) body_ += fmt::format("<th{}>{}</th>", classOf(column.align), escaped(column.name));
    body_ += "</tr></thead>\n<tbody>\n";
    for (Row const& row : table.rows) {
        if (row.cells.size() != table.columns.size()) throw std::invalid_argument("a row of a table has not one cell a column");
        body_ += row.mark.empty() ? "<tr>" : "<tr class=\"marked\">";
        for (std::size_t c = 0; c < row.cells.size(); ++c) body_ += cellOf(row.cells[c], table.columns[c].align, c == 0 ? row.mark : "");
        body_ += "</tr>\n";
    }
    body_ += "</tbody></table></div>\n";
}

void Page::charts(std::vector<Chart> const& charts)
{
    body_ += "<div class=\"charts\">\n";
    for (Chart const& chart : charts) body_ += figureOf(chart);
    body_ += "</div>\n";
}

void Page::folded(std::string_view title, std::string_view text)
{
    body_ += fmt::format("<details><summary>{}</summary>\n<pre>{}</pre></details>\n", escaped(title), escaped(text));
}

void Page::data(std::string_view json) { data_ = escapedJson(json); }

std::string Page::html() const
{
    std::string const title = escaped(title_);
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n";
    out += "<title>" + title + "</title>\n<style>" + styleSheet + "</style>\n</head>\n<body>\n<main>\n";
    out += "<h1>" + title + "</h1>\n" + body_ + "</main>\n";
    if (!data_.empty()) out += "<script type=\"application/json\" id=\"data\">" + data_ + "</script>\n";
    return out + "</body>\n</html>\n";
}

} // namespace alder::page
