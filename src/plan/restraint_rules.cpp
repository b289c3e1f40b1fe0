#include "plan/restraint_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alder::plan {

/// Distance restraints as they are at each moment; grompp takes one molecule of a type that has them, no more.
void refuseDistanceRestraints(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    if (o.distanceRestraints.kind == DistanceRestraining::no || !topology.uses(system::Kind::distanceRestraint)) return;
    if (o.distanceRestraints.kind == DistanceRestraining::ensemble)
        faults.refuse(o.placeOf("disre"), "averages over an ensemble are not supported", "write disre = Simple");
    if (o.distanceRestraints.tau != 0) faults.refuse(o.placeOf("disre-tau"), "averages over time are not supported", "write disre-tau = 0");
    for (system::MoleculeBlock const& block : topology.blocks)
        if (block.count > 1 && topology.types[static_cast<std::size_t>(block.type)].of(system::Kind::distanceRestraint).size() > 0)
            faults.refuse(topology.firstUse[static_cast<std::size_t>(system::Kind::distanceRestraint)],
                          "distance restraints of a molecule that is there more than once need an average over an ensemble",
                          "write bonds of type 10 instead");
}

/// Frozen atoms stand still; what else would move them is refused.
void refuseFreezing(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    if (o.freezeGroups.empty()) return;
    if (o.barostat != Barostat::no)
        faults.refuse(o.placeOf("freezegrps"), "frozen atoms in a box that changes are not supported", "write pcoupl = no");
    bool refused = false;
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        for (std::int32_t const atom : type.of(system::Kind::settle).atoms) {
            if (refused || topology.freezeGroups.of(first + atom) == 0) continue;
            faults.refuse(o.placeOf("freezegrps"), fmt::format("atom {} is frozen and belongs to a rigid water", first + atom + 1),
                          "freeze other atoms");
            refused = true;
        }
    });
}

void addRestraintsAndFields(RunOptions const& o, RunPlan& plan)
{
    plan.distanceRestraints = {o.distanceRestraints.kind == DistanceRestraining::simple, o.distanceRestraints.equalWeights,
                               o.distanceRestraints.forceConstant};
    plan.electricField.axes = o.electricField;
    plan.electricField.active = std::any_of(o.electricField.begin(), o.electricField.end(), [](auto const& f) { return f.amplitude != 0; });
    if (o.freezeGroups.empty()) return;
    plan.dynamics.frozenAxes.push_back({false, false, false}); // group 0 of the topology: free atoms
    for (FreezeGroup const& group : o.freezeGroups) plan.dynamics.frozenAxes.push_back(group.axes);
}

} // namespace alder::plan
