#include "constraints/group_work.hpp"

#include <algorithm>

namespace alder::constraints {

GroupWork::GroupWork(ConstraintSet const& set)
{
    std::size_t atoms = 0, bonds = 0, couplings = 0;
    for (ConstraintShape const& shape : set.shapes()) {
        atoms = std::max(atoms, shape.atoms.size());
        bonds = std::max(bonds, shape.bonds.size());
        couplings = std::max(couplings, shape.couplings.size());
    }
    freeDisplacement.resize(atoms);
    displacement.resize(atoms);
    velocity.resize(atoms);
    before.resize(bonds);
    direction.resize(bonds);
    for (std::vector<double>* const numbers : {&multiplier, &length, &side, &nextSide, &solution, &search}) numbers->resize(bonds);
    coupling.resize(couplings);
}

void gatherBonds(ConstraintShape const& shape, ConstraintGroup group, Placed placed, GroupWork& work)
{
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        std::size_t const a = atomOf(shape, group, static_cast<std::size_t>(shape.bonds[i].a));
        std::size_t const b = atomOf(shape, group, static_cast<std::size_t>(shape.bonds[i].b));
        work.before[i] = placed.box.difference(placed.positions[a], placed.positions[b]);
    }
}

} // namespace alder::constraints
