#pragma once
// Which energies a run reports, under which names, in which order: one list for the trajectory file, the log, the averages and md.json.

#include "observe/frame.hpp"
#include "plan/run_plan.hpp"

#include <string>
#include <vector>

namespace alder::observe {

/// The terms that this deck can make non-zero, in the order of system::Term. LJ (SR) and Coulomb (SR) are always among them.
std::vector<system::Term> termsUsed(system::Topology const& topology, plan::RunPlan const& plan);

struct EnergyColumn {
    std::string name; ///< as `gmx energy` prints it
    std::string unit; ///< "kJ mol-1", "K", "bar", "1"
};

class EnergyColumns {
public:
    EnergyColumns() = default;
    /// All that the deck uses: terms, Potential, kinetic and total energy, temperature, pressure, and temperatures by group where there
    /// are several.
    EnergyColumns(system::Topology const& topology, plan::RunPlan const& plan);
    /// What a configuration without velocities has: terms and Potential.
    static EnergyColumns ofConfigurations(system::Topology const& topology, plan::RunPlan const& plan);
    /// The same for terms and group names given one by one.
    EnergyColumns(std::vector<system::Term> terms, std::vector<std::string> const& groups);

    [[nodiscard]] std::vector<EnergyColumn> const& columns() const { return columns_; }
    [[nodiscard]] std::vector<system::Term> const& terms() const { return terms_; }
    [[nodiscard]] std::size_t size() const { return columns_.size(); }
    /// One value a column.
    [[nodiscard]] std::vector<double> valuesOf(Energies const& energies) const;

private:
    using Scalar = double Energies::*;
    void addBox(plan::BarostatPlan const& barostat);
    void addScalar(Scalar member, char const* name, char const* unit);

    std::vector<system::Term> terms_;
    std::vector<Scalar> scalars_;
    std::size_t groups_ = 0;
    std::vector<EnergyColumn> columns_;
};

} // namespace alder::observe
