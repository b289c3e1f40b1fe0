#pragma once
// Eight bonded terms of one kind computed side by side: forces only, as integers. The formulas are those of physics/, lane by lane. All of
// their operations are correctly rounded, so a term's bits depend neither on the width of registers nor on the lane, and are those that
// the term has by itself.

#include "cpu/lane_vec.hpp"
#include "physics/box.hpp"
#include "system/interaction.hpp"

#include <cstdint>
#include <vector>

namespace alder::cpu {

struct alignas(64) TermLanes {
    // in
    std::array<LaneVec<std::int32_t>, 3> difference; ///< box fractions: i - j; k - j of three and four atoms; k - l of four
    std::array<Lanes<double>, 6> parameters;         ///< as bonded::Law takes them
    // out
    std::array<LaneVec<std::int64_t>, 3> force; ///< units of 2^-24 kJ/mol/nm: of i; of k with three and four atoms; of l with four
    Lanes<double> largest;                      ///< largest component of these forces, kJ/mol/nm; infinite where one is not a number
};

/// Forces up to this size are rounded right; terms with larger ones must be computed one by one. kJ/mol/nm.
inline constexpr double largestLaneForce = 67108864.0;
/// Highest multiplicity of dihedrals that run in lanes.
inline constexpr int mostTurns = 6;

using ComputeTerms = void (*)(TermLanes&, physics::Box const&);

/// One instruction set's versions.
struct TermKernels {
    ComputeTerms bond = nullptr, pair = nullptr, angle = nullptr, ureyBradley = nullptr, periodicDihedral = nullptr, cosineSeries = nullptr;
    /// Null where a kind does not run in lanes.
    [[nodiscard]] ComputeTerms of(system::Kind kind) const;
};

/// All versions that this processor runs, the widest last.
std::vector<TermKernels> termKernelVersions();

} // namespace alder::cpu
