#pragma once
// Who moves which atoms, in the GPU's memory: made once, read by every step.

#include "constraints/constraint_set.hpp"
#include "constraints/settle_set.hpp"
#include "device/buffers.hpp"
#include "device/launch.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"
#include "update/held_atoms.hpp"
#include "update/molecules/block_group.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// Whether a shape fits into a thread's own memory.
bool fitsThread(constraints::ConstraintShape const& shape);

#if defined(ALDER_SIMT) || defined(__CUDACC__)
/// The launch of all that a table holds.
template <class Table> LaunchShape shapeOf(Table const& table)
{
    using Held = typename Table::Holds;
    auto const count = static_cast<std::size_t>(table.count);
    return {.grid = Held::blockwide ? static_cast<unsigned>(table.count) : blocksFor(count, Held::threads), .block = Held::threads};
}
#endif

class UpdateTables {
public:
    UpdateTables(system::Topology const& topology, plan::ConstraintPlan const& constraints, Stream& stream);

    [[nodiscard]] AtomTraits traits() const
    {
        return {mass_.constView(), inverseMass_.constView(), groupOf_.constView(), numbers_.constView()};
    }
    [[nodiscard]] std::int64_t atomCount() const { return static_cast<std::int64_t>(mass_.size()); }
    [[nodiscard]] double totalMass() const { return totalMass_; } ///< amu, of the whole system
    /// True where nothing is constrained.
    [[nodiscard]] bool unconstrained() const { return waters_.size() + small_.size() + large_.size() + molecules_.size() == 0; }
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
        slot += slots(large_.size());
        if (molecules_.size() > 0)
            visit(BlockGroup::Table{molecules_.constView(), shapes(), ends(), room(), solver_, sizeOf(molecules_), slot});
    }
#endif

private:
    void takeShapes(constraints::ConstraintSet const& set, Stream& stream);
    void takeMolecules(constraints::ConstraintSet const& set, Stream& stream);
    void takeWaters(constraints::SettleSet const& set, Stream& stream);
    [[nodiscard]] ShapeTables shapes() const;
    [[nodiscard]] BondsOfAtoms ends() const { return {atomBondStart_.constView(), atomBonds_.constView()}; }
    [[nodiscard]] MoleculeRoom room() const;
    template <class T> static int sizeOf(DeviceBuffer<T> const& buffer) { return static_cast<int>(buffer.size()); }
    /// Of that many threads in whole blocks.
    static int slots(std::size_t threads) { return static_cast<int>((threads + updateThreads - 1) / updateThreads * (updateThreads / 32)); }

    constraints::DistanceSolver solver_;
    DeviceBuffer<double> mass_, inverseMass_;
    DeviceBuffer<std::uint8_t> groupOf_;
    DeviceBuffer<std::int32_t> numbers_; ///< empty where the atoms are the whole system
    double totalMass_ = 0;
    DeviceBuffer<std::int32_t> free_;
    DeviceBuffer<TriangleWater> waters_;
    DeviceBuffer<Triangle> triangles_;
    DeviceBuffer<constraints::ConstraintGroup> small_, large_;
    DeviceBuffer<MoleculeGroup> molecules_;
    DeviceBuffer<std::int32_t> atomBondStart_;
    DeviceBuffer<AtomBond> atomBonds_;
    mutable DeviceBuffer<math::Vec3d> atomVectors_, bondVectors_; ///< room of molecules_: four an atom, two a bond
    mutable DeviceBuffer<double> bondNumbers_, otherNumbers_;     ///< six a bond; one a coupling, then one a molecule
    DeviceBuffer<ShapePlace> places_;
    DeviceBuffer<std::int32_t> shapeAtoms_, couplingStart_, triangleBonds_, triangleStart_, triangleCouplings_;
    DeviceBuffer<double> shapeInverseMass_;
    DeviceBuffer<constraints::ConstraintBond> bonds_;
    DeviceBuffer<constraints::BondCoupling> couplings_;
};

} // namespace alder::cuda
