#pragma once
// A page of HTML that holds all it needs: no script runs, nothing is fetched (a content security policy forbids both), it follows the
// reader's choice of light or dark, and never scrolls sideways: wide tables scroll within themselves.

#include "page/chart.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace alder::page {

enum class Align { left, right };

struct Column {
    std::string name;
    Align align = Align::left; ///< right for numbers
};

struct Cell {
    Cell() = default;
    Cell(std::string words) : text(std::move(words)) {} // NOLINT(google-explicit-constructor): a cell is its text, nearly always
    Cell(char const* words) : text(words) {}            // NOLINT(google-explicit-constructor)
    Cell(std::string words, double part) : text(std::move(words)), bar(part) {}
    std::string text;
    double bar = std::numeric_limits<double>::quiet_NaN(); ///< 0 to 1: a bar of that part of the cell's width under the text
};

struct Row {
    std::vector<Cell> cells;
    std::string mark{}; ///< "fixture: not measured": the row is pale and slanted, and its first cell tells this
};

struct Table {
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::string caption{}; ///< may be empty
};

enum class Tone { plain, warning };

/// Filled from top to bottom. All text is a user's and is escaped.
class Page {
public:
    explicit Page(std::string title);

    void heading(std::string_view text);
    void subheading(std::string_view text);
    void paragraph(std::string_view text);
    /// A paragraph in a box.
    void note(std::string_view text, Tone tone = Tone::plain);
    /// Throws std::invalid_argument where a row has another number of cells than there are columns.
    void table(Table const& table);
    /// Side by side as the width allows, each 340 to 640 pixels wide.
    void charts(std::vector<Chart> const& charts);
    /// Lines as they are, folded away under a title until they are asked for.
    void folded(std::string_view title, std::string_view text);
    /// JSON for programs, as the text of the element <script type="application/json" id="data">.
    void data(std::string_view json);

    /// The whole page.
    [[nodiscard]] std::string html() const;

private:
    std::string title_, body_, data_;
};

} // namespace alder::page
