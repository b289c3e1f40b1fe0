#pragma once
// What the atoms of one rank add to the dipole of the cell.

#include "plan/run_plan.hpp"
#include "system/molecule_parts.hpp"

#include <cstdint>
#include <vector>

namespace alder::domain {

/// An arm of a molecule's dipole (system::DipoleArm), between atoms of the rank.
struct PlacedArm {
    std::int32_t atom = 0, from = -1; ///< from = -1: the place of the atom itself counts
    double carried = 0;               ///< e
};
struct DipolePart {
    std::vector<double> charges; ///< by home atom, e
    std::vector<PlacedArm> arms; ///< none where molecules are not made whole
};

class DipoleParts {
public:
    /// `whole` must outlive this.
    DipoleParts(system::Topology const& whole, plan::Surroundings surroundings);
    /// Of a rank's atoms, or of all.
    [[nodiscard]] DipolePart of(system::Topology const& part) const;

private:
    system::Topology const& whole_;
    std::vector<std::vector<std::vector<system::DipoleArm>>> kept_; ///< by molecule type and keeper; none in slabs
};

} // namespace alder::domain
