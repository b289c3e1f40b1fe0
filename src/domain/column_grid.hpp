#pragma once
// Columns along the third box vector and, in high boxes, layers of them: the cells that pair lists are made of, and that domains are unions of.
// Box and cutoff decide them, ranks never do.

#include "math/host_device.hpp"
#include "math/vec3.hpp"
#include "physics/box.hpp"

#include <cstdint>
#include <vector>

namespace alder::domain {

/// Columns are numbered with the first box vector slow: column = ia b + ib.
struct ColumnGrid {
    int a = 1, b = 1; ///< along the first and second box vector
    [[nodiscard]] ALDER_HD int count() const { return a * b; }
    [[nodiscard]] ALDER_HD int columnOf(math::FractionVec f) const { return along(f.x, a) * b + along(f.y, b); }

    static ALDER_HD int along(std::int32_t fraction, int n)
    {
        return static_cast<int>((std::uint64_t{static_cast<std::uint32_t>(fraction)} * static_cast<std::uint64_t>(n)) >> 32);
    }
};

/// Columns in layers of equal height. Cells are numbered with the layer fast: cell = column layers + layer.
struct CellGrid {
    ColumnGrid columns;
    int layers = 1;
    [[nodiscard]] int count() const { return columns.count() * layers; }
    [[nodiscard]] int cellOf(math::FractionVec f) const { return columns.columnOf(f) * layers + ColumnGrid::along(f.z, layers); }
};

/// What a rank does with a cell: nothing; its clusters are met in a search; they search themselves, too.
enum class ColumnRole : std::uint8_t { none, met, searched };

/// What the columns of a back end's pair lists are cut to.
struct ColumnRule {
    double atoms = 8;       ///< of a cube as wide as a column in matter that fills the box: those of a cluster make it compact
    double mostRadii = 0.6; ///< where matter is thin, no column is wider than so many list radii
    double mostAnAtom = 4;  ///< columns, beyond a thousand, there are at most: a nearly empty box must not cost memory
    double leastLayer = 0;  ///< nm, and four list radii: how high layers are at least; 0: one layer
};
/// Of the CPU's pair lists. A layer's last cluster is half empty on average: one of the dozen that five nanometers of water hold.
inline constexpr ColumnRule clusterColumns{8, 0.6, 4, 5};

/// For a box of `atomCount` atoms, and lists of this radius (nm).
struct ColumnNeeds {
    std::int64_t atomCount = 0;
    double listCutoff = 0;
    ColumnRule rule = clusterColumns;
};
ColumnGrid chooseColumns(physics::Box const& box, ColumnNeeds const& needs);
CellGrid chooseCells(physics::Box const& box, ColumnNeeds const& needs);

/// Distances between opposite faces of the cell, nm.
math::Vec3d faceDistances(physics::Box const& box);

/// Which cells are searched from which. Of two atoms in different columns the pair is found from one of them alone: from the column of
/// lower number, or, across the box's border, from the one at its far end. So it is with two layers of a column.
class CellReach {
public:
    CellReach(CellGrid grid, physics::Box const& box, double listCutoff);
    /// Cells from which pairs with atoms of `cell` are searched, itself included; each once, ascending.
    [[nodiscard]] std::vector<int> searchedFrom(int cell) const;

private:
    CellGrid grid_;
    int wideA_, wideB_, wideC_; ///< cells on either side that can be within reach
};

} // namespace alder::domain
