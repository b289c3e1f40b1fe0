#pragma once
// Room to solve one group of constraints in, reused from group to group: as large as the largest shape, one for each thread.

#include "constraints/constraint_set.hpp"
#include "math/vec3.hpp"
#include "physics/box.hpp"

#include <cstdint>
#include <vector>

namespace alder::constraints {

struct GroupWork {
    explicit GroupWork(ConstraintSet const& set);

    // by atom of the shape
    std::vector<math::Vec3d> freeDisplacement;
    std::vector<math::Vec3d> displacement; ///< in: of the free step, nm; out: of the constrained one
    std::vector<math::Vec3d> velocity;     ///< the caller's, nm/ps
    // by bond of the shape
    std::vector<math::Vec3d> before; ///< in: x_a - x_b at the time the constraint forces act, nm
    std::vector<double> multiplier;  ///< out: g, amu (physics/distance_constraint.hpp)
    std::vector<math::Vec3d> direction;
    std::vector<double> length, side, nextSide, solution, search;
    // by coupling of the shape
    std::vector<double> coupling;

    /// The bond after the step, as far as it is known.
    [[nodiscard]] math::Vec3d after(ConstraintBond const& bond, std::size_t i) const
    {
        return before[i] + (displacement[static_cast<std::size_t>(bond.a)] - displacement[static_cast<std::size_t>(bond.b)]);
    }
};

/// Where atoms are.
struct Placed {
    std::vector<math::FractionVec> const& positions;
    physics::Box const& box;
};

/// The system's index of atom `local` of a group.
inline std::size_t atomOf(ConstraintShape const& shape, ConstraintGroup group, std::size_t local)
{
    return static_cast<std::size_t>(group.firstAtom + shape.atoms[local]);
}

/// Fills work.before.
void gatherBonds(ConstraintShape const& shape, ConstraintGroup group, Placed placed, GroupWork& work);

/// Fills work.direction and work.length from work.before, and work.coupling: A of physics/distance_constraint.hpp.
void findDirections(ConstraintShape const& shape, GroupWork& work);

/// Whether a group was solved; if not, how far off its distances are without constraint forces.
struct ConstraintFit {
    bool good = true;
    std::int32_t worst = 0;    ///< bond of the shape
    double present = 0;        ///< its length, nm
    double rootMeanSquare = 0; ///< relative deviation over the bonds of the group
};

/// -1/2 sum r outer F of the constraint forces of a solved group, kJ/mol.
math::Mat3d groupVirial(ConstraintShape const& shape, GroupWork const& work, double inverseDt);

/// The bonds as they are with work.displacement.
ConstraintFit measureFit(ConstraintShape const& shape, GroupWork const& work);

} // namespace alder::constraints
