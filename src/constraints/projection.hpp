#pragma once
// Takes out of velocities or forces what would stretch constrained bonds.

#include "constraints/group_work.hpp"

namespace alder::constraints {

/// For one group: from work.before, takes out of work.velocity what changes the lengths of the bonds, v - M^-1 B^T (B M^-1 B^T)^-1 B v with
/// B the unit bond vectors, masses M those of the set. With equal weights and forces for velocities, what is left is the slope of the
/// energy along the motions that constraints allow. Solved to rounding by conjugate gradients: unlike LINCS's series they end for
/// whatever the bonds form, rings and cages too.
void projectOut(ConstraintShape const& shape, GroupWork& work);

/// Of the group that projectOut() has just treated, with velocities: the virial -1/2 sum r outer F (kJ/mol) of the forces that take out
/// within a time what was taken out. `inverseTime` in 1/ps.
math::Mat3d projectionVirial(ConstraintShape const& shape, GroupWork const& work, double inverseTime);

} // namespace alder::constraints
