#pragma once
// Atoms sorted into super-clusters of eight clusters of eight, on the device: columns along the third box vector, each cut into runs of up
// to 64 atoms in order of height, and a run split by y, x and z. A function of positions, box and plan alone.

#include "device/buffers.hpp"
#include "domain/column_grid.hpp"
#include "pairs/slots.hpp"
#include "physics/box.hpp"

#include <cstdint>

namespace alder::cuda {

/// Columns a little narrower than the edge of a cube that holds the 64 atoms of a super-cluster make these compact. Water, cutoff 0.9 nm,
/// pruned to 0.95: 407 listed pairs an atom in 6.2 nm, with edges 15 % shorter 408 and 15 % longer 431; in 3 nm 411 (4 columns) and 429 (3).
/// Where matter is thin, none is wider than the list radius.
inline constexpr domain::ColumnRule superColumns{0.93 * 0.93 * 0.93 * superSlots, 1, 1};

/// What the host knows of the grid before it is built.
struct GridShape {
    int atomCount = 0; ///< here
    domain::ColumnGrid columns;
    std::uint32_t tallest = 0; ///< greatest height of a super-cluster, in fractions of the third vector
    int superRoom = 0;         ///< super-clusters there is room for; more may come out
    pairs::Lattice lattice;
};
/// What it is made for.
struct GridNeeds {
    physics::Box const& box;
    domain::ColumnNeeds columns;
    std::int64_t atomCount = 0; ///< here
    int latticeBits = 0;
    int columnsHere = -1; ///< that have a role; -1: all
    int supersFound = 0;  ///< how many super-clusters came out before, where that was too many; else 0
};
GridShape shapeOf(GridNeeds const& needs);

/// Of a part of the system; of the whole nothing is given.
struct PartViews {
    View<std::int32_t const> numbers; ///< by atom, in the whole
    View<std::uint8_t const> roles;   ///< by column, domain::ColumnRole
    /// What ties between atoms at one place go by: the same order on every rank.
    [[nodiscard]] __device__ std::int32_t numberOf(std::int32_t atom) const { return numbers.given() ? numbers[atom] : atom; }
    [[nodiscard]] __device__ domain::ColumnRole roleOf(int column) const
    {
        return roles.given() ? static_cast<domain::ColumnRole>(roles[column]) : domain::ColumnRole::searched;
    }
};

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

/// What the grid is built from.
struct GridAtoms {
    View<math::FractionVec const> positions;
    KindTables kinds;
    PartViews part;
};

/// What the list search reads of the grid.
struct GridViews {
    View<std::int32_t const> superStart; ///< by column, first super-cluster; one more at the end
    View<std::int32_t const> superColumn;
    View<Extent const> superBounds, clusterBounds, halfBounds; ///< nm
    View<Extent const> superFractions;
};

class SuperGrid {
public:
    /// Atoms of columns that have a role.
    void build(GridAtoms const& atoms, GridShape const& shape, View<std::uint32_t> counters, Stream& stream);
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
    DeviceBuffer<std::int32_t> superColumn_;
    DeviceBuffer<HeightKey> scattered_, sorted_;
    DeviceBuffer<AtomRange> ranges_;
    DeviceBuffer<std::int32_t> atomAt_, ljType_, kind_;
    DeviceBuffer<math::FractionVec> start_;
    DeviceBuffer<Site> sites_;
    DeviceBuffer<LjPair> lj_;
    DeviceBuffer<Extent> superBounds_, clusterBounds_, halfBounds_, superFractions_;
};

} // namespace alder::cuda
