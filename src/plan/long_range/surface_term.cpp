#include "plan/long_range/surface_term.hpp"

#include "physics/surface_dipole.hpp"
#include "system/molecule_parts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alder::plan {

namespace {

/// The largest charge, by magnitude, of the parts of a molecule that hang together.
double largestPartCharge(system::MoleculeType const& type)
{
    double largest = 0, part = 0;
    auto const close = [&] { largest = std::fabs(part) > std::fabs(largest) ? part : largest; };
    for (system::MoleculeParts::Link const& link : system::partsOf(type).links) {
        if (link.from < 0) {
            close();
            part = 0;
        }
        part += type.atoms[static_cast<std::size_t>(link.atom)].charge;
    }
    close();
    return largest;
}

void refuseCharged(RunOptions const& options, system::Topology const& topology)
{
    base::FaultList faults;
    for (system::MoleculeBlock const& block : topology.blocks) {
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        double const charge = largestPartCharge(type);
        if (block.count > 0 && std::fabs(charge) > 1e-4)
            faults.refuse(
                options.placeOf("epsilon-surface"),
                fmt::format("molecule {} has a charge of {:.4f} e, so the dipole of the box depends on where it is cut", type.name, charge),
                "write epsilon-surface = 0");
    }
    faults.throwIfAny();
}

} // namespace

SurfacePlan makeSurfacePlan(RunOptions const& options, system::Topology const& topology)
{
    SurfacePlan plan;
    if (options.coulombType != CoulombType::pme || options.epsilonR == 0) return plan;
    if (options.ewald3dc) {
        plan.surroundings = Surroundings::slab;
        plan.factor = physics::slabFactor(physics::coulombConstant, options.epsilonR);
        for (system::MoleculeBlock const& block : topology.blocks)
            for (system::Atom const& atom : topology.types[static_cast<std::size_t>(block.type)].atoms)
                plan.netCharge += static_cast<double>(block.count) * atom.charge;
        if (std::fabs(plan.netCharge) < 1e-4) plan.netCharge = 0; // what GROMACS takes for rounding
    } else if (options.epsilonSurface != 0) {
        refuseCharged(options, topology);
        plan.surroundings = Surroundings::dielectric;
        plan.factor = physics::dielectricFactor(physics::coulombConstant, options.epsilonSurface, options.epsilonR);
    }
    return plan;
}

} // namespace alder::plan
