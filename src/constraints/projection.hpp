#pragma once
// Takes out of velocities or forces what would stretch constrained bonds.

#include "constraints/coupled_bonds.hpp"

namespace alder::constraints {

/// For one group: from work.before, takes out of work.velocity what changes the lengths of the bonds, v - M^-1 B^T (B M^-1 B^T)^-1 B v with
/// B the unit bond vectors, masses M those of the set. With equal weights and forces for velocities, what is left is the slope of the
/// energy along the motions that constraints allow. Solved to rounding by conjugate gradients: unlike LINCS's series they end for
/// whatever the bonds form, rings and cages too.
template <class Shape, class Work, class Team = Alone> ALDER_HD void projectOut(Shape const& shape, Work& work, Team const& team = {})
{
    findDirections(shape, work, team);
    team.forEach(shape.bonds.size(), [&](std::size_t i) {
        ConstraintBond const bond = shape.bonds[i];
        math::Vec3d const relative = work.velocity[static_cast<std::size_t>(bond.a)] - work.velocity[static_cast<std::size_t>(bond.b)];
        work.side[i] = bond.scale * dot(work.direction[i], relative);
    });
    solveExactly(shape, work, team);
    team.moveEnds(shape, work.velocity, [&](std::size_t i, double inverseMass) {
        return inverseMass * ((shape.bonds[i].scale * work.solution[i]) * work.direction[i]);
    });
}

/// Of the group that projectOut() has just treated, with velocities: the virial -1/2 sum r outer F (kJ/mol) of the forces that take out
/// within a time what was taken out. `inverseTime` in 1/ps.
template <class Shape, class Work> ALDER_HD math::Mat3d projectionVirial(Shape const& shape, Work const& work, double inverseTime)
{
    // a bond's impulse on its atom a is -pull, on b it is +pull
    math::Mat3d sum{};
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        double const pull = shape.bonds[i].scale * work.solution[i];
        sum = sum + (0.5 * inverseTime * pull) * math::outer(work.before[i], work.direction[i]);
    }
    return sum;
}

} // namespace alder::constraints
