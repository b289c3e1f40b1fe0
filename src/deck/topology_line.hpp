#pragma once
// One line of a section: its words, its place, and its parameters.

#include "base/error.hpp"
#include "deck/preprocessor.hpp"
#include "system/interaction.hpp"

#include <string_view>
#include <vector>

namespace alder::deck {

struct TopologyLine {
    SourceText const& source;
    SourceText::Line const& line;
    std::vector<std::string_view> const& words;
    [[nodiscard]] base::Place place() const { return source.placeOf(line); }
};

/// How many parameters an entry must give: state A alone, or A and B.
struct ParameterCounts {
    int a = 0, b = 0;
};

enum class ParameterFind { given, none, faulty };

/// Reads the words from `first` on as parameters. None is fine where there are no words. A set for state B must repeat state A: free
/// energy is refused by name. Text after a whole set is warned about, as a comment that lost its ';'; anything else is a fault.
ParameterFind readParameters(TopologyLine const& line, std::size_t first, ParameterCounts counts, system::ParameterSet& parameters,
                             base::FaultList& faults);

} // namespace alder::deck
