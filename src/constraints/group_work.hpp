#pragma once
// Room to solve one group of constraints in, and what all that solves one begins and ends with.
//
// The functions here, in coupled_bonds.hpp, distance_solver.hpp and projection.hpp are templates over a shape and its room, so that host and
// device do the same operations in the same order: what they read and write need only have the members of ConstraintShape and GroupWork,
// with [] and size() where those have vectors.

#include "constraints/constraint_set.hpp"
#include "constraints/team.hpp"
#include "math/vec3.hpp"
#include "physics/box.hpp"
#include "physics/distance_constraint.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace alder::constraints {

/// The bond after the step, as far as it is known.
template <class Work> ALDER_HD math::Vec3d bondAfter(Work const& work, ConstraintBond const& bond, std::size_t i)
{
    return work.before[i] + (work.displacement[static_cast<std::size_t>(bond.a)] - work.displacement[static_cast<std::size_t>(bond.b)]);
}

/// The host's, reused from group to group: as large as the largest shape, one for each thread.
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

    [[nodiscard]] math::Vec3d after(ConstraintBond const& bond, std::size_t i) const { return bondAfter(*this, bond, i); }
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
template <class Shape, class Work, class Team = Alone> ALDER_HD void findDirections(Shape const& shape, Work& work, Team const& team = {})
{
    team.forEach(shape.bonds.size(), [&](std::size_t i) {
        work.length[i] = norm(work.before[i]);
        work.direction[i] = (1.0 / work.length[i]) * work.before[i];
    });
    team.forEach(shape.bonds.size(), [&](std::size_t i) {
        for (auto c = static_cast<std::size_t>(shape.couplingStart[i]); c < static_cast<std::size_t>(shape.couplingStart[i + 1]); ++c) {
            BondCoupling const coupling = shape.couplings[c];
            work.coupling[c] = coupling.factor * dot(work.direction[i], work.direction[static_cast<std::size_t>(coupling.other)]);
        }
    });
}

/// Whether a group was solved; if not, how far off its distances are without constraint forces.
struct ConstraintFit {
    bool good = true;
    std::int32_t worst = 0;    ///< bond of the shape
    double present = 0;        ///< its length, nm
    double rootMeanSquare = 0; ///< relative deviation over the bonds of the group
};

/// -1/2 sum r outer F of the constraint forces of a solved group, kJ/mol.
template <class Shape, class Work> ALDER_HD math::Mat3d groupVirial(Shape const& shape, Work const& work, double inverseDt)
{
    math::Mat3d sum{};
    for (std::size_t i = 0; i < shape.bonds.size(); ++i)
        sum = sum + physics::constraintVirial(work.multiplier[i], work.before[i], inverseDt);
    return sum;
}

/// The bonds as they are with work.displacement.
template <class Shape, class Work> ALDER_HD ConstraintFit measureFit(Shape const& shape, Work const& work)
{
    ConstraintFit fit;
    double largest = -1, squares = 0;
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const bond = shape.bonds[i];
        double const length = norm(bondAfter(work, bond, i));
        double const deviation = length / bond.length - 1.0;
        squares += deviation * deviation;
        double const size = std::fabs(deviation) <= 1.7976931348623157e308 ? std::fabs(deviation) : HUGE_VAL; // not a number is worst
        if (size <= largest) continue;
        largest = size;
        fit.worst = static_cast<std::int32_t>(i);
        fit.present = length;
    }
    fit.rootMeanSquare = std::sqrt(squares / static_cast<double>(shape.bonds.size()));
    return fit;
}

} // namespace alder::constraints
