#pragma once
// Atoms sorted into super-clusters of eight clusters of eight, on the device: columns along the third box vector, each cut into runs of up
// to 64 atoms in order of height, and a run split by y, x and z. A function of positions, box and plan alone.

#include "device/buffers.hpp"
#include "pairs/slots.hpp"
#include "physics/box.hpp"

#include <cstdint>

namespace alder::cuda {

/// What the host knows of the grid before it is built.
struct GridShape {
    int atomCount = 0;
    int columnsA = 1, columnsB = 1;
    std::uint32_t tallest = 0; ///< greatest height of a super-cluster, in fractions of the third vector
    int superRoom = 0;         ///< super-clusters there is room for; more may come out
    pairs::Lattice lattice;
    [[nodiscard]] ALDER_HD int columns() const { return columnsA * columnsB; }
    [[nodiscard]] ALDER_HD int columnOf(math::FractionVec f) const
    {
        auto const a = static_cast<int>((std::uint64_t{static_cast<std::uint32_t>(f.x)} * static_cast<std::uint64_t>(columnsA)) >> 32);
        auto const b = static_cast<int>((std::uint64_t{static_cast<std::uint32_t>(f.y)} * static_cast<std::uint64_t>(columnsB)) >> 32);
        return b * columnsA + a;
    }
};
/// `supersFound`: how many have come out of this system before, where that was too many; else 0.
GridShape shapeOf(physics::Box const& box, std::int64_t atomCount, double listCutoff, int latticeBits, int supersFound);

/// An atom as columns are sorted.
struct alignas(8) HeightKey {
    std::uint32_t height;
    std::int32_t atom;
};
/// Atoms of a super-cluster in the sorted order.
struct alignas(8) AtomRange {
    std::int32_t begin, end;
};

/// Tables by kind of atom, and each atom's kind.
struct KindTables {
    View<std::int32_t const> kindOf;
    View<float const> charge;
    View<LjPair const> lj;
    View<std::int32_t const> ljType;
};

/// What the list search reads of the grid.
struct GridViews {
    View<std::int32_t const> superStart;                       ///< by column, first super-cluster; one more at the end
    View<Extent const> superBounds, clusterBounds, halfBounds; ///< nm
    View<Extent const> superFractions;
};

class SuperGrid {
public:
    void build(View<math::FractionVec const> positions, GridShape const& shape, KindTables const& kinds, View<std::uint32_t> counters,
               Stream& stream);
    /// Measures the sites anew.
    void place(View<math::FractionVec const> positions, View<pairs::Lattice const> lattice, View<std::uint32_t> counters, Stream& stream);

    [[nodiscard]] GridShape const& shape() const { return shape_; }
    [[nodiscard]] int slotRoom() const { return shape_.superRoom * superSlots; }
    [[nodiscard]] SlotViews slots();
    [[nodiscard]] GridViews views();

private:
    void makeRoom(Stream& stream);

    GridShape shape_;
    DeviceBuffer<std::int32_t> columnOf_, place_, columnCount_, columnStart_, superCount_, superStart_; ///< by atom, by atom, by column
    DeviceBuffer<HeightKey> scattered_, sorted_;
    DeviceBuffer<AtomRange> ranges_;
    DeviceBuffer<std::int32_t> atomAt_, ljType_, kind_;
    DeviceBuffer<math::FractionVec> start_;
    DeviceBuffer<Site> sites_;
    DeviceBuffer<LjPair> lj_;
    DeviceBuffer<Extent> superBounds_, clusterBounds_, halfBounds_, superFractions_;
};

} // namespace alder::cuda
