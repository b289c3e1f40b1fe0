#pragma once
// Bonded terms as the kernel reads them: flat arrays over all molecules, cut into slices of one kind that a block takes.

#include "device/language.hpp"
#include "math/vec3.hpp"
#include "physics/cmap.hpp"
#include "system/interaction.hpp"

#include <cstdint>

namespace alder::cuda {

/// Threads of a block, and the most terms of a slice.
inline constexpr int termThreads = 128;

/// `count` consecutive terms of one kind. Their atoms lie atom by atom of the term, so that a warp reads each in one go: atom a of the
/// slice's term t is atoms[firstAtom + a * count + t].
struct TermSlice {
    std::int32_t kind = 0, count = 0;
    std::int32_t firstTerm = 0; ///< index into setOf, counted over all kinds
    std::int32_t firstAtom = 0;
    std::int32_t energyTerm = 0; ///< system::Term; of pairs, where the Lennard-Jones energy goes
};

/// Parameters as bonded::Law takes them, or preparePair().
struct PreparedSet {
    double of[system::maxParameters];
};

struct TermViews {
    View<TermSlice const> slices; ///< by block
    View<std::int32_t const> atoms;
    View<std::int32_t const> setOf; ///< by term
    View<PreparedSet const> sets;
    View<physics::CmapNode<double> const> cmapNodes; ///< all maps, one after the other
    View<std::int32_t const> cmapShapes;             ///< by map: first node, size
    View<math::Vec3d const> references;              ///< by atom, nm; held atoms
    View<math::Vec3d const> referenceFractions;      ///< by atom, box vectors
    View<math::FractionVec const> positions;
    View<std::int32_t> failed; ///< the first term that has no force
    bool movingReferences;     ///< referenceFractions are given
};

} // namespace alder::cuda
