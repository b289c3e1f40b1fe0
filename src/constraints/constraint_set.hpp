#pragma once
// Which distances are kept, other than those of rigid waters, and which of them hang together.

#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::constraints {

/// A constraint between two atoms of a shape.
struct ConstraintBond {
    std::int32_t a = 0, b = 0; ///< index into ConstraintShape::atoms
    double length = 0;         ///< nm
    double scale = 0;          ///< physics::constraintScale()
};

/// The influence of one bond of a shape on another that shares an atom with it.
struct BondCoupling {
    std::int32_t other = 0; ///< bond of the shape
    double factor = 0;      ///< physics::constraintCoupling(): to be multiplied by the cosine between the bonds
};

/// Atoms of one molecule that constraints join, the same for every molecule of its type: solved together, apart from all others.
struct ConstraintShape {
    std::vector<std::int32_t> atoms;         ///< within the molecule, ascending
    std::vector<double> inverseMass;         ///< by atom, 1/amu
    std::vector<ConstraintBond> bonds;       ///< in the order of the topology
    std::vector<std::int32_t> couplingStart; ///< couplings of bond i: [couplingStart[i], couplingStart[i + 1])
    std::vector<BondCoupling> couplings;
    /// Bonds that are sides of a triangle of constraints, and of each its couplings to other sides of such a triangle.
    std::vector<std::int32_t> triangleBonds, triangleStart, triangleCouplings;
};

/// One set of atoms to be solved.
struct ConstraintGroup {
    std::int32_t shape = 0;
    std::int32_t firstAtom = 0; ///< of the molecule
};

/// What weighs the atoms: their masses move atoms in time; equal ones (1 amu) tell how forces are balanced at a minimum.
enum class Weights : std::uint8_t { masses, equal };

class ConstraintSet {
public:
    explicit ConstraintSet(system::Topology const& topology, Weights weights = Weights::masses);

    [[nodiscard]] std::vector<ConstraintShape> const& shapes() const { return shapes_; }
    /// In atom order.
    [[nodiscard]] std::vector<ConstraintGroup> const& groups() const { return groups_; }
    [[nodiscard]] ConstraintShape const& shapeOf(ConstraintGroup group) const { return shapes_[static_cast<std::size_t>(group.shape)]; }
    [[nodiscard]] bool empty() const { return groups_.empty(); }
    [[nodiscard]] std::int64_t bondCount() const;

private:
    std::vector<ConstraintShape> shapes_;
    std::vector<ConstraintGroup> groups_;
};

} // namespace alder::constraints
