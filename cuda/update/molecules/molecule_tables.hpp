#pragma once
// Groups of constraints that a block solves, and their room.

#include "update/held_atoms.hpp"

namespace alder::cuda {

inline constexpr unsigned moleculeThreads = 256;

/// A group, and where its room begins.
struct MoleculeGroup {
    constraints::ConstraintGroup group;
    std::int32_t atomRoom = 0, bondRoom = 0, couplingRoom = 0;
};

/// A bond of an atom of a shape: +1 where the atom is its first, -1 where it is its second.
struct AtomBond {
    std::int32_t bond = 0, sign = 0;
};

/// The members of constraints::GroupWork for all groups, one after the other, and what else a step keeps by atom or by group.
struct MoleculeRoom {
    View<math::Vec3d> freeDisplacement, displacement, velocity, spare, before, direction;
    View<double> multiplier, length, side, nextSide, solution, search, coupling;
    View<double> sums; ///< one a group
};

/// Which bonds atoms have: those of shape atom k are [start[k], start[k + 1]), k as in ShapeTables::atoms.
struct BondsOfAtoms {
    View<std::int32_t const> start;
    View<AtomBond const> bonds;
};

} // namespace alder::cuda
