#include "constraints/free_atoms.hpp"

namespace alder::constraints {

std::vector<std::int32_t> freeAtoms(system::Topology const& topology, SettleSet const& waters, ConstraintSet const& groups)
{
    std::vector<bool> held(static_cast<std::size_t>(topology.atomCount), false);
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) { held[static_cast<std::size_t>(i)] = !(atom.mass > 0); });
    for (SettleGroup const& group : waters.groups())
        for (WaterAtoms const& water : group.waters)
            for (std::int32_t const atom : {water.oxygen, water.hydrogen1, water.hydrogen2}) held[static_cast<std::size_t>(atom)] = true;
    for (ConstraintGroup const group : groups.groups())
        for (std::int32_t const atom : groups.shapeOf(group).atoms) held[static_cast<std::size_t>(group.firstAtom + atom)] = true;
    std::vector<std::int32_t> free;
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i]) free.push_back(static_cast<std::int32_t>(i));
    return free;
}

} // namespace alder::constraints
