#include "run_report/record_series.hpp"

#include "observe/block_means.hpp"
#include "system/interaction.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

namespace alder::run_report {

namespace {

using Column = output::EnergyRecords::Column;
using system::Term;

/// Terms in the order of system::Term: bonded ones, 1-4 pairs and nonbonded ones, restraints.
enum class Sort { bonded, nonbonded, restraint };

Sort sortOf(Term term)
{
    if (term < Term::lj14) return Sort::bonded;
    return term <= Term::coulombRecip ? Sort::nonbonded : Sort::restraint;
}

/// Takes columns out of those that are left.
class Sorter {
public:
    explicit Sorter(output::EnergyRecords const& records)
    {
        for (Column const& column : records.columns) left_.push_back(&column);
    }
    using Wanted = std::function<bool(std::string const&)>;
    std::vector<Column const*> take(Wanted const& wanted)
    {
        std::vector<Column const*> taken;
        std::copy_if(left_.begin(), left_.end(), std::back_inserter(taken), [&](Column const* column) { return wanted(column->name); });
        std::erase_if(left_, [&](Column const* column) { return wanted(column->name); });
        return taken;
    }
    /// A chart for each of the names that is there.
    void each(Section& section, std::vector<std::string_view> const& names)
    {
        for (std::string_view name : names)
            for (Column const* column : take([&](std::string const& n) { return n == name; }))
                section.groups.push_back({column->name, {column}});
    }
    /// One chart for all.
    void together(Section& section, std::string const& title, Wanted const& wanted)
    {
        std::vector<Column const*> columns = take(wanted);
        if (!columns.empty()) section.groups.push_back({title, std::move(columns)});
    }

private:
    std::vector<Column const*> left_;
};

std::vector<std::string_view> termsOf(Sort sort)
{
    std::vector<std::string_view> names;
    for (std::size_t t = 0; t < system::termCount; ++t)
        if (auto const term = static_cast<Term>(t); sortOf(term) == sort) names.push_back(system::nameOf(term));
    return names;
}

} // namespace

std::vector<Section> sectionsOf(output::EnergyRecords const& records)
{
    Sorter sorter(records);
    Section whole{"Energies", {}}, state{"Temperature and pressure", {}}, box{"Box and density", {}}, nonbonded{"Nonbonded terms", {}},
        bonded{"Bonded terms", {}}, others{"Restraints and other terms", {}};
    sorter.each(whole, {"Potential", "Kinetic En.", "Total Energy", "Conserved En.", "Enthalpy", "pV"});
    sorter.each(state, {"Temperature"});
    sorter.together(state, "Temperature of groups", [](std::string const& name) { return name.starts_with("T-"); });
    sorter.each(state, {"Pressure", "Pres. DC"});
    sorter.each(box, {"Density", "Volume"});
    sorter.together(box, "Edges of the box", [](std::string const& name) { return name == "Box-X" || name == "Box-Y" || name == "Box-Z"; });
    sorter.together(box, "Tilts of the box", [](std::string const& name) { return name.starts_with("Box-"); });
    sorter.each(nonbonded, termsOf(Sort::nonbonded));
    sorter.each(bonded, termsOf(Sort::bonded));
    sorter.each(others, termsOf(Sort::restraint));
    for (Column const* column : sorter.take([](std::string const&) { return true; })) others.groups.push_back({column->name, {column}});
    std::vector<Section> sections{std::move(whole),     std::move(state),  std::move(box),
                                  std::move(nonbonded), std::move(bonded), std::move(others)};
    std::erase_if(sections, [](Section const& section) { return section.groups.empty(); });
    return sections;
}

std::vector<double> runningMean(std::vector<double> const& values, std::size_t width)
{
    std::size_t const n = values.size();
    std::vector<double> means(n, std::numeric_limits<double>::quiet_NaN());
    if (width == 0 || n < width) return means;
    auto const firstFinite = std::find_if(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    double const about = firstFinite == values.end() ? 0 : *firstFinite; // sums of large energies would lose their fluctuation
    std::vector<double> sums(n + 1, 0);
    std::vector<std::size_t> holes(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        bool const whole = std::isfinite(values[i]);
        sums[i + 1] = sums[i] + (whole ? values[i] - about : 0);
        holes[i + 1] = holes[i] + (whole ? 0 : 1);
    }
    for (std::size_t first = 0; first + width <= n; ++first)
        if (holes[first + width] == holes[first])
            means[first + width / 2] = about + (sums[first + width] - sums[first]) / static_cast<double>(width);
    return means;
}

std::size_t smoothingWidth(std::size_t records) { return records < 50 ? 0 : std::max<std::size_t>(3, records / 25) | 1U; }

std::optional<AtomDrift> driftByAtom(output::EnergyRecords const& records)
{
    Column const* conserved = records.find("Conserved En.");
    if (conserved == nullptr || records.atoms <= 0) return {};
    std::optional<observe::Drift> const drift = observe::driftOf(records.times, conserved->values);
    if (!drift) return {};
    auto const atoms = static_cast<double>(records.atoms);
    // The line goes through the mean of the records at the mean of their times.
    double const meanTime = observe::meanOf(records.times);
    double const level = observe::meanOf(conserved->values) - conserved->values.front();
    return AtomDrift{drift->slope / atoms, drift->standardError / atoms,
                     (level - drift->slope * 1e-3 * (meanTime - records.times.front())) / atoms};
}

std::string shownUnit(std::string const& unit)
{
    if (unit == "kJ mol-1") return "kJ/mol";
    if (unit == "nm3") return "nm\u00b3";
    if (unit == "kg m-3") return "kg/m\u00b3";
    return unit == "1" ? std::string() : unit;
}

} // namespace alder::run_report
