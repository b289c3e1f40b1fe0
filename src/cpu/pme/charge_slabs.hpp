#pragma once
// The charge grid of one rank: a slab of planes for each thread, and beyond it as many planes as splines reach.

#include "cpu/pme/aligned_array.hpp"
#include "cpu/pme/pme_kernels.hpp"

#include <vector>

namespace alder::cpu {

/// Planes are counted from the rank's first one.
class ChargeSlabs {
public:
    ChargeSlabs(PmeLayout const& layout, int threads);
    /// Which planes each thread spreads: about the same number of atoms each. planeStart: the first atom of each plane, and all.
    void divide(std::vector<int> const& planeStart);
    /// Spreads a thread's atoms: those of its planes.
    void spread(PmeKernels const& kernels, ChargeRun atoms, std::vector<int> const& planeStart, int thread);
    /// All that this rank has spread to a plane. Beyond the last plane: after completeMargin().
    [[nodiscard]] PlaneSources sourcesOf(int plane) const;

    // ---- where several ranks share the planes

    /// Adds what other slabs have beyond the rank's last plane to the slab that ends there.
    void completeMargin();
    /// Planes beyond the last one, one after the other.
    [[nodiscard]] std::int32_t const* margin() const;
    /// One of the addends of a plane.
    [[nodiscard]] std::int32_t* addend(int plane);

private:
    struct Slab {
        int first = 0, end = 0; ///< planes whose atoms it takes
        AlignedArray<std::int32_t> charges;
        [[nodiscard]] bool empty() const { return end == first; }
    };
    [[nodiscard]] int planesOf(Slab const& slab) const { return slab.end - slab.first + layout_.order - 1; }
    [[nodiscard]] bool shared() const { return layout_.wrapX != layout_.nx; }

    PmeLayout layout_;
    std::vector<Slab> slabs_;
    std::size_t last_ = 0; ///< the slab that ends with the rank's last plane
};

} // namespace alder::cpu
