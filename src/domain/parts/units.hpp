#pragma once
// Which atoms are never split over ranks: those joined by constraints, rigid waters and virtual sites, and small molecules as a whole.

#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::domain {

/// Of one molecule type: for each atom the lowest one of its unit.
struct MoleculeUnits {
    std::vector<std::int32_t> anchor;
    bool single = false; ///< the molecule is one unit
};

/// Units of every molecule type.
class Units {
public:
    explicit Units(system::Topology const& whole);
    /// The atom by whose place an atom's unit is given to a rank: by numbers in the whole system.
    [[nodiscard]] std::int32_t anchorOf(std::int32_t number) const;
    [[nodiscard]] MoleculeUnits const& of(std::int32_t type) const { return types_[static_cast<std::size_t>(type)]; }
    /// True where every molecule is one unit: no bonded term then ever reaches over a rank's border.
    [[nodiscard]] bool allSingle() const { return allSingle_; }

private:
    system::Topology const& whole_;
    std::vector<MoleculeUnits> types_;
    bool allSingle_ = true;
};

} // namespace alder::domain
