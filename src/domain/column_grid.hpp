#pragma once
// Columns along the third box vector: what pair lists are made of, and what domains are unions of. Box and cutoff decide them, ranks never do.

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

private:
    static ALDER_HD int along(std::int32_t fraction, int n)
    {
        return static_cast<int>((std::uint64_t{static_cast<std::uint32_t>(fraction)} * static_cast<std::uint64_t>(n)) >> 32);
    }
};

/// What a rank does with a column: nothing; its clusters are met in a search; they search themselves, too.
enum class ColumnRole : std::uint8_t { none, met, searched };

/// What the columns of a back end's pair lists are cut to.
struct ColumnRule {
    double atoms = 8;       ///< of a cube as wide as a column in matter that fills the box: those of a cluster make it compact
    double mostRadii = 0.6; ///< where matter is thin, no column is wider than so many list radii
    double mostAnAtom = 4;  ///< columns, beyond a thousand, there are at most: a nearly empty box must not cost memory
};

/// For a box of `atomCount` atoms, and lists of this radius (nm).
struct ColumnNeeds {
    std::int64_t atomCount = 0;
    double listCutoff = 0;
    ColumnRule rule = {};
};
ColumnGrid chooseColumns(physics::Box const& box, ColumnNeeds const& needs);

/// Distances between opposite faces of the cell, nm.
math::Vec3d faceDistances(physics::Box const& box);

/// Which columns are searched from which. Of two atoms in different columns the pair is found from one of them alone: from the column of
/// lower number, or, across the box's border, from the one at its far end.
class ColumnReach {
public:
    ColumnReach(ColumnGrid grid, physics::Box const& box, double listCutoff);
    /// Columns from which pairs with atoms of `column` are searched, itself included; each once, ascending.
    [[nodiscard]] std::vector<int> searchedFrom(int column) const;

private:
    ColumnGrid grid_;
    int wideA_, wideB_; ///< columns on either side that can be within reach
};

} // namespace alder::domain
