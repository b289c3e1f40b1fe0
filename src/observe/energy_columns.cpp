#include "observe/energy_columns.hpp"

namespace alder::observe {

using system::Kind;
using system::Term;

std::vector<Term> termsUsed(system::Topology const& topology, plan::RunPlan const& plan)
{
    std::array<bool, system::termCount> used{};
    auto const use = [&](Term term) { used[static_cast<std::size_t>(term)] = true; };
    use(Term::ljSR);
    use(Term::coulombSR);
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        Term const term = system::infoOf(kind).term;
        if (term == Term::count || !topology.uses(kind)) continue;
        if (term == Term::distanceRestraint && !plan.distanceRestraints.active) continue;
        use(term);
        if (term == Term::lj14) use(Term::coulomb14);
    }
    if (plan.pme.active) use(Term::coulombRecip);
    if (!plan.dispersionGrids.empty()) use(Term::ljRecip);
    if (plan.dispersion.energy) use(Term::dispersionCorrection);
    std::vector<Term> terms;
    for (std::size_t t = 0; t < system::termCount; ++t)
        if (used[t]) terms.push_back(static_cast<Term>(t));
    return terms;
}

namespace {
std::vector<std::string> severalGroups(system::Topology const& topology)
{
    return topology.temperatureGroups.count() > 1 ? topology.temperatureGroups.names : std::vector<std::string>{};
}
} // namespace

EnergyColumns::EnergyColumns(system::Topology const& topology, plan::RunPlan const& plan)
    : EnergyColumns(termsUsed(topology, plan), severalGroups(topology))
{
    if (plan.dispersion.pressure) addScalar(&Energies::dispersionPressure, "Pres. DC", "bar");
    if (plan.dynamics.barostat.kind != plan::Barostat::no) addBox(plan.dynamics.barostat);
}

void EnergyColumns::addBox(plan::BarostatPlan const& barostat)
{
    addScalar(&Energies::boxX, "Box-X", "nm");
    addScalar(&Energies::boxY, "Box-Y", "nm");
    addScalar(&Energies::boxZ, "Box-Z", "nm");
    if (barostat.type == plan::PressureCoupling::anisotropic || barostat.skewed) {
        addScalar(&Energies::boxYX, "Box-YX", "nm");
        addScalar(&Energies::boxZX, "Box-ZX", "nm");
        addScalar(&Energies::boxZY, "Box-ZY", "nm");
    }
    addScalar(&Energies::volume, "Volume", "nm3");
    addScalar(&Energies::density, "Density", "kg m-3");
    addScalar(&Energies::pV, "pV", "kJ mol-1");
    addScalar(&Energies::enthalpy, "Enthalpy", "kJ mol-1");
}

EnergyColumns::EnergyColumns(std::vector<Term> terms, std::vector<std::string> const& groups)
    : terms_(std::move(terms)),
      groups_(groups.size())
{
    for (Term term : terms_) columns_.push_back({std::string(system::nameOf(term)), "kJ mol-1"});
    for (std::string const& group : groups) columns_.push_back({"T-" + group, "K"});
    addScalar(&Energies::potential, "Potential", "kJ mol-1");
    addScalar(&Energies::kinetic, "Kinetic En.", "kJ mol-1");
    addScalar(&Energies::total, "Total Energy", "kJ mol-1");
    addScalar(&Energies::conserved, "Conserved En.", "kJ mol-1");
    addScalar(&Energies::temperature, "Temperature", "K");
    addScalar(&Energies::pressure, "Pressure", "bar");
}

EnergyColumns EnergyColumns::ofConfigurations(system::Topology const& topology, plan::RunPlan const& plan)
{
    EnergyColumns columns;
    columns.terms_ = termsUsed(topology, plan);
    for (Term term : columns.terms_) columns.columns_.push_back({std::string(system::nameOf(term)), "kJ mol-1"});
    columns.addScalar(&Energies::potential, "Potential", "kJ mol-1");
    return columns;
}

void EnergyColumns::addScalar(Scalar member, char const* name, char const* unit)
{
    scalars_.push_back(member);
    columns_.push_back({name, unit});
}

std::vector<double> EnergyColumns::valuesOf(Energies const& energies) const
{
    std::vector<double> values;
    values.reserve(columns_.size());
    for (Term term : terms_) values.push_back(energies.terms[static_cast<std::size_t>(term)]);
    for (std::size_t g = 0; g < groups_; ++g) values.push_back(g < energies.groupTemperatures.size() ? energies.groupTemperatures[g] : 0);
    for (Scalar member : scalars_) values.push_back(energies.*member);
    return values;
}

} // namespace alder::observe
