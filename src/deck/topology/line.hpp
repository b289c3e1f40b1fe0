#pragma once
// One line of a section: its words, its place, and its parameters.

#include "base/error.hpp"
#include "deck/topology/preprocessor.hpp"
#include "system/interaction.hpp"

#include <string_view>
#include <vector>

namespace alder::deck {

/// What is said once in a topology, however often it occurs.
struct SaidOnce {
    bool stateB = false, restraints = false;
};

struct TopologyLine {
    SourceText const& source;
    SourceText::Line const& line;
    std::vector<std::string_view> const& words;
    SaidOnce& said;
    [[nodiscard]] base::Place place() const { return source.placeOf(line); }
};

/// How many parameters an entry must give: state A alone, or A and B.
struct ParameterCounts {
    int a = 0, b = 0;
    int wholeAt = -1; ///< a parameter that must be the same in both states: multiplicity, table number
};

enum class ParameterFind { given, none, faulty };

/// Warns, the first time, that the line says something else of state B, which only free-energy runs look at.
void warnOfStateB(TopologyLine const& line, base::FaultList& faults);

/// Reads the words from `first` on as parameters. None is fine where there are no words. A set for state B is read and left out. Text
/// after a whole set is warned about, as a comment that lost its ';'; anything else is a fault.
ParameterFind readParameters(TopologyLine const& line, std::size_t first, ParameterCounts counts, system::ParameterSet& parameters,
                             base::FaultList& faults);

} // namespace alder::deck
