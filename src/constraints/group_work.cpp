#include "constraints/group_work.hpp"

#include "physics/distance_constraint.hpp"

#include <algorithm>
#include <cmath>

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

void findDirections(ConstraintShape const& shape, GroupWork& work)
{
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        work.length[i] = norm(work.before[i]);
        work.direction[i] = (1.0 / work.length[i]) * work.before[i];
    }
    for (std::size_t i = 0; i < shape.bonds.size(); ++i)
        for (auto c = static_cast<std::size_t>(shape.couplingStart[i]); c < static_cast<std::size_t>(shape.couplingStart[i + 1]); ++c) {
            BondCoupling const& coupling = shape.couplings[c];
            work.coupling[c] = coupling.factor * dot(work.direction[i], work.direction[static_cast<std::size_t>(coupling.other)]);
        }
}

math::Mat3d groupVirial(ConstraintShape const& shape, GroupWork const& work, double inverseDt)
{
    math::Mat3d sum{};
    for (std::size_t i = 0; i < shape.bonds.size(); ++i)
        sum = sum + physics::constraintVirial(work.multiplier[i], work.before[i], inverseDt);
    return sum;
}

ConstraintFit measureFit(ConstraintShape const& shape, GroupWork const& work)
{
    ConstraintFit fit;
    double largest = -1, squares = 0;
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const& bond = shape.bonds[i];
        double const length = norm(work.after(bond, i));
        double const deviation = length / bond.length - 1.0;
        squares += deviation * deviation;
        double const size = std::isfinite(deviation) ? std::fabs(deviation) : HUGE_VAL;
        if (size <= largest) continue;
        largest = size;
        fit.worst = static_cast<std::int32_t>(i);
        fit.present = length;
    }
    fit.rootMeanSquare = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, shape.bonds.size())));
    return fit;
}

} // namespace alder::constraints
