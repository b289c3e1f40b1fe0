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

/// Waves of some y: nx x count x (nz/2 + 1) of them.
struct WaveShare {
    PmeGridShape grid;
    int first = 0, count = 0;
    [[nodiscard]] ALDER_HD int waves() const { return grid.nx * count * grid.halfZ(); }
};

/// An atom that has a charge on the grid: in units of the charge grid times bsplineScale(order)^3, as raised splines lack that factor.
struct GridSource {
    std::int32_t atom = 0;
    float charge = 0;
};

/// The planes of x, around the cell, that there is memory for: plane `first` comes first in it.
struct PlaneWindow {
    int first = 0, count = 0;
};

/// What PmeForces::flag() may hold.
enum GridTrouble : std::int32_t { chargesPiledUp = 1, atomLeftWindow = 2 };

struct SourceViews {
    View<GridSource const> sources;
    View<math::FractionVec const> positions; ///< by atom
    PmeGridShape grid;
    PlaneWindow window;
    int count = 0;
    View<std::int32_t> trouble; ///< one

    /// Where in memory the first of an atom's `order` planes is; -1, and noted, where not all of them have memory.
    [[nodiscard]] __device__ int planeOf(int cell, int order) const
    {
        int const plane = cell < window.first ? cell - window.first + grid.nx : cell - window.first;
        return window.count == grid.nx || plane + order <= window.count ? plane : -1;
    }
};

} // namespace alder::cuda
