#pragma once
// The linear equations that couple the bonds of a group: (1 - A) solution = side, with A of physics/distance_constraint.hpp in
// work.coupling. Both use up work.side.

#include "constraints/group_work.hpp"

namespace alder::constraints {

/// solution = (1 + A + A^2 + ...) side, `order` powers of A; `order` more among the sides of triangles.
void expandSeries(ConstraintShape const& shape, GroupWork& work, int order);

/// To rounding, by conjugate gradients. The matrix has a diagonal of 1 and no negative eigenvalue, whatever the bonds form: where they are
/// more than they need be some are 0, and the side, which comes of motions of atoms, has no part there.
void solveExactly(ConstraintShape const& shape, GroupWork& work);

} // namespace alder::constraints
