#pragma once
// Who moves which atoms, in the GPU's memory: made once, read by every step.

#include "constraints/constraint_set.hpp"
#include "constraints/settle_set.hpp"
#include "device/buffers.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"
#include "update/held_atoms.hpp"
#include "update/molecules/molecule_tables.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// Threads of a block in every kernel of the update but sums over atoms.
inline constexpr unsigned updateThreads = 128;

/// Whether a shape fits into a thread's own memory.
bool fitsThread(constraints::ConstraintShape const& shape);

class UpdateTables {
public:
    UpdateTables(system::Topology const& topology, plan::ConstraintPlan const& constraints, Stream& stream);

    [[nodiscard]] AtomTraits traits() const { return {mass_.constView(), inverseMass_.constView(), groupOf_.constView()}; }
    [[nodiscard]] std::int64_t atomCount() const { return static_cast<std::int64_t>(mass_.size()); }
    [[nodiscard]] double totalMass() const { return totalMass_; } ///< amu
    /// True where nothing is constrained.
    [[nodiscard]] bool unconstrained() const { return waters_.size() + small_.size() + large_.size() + molecules_.size() == 0; }
    /// Groups that no thread has room for.
    [[nodiscard]] MoleculeTable molecules() const;
    /// Slots that warps can blame an atom in.
    [[nodiscard]] std::size_t slotCount() const;

#if defined(ALDER_SIMT) || defined(__CUDACC__)
    /// Calls visit(table) with the table of each kind of atoms held together, of which there are any; the table's type is Held::Table.
    template <class Visit> void forEachHeld(Visit&& visit) const
    {
        if (free_.size() > 0) visit(FreeAtom::Table{free_.constView(), inverseMass_.constView(), sizeOf(free_), 0});
        forEachConstrained(visit);
    }
    template <class Visit> void forEachConstrained(Visit&& visit) const
    {
        if (waters_.size() > 0) visit(Water::Table{waters_.constView(), triangles_.constView(), sizeOf(waters_), slots(free_.size())});
        int slot = slots(free_.size()) + slots(waters_.size());
        if (small_.size() > 0) visit(SmallGroup::Table{small_.constView(), shapes(), solver_, sizeOf(small_), slot});
        slot += slots(small_.size());
        if (large_.size() > 0) visit(LargeGroup::Table{large_.constView(), shapes(), solver_, sizeOf(large_), slot});
    }
#endif

private:
    struct Flat;
    void takeShapes(constraints::ConstraintSet const& set, Stream& stream);
    void takeMolecules(constraints::ConstraintSet const& set, Stream& stream);
    void takeWaters(constraints::SettleSet const& set, Stream& stream);
    [[nodiscard]] ShapeTables shapes() const;
    template <class T> static int sizeOf(DeviceBuffer<T> const& buffer) { return static_cast<int>(buffer.size()); }
    /// Of that many threads in whole blocks.
    static int slots(std::size_t threads) { return static_cast<int>((threads + updateThreads - 1) / updateThreads * (updateThreads / 32)); }

    constraints::DistanceSolver solver_;
    DeviceBuffer<double> mass_, inverseMass_;
    DeviceBuffer<std::uint8_t> groupOf_;
    double totalMass_ = 0;
    DeviceBuffer<std::int32_t> free_;
    DeviceBuffer<TriangleWater> waters_;
    DeviceBuffer<Triangle> triangles_;
    DeviceBuffer<constraints::ConstraintGroup> small_, large_;
    DeviceBuffer<MoleculeGroup> molecules_;
    DeviceBuffer<std::int32_t> atomBondStart_;
    DeviceBuffer<AtomBond> atomBonds_;
    mutable DeviceBuffer<math::Vec3d> atomVectors_, bondVectors_; ///< room of molecules_: three an atom, two a bond
    mutable DeviceBuffer<double> bondNumbers_, couplingNumbers_;  ///< six a bond, one a coupling
    plan::ConstraintPlan constraints_;
    DeviceBuffer<ShapePlace> places_;
    DeviceBuffer<std::int32_t> shapeAtoms_, couplingStart_, triangleBonds_, triangleStart_, triangleCouplings_;
    DeviceBuffer<double> shapeInverseMass_;
    DeviceBuffer<constraints::ConstraintBond> bonds_;
    DeviceBuffer<constraints::BondCoupling> couplings_;
};

} // namespace alder::cuda
