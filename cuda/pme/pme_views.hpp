#pragma once
// What the kernels of PME read and write.
//
// Three grids with z fastest: charges (int32) and points (float; charges, later the potential) of nx x ny x nz, waves (complex float) of
// nx x ny x (nz/2 + 1), as a real transform along z leaves them. The charge grid is zero between steps: who reads it clears it.

#include "device/language.hpp"
#include "math/vec3.hpp"

#include <cstdint>

namespace alder::cuda {

struct PmeGridShape {
    int nx = 0, ny = 0, nz = 0;
    [[nodiscard]] ALDER_HD int points() const { return nx * ny * nz; }
    [[nodiscard]] ALDER_HD int halfZ() const { return nz / 2 + 1; }
    [[nodiscard]] ALDER_HD int waves() const { return nx * ny * halfZ(); }
};

/// An atom that has a charge on the grid: in units of the charge grid times bsplineScale(order)^3, as raised splines lack that factor.
struct GridSource {
    std::int32_t atom = 0;
    float charge = 0;
};

struct SourceViews {
    View<GridSource const> sources;
    View<math::FractionVec const> positions; ///< by atom
    PmeGridShape grid;
    int count = 0;
};

} // namespace alder::cuda
