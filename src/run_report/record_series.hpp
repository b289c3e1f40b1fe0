#pragma once
// What the page draws of the records: which columns together, smoothed how, drifting how fast.

#include "observe/drift.hpp"
#include "output/energies/energy_reader.hpp"

#include <optional>
#include <string>
#include <vector>

namespace alder::run_report {

/// Columns that one chart shows: several only where they are of one kind and size (temperatures of groups, edges of the box).
struct ColumnGroup {
    std::string title;
    std::vector<output::EnergyRecords::Column const*> columns;
};
struct Section {
    std::string title;
    std::vector<ColumnGroup> groups;
};

/// Every column of the file, in sections: whole energies, temperature and pressure, box, nonbonded, bonded, restraints and others.
/// Sections without a column are left out.
std::vector<Section> sectionsOf(output::EnergyRecords const& records);

/// Means over windows of `width` records about each; not a number where the window is not whole, or holds a value that is not finite.
std::vector<double> runningMean(std::vector<double> const& values, std::size_t width);

/// Width that smooths a series for the eye: a 25th of the records, odd; 0 under 50 records, where each can be seen.
std::size_t smoothingWidth(std::size_t records);

/// Drift of the conserved energy over all records, by atom, with the line's height.
struct AtomDrift {
    double slope = 0, standardError = 0; ///< kJ/mol/ns/atom
    double start = 0;                    ///< of the line at the first record, kJ/mol/atom, counted from the first record's value
};
/// Nothing without the column "Conserved En.", under 10 records, or where the number of atoms is not known.
std::optional<AtomDrift> driftByAtom(output::EnergyRecords const& records);

/// "kJ mol-1" as readers write it: "kJ/mol".
std::string shownUnit(std::string const& unit);

} // namespace alder::run_report
