#pragma once
// Atoms sorted into clusters of eight: layers of columns along the third box vector, each cut into clusters in order of height. A function of
// positions, box and plan alone, so that every rank and thread count makes the same clusters.

#include "domain/column_grid.hpp"
#include "math/fixed_sum.hpp"
#include "pairs/atom_table.hpp"
#include "pairs/lattice.hpp"
#include "pairs/pair_list.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace alder::pairs {

/// An axis-parallel box, nm.
struct Bounds {
    std::array<float, 3> low, high;
};

/// Squared distance of two boxes.
inline float distance2(Bounds const& a, Bounds const& b)
{
    float sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        float const below = b.low[d] - a.high[d], above = a.low[d] - b.high[d];
        float gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        sum += gap * gap;
    }
    return sum;
}

using domain::ColumnRole;

class ClusterGrid {
public:
    /// `listCutoff` (nm) limits how long a cluster may be. `roles` by cell, or empty where all cells are searched; of cells with a
    /// role all atoms must be there.
    void build(std::vector<math::FractionVec> const& positions, physics::Box const& box, AtomTable const& atoms, double listCutoff,
               int latticeBits, int threads, std::vector<ColumnRole> const& roles = {});
    /// The box has changed and the atoms kept their fractions of it: clusters stay, coordinates are measured anew.
    void changeBox(physics::Box const& box, int latticeBits) { lattice_ = Lattice(box, latticeBits); }

    [[nodiscard]] std::int32_t clusterCount() const { return static_cast<std::int32_t>(height_.size()); }
    [[nodiscard]] std::int32_t slotCount() const { return clusterCount() * clusterWidth; }
    [[nodiscard]] std::int32_t atomAt(std::int32_t slot) const { return atomAt_[static_cast<std::size_t>(slot)]; } ///< -1: empty
    [[nodiscard]] std::int32_t slotOf(std::int32_t atom) const { return slotOf_[static_cast<std::size_t>(atom)]; } ///< -1: none
    [[nodiscard]] ColumnRole roleOf(int cell) const
    {
        return roles_.empty() ? ColumnRole::searched : roles_[static_cast<std::size_t>(cell)];
    }
    [[nodiscard]] math::FractionVec startOf(std::int32_t slot) const { return start_[static_cast<std::size_t>(slot)]; }

    [[nodiscard]] domain::CellGrid const& cells() const { return cells_; }
    [[nodiscard]] int cellOf(math::FractionVec f) const { return cells_.cellOf(f); }
    /// Clusters of cell c: [firstCluster(c), firstCluster(c + 1)).
    [[nodiscard]] std::int32_t firstCluster(int cell) const { return cellStart_[static_cast<std::size_t>(cell)]; }
    /// Bounds of all clusters along one axis, nm.
    [[nodiscard]] float const* clusterLow(std::size_t axis) const { return clusterLow_[axis].data(); }
    [[nodiscard]] float const* clusterHigh(std::size_t axis) const { return clusterHigh_[axis].data(); }
    [[nodiscard]] Bounds const& rowBounds(std::int32_t iCluster) const { return rowBounds_[static_cast<std::size_t>(iCluster)]; }
    [[nodiscard]] float lowestHeight(std::int32_t cluster) const { return height_[static_cast<std::size_t>(cluster)].low; }
    [[nodiscard]] float highestHeight(std::int32_t cluster) const { return height_[static_cast<std::size_t>(cluster)].high; }

    /// Rows of an i cluster that have Lennard-Jones interactions; those atoms come first.
    [[nodiscard]] int ljRows(std::int32_t iCluster) const { return ljRows_[static_cast<std::size_t>(iCluster)]; }
    [[nodiscard]] int filledRows(std::int32_t iCluster) const { return filledRows_[static_cast<std::size_t>(iCluster)]; }

    /// The atom's present fractions, not wrapped: where it was at build plus what it has moved since.
    [[nodiscard]] math::Vec3l unwrapped(std::int32_t slot, math::FractionVec now) const
    {
        math::FractionVec const start = startOf(slot), moved = math::wrappingDifference(now, start);
        auto const sum = [](std::int32_t from, std::int32_t by) {
            return static_cast<std::int64_t>(static_cast<std::uint32_t>(from)) + by;
        };
        return {sum(start.x, moved.x), sum(start.y, moved.y), sum(start.z, moved.z)};
    }
    [[nodiscard]] LatticeVec coordinate(std::int32_t slot, math::FractionVec now) const
    {
        return lattice_.coordinate(unwrapped(slot, now));
    }
    [[nodiscard]] Lattice const& lattice() const { return lattice_; }

private:
    struct Height {
        float low, high;
    };
    void sortCells(std::vector<math::FractionVec> const& positions, AtomTable const& atoms, int threads);
    [[nodiscard]] std::size_t clusterEnd(std::vector<math::FractionVec> const& positions, std::size_t from, std::size_t cellEnd) const;
    void fillCluster(std::vector<math::FractionVec> const& positions, AtomTable const& atoms, std::int32_t cluster, std::size_t from,
                     std::size_t to);

    Lattice lattice_;
    domain::CellGrid cells_;
    std::vector<ColumnRole> roles_;
    std::int64_t longest_ = 0;            ///< greatest extent of a cluster along x, y or z, in quanta
    std::vector<std::int32_t> cellStart_; ///< by cell, first cluster
    std::vector<std::int32_t> atomStart_; ///< by cell, first of order_
    std::vector<std::int32_t> order_;     ///< atoms by cell and height
    std::vector<std::int32_t> atomAt_, slotOf_;
    std::vector<math::FractionVec> start_; ///< by slot
    std::array<std::vector<float>, 3> clusterLow_, clusterHigh_;
    std::vector<Bounds> rowBounds_;
    std::vector<Height> height_;
    std::vector<std::int8_t> ljRows_, filledRows_;
};

} // namespace alder::pairs
