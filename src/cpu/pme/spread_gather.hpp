#pragma once
// Charges to the grid and potential slopes back. Splines are computed for a vector of atoms at once; then each atom's order^2 rows of
// order points are handled as quads along z. Orders above four take two quads a row, the rest of the second being zero.

#include "cpu/pme/lanes.hpp"
#include "cpu/pme/pme_kernels.hpp"
#include "physics/bspline.hpp"

namespace alder::cpu {
namespace {

/// The atom whose quad stands in slot s after transposeQuads() of four vectors stored one after the other.
inline int atomOfSlot(int slot) { return slot % (laneCount / 4) * 4 + slot / (laneCount / 4); }

template <int order> inline constexpr int quadsOf = (order + 3) / 4;

/// One value an atom and spline point, as a quad for each atom slot.
template <int order> struct QuadTable {
    alignas(64) float quad[quadsOf<order>][laneCount * 4];
    explicit QuadTable(Lanes const* theta)
    {
        for (int g = 0; g < quadsOf<order>; ++g) {
            Lanes r[4];
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) r[j] = 4 * g + j < order ? theta[4 * g + j] : Lanes(0.0);
            transposeQuads(r[0], r[1], r[2], r[3]);
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) store(quad[g] + j * laneCount, r[j]);
        }
    }
};

/// One value an atom and spline point, by point.
template <int order> struct LaneTable {
    alignas(64) float value[order][laneCount];
    explicit LaneTable(Lanes const* theta)
    {
#pragma GCC unroll 8
        for (int j = 0; j < order; ++j) store(value[j], theta[j]);
    }
};

/// Grid cells of a vector of atoms.
struct Cells {
    alignas(64) std::int32_t x[laneCount], y[laneCount], z[laneCount];
};

/// Vectors that hold `order` rows of quads.
template <int order> inline constexpr int rowVectors = (order + blockCount - 1) / blockCount;

/// Spline factors along y of a vector of rows: those of rows first, first + 1 ..., each over a quad.
template <int order> Lanes rowsOf(QuadTable<order> const& inY, int slot, int rowVector)
{
    int const first = rowVector * blockCount;
    return rowFactors(inY.quad[first / 4] + 4 * slot, first % 4);
}

template <int order> void spreadOrder(PmeLayout const& layout, ChargeRun const& atoms, std::int32_t* slab, int firstPlane)
{
    std::int64_t const planePoints = layout.planePoints();
    std::int64_t const rowPoints = layout.rowPoints;
    for (int base = atoms.begin; base < atoms.end; base += laneCount) {
        Cells cells;
        Lanes theta[order];
        physics::bspline<order>(Lanes(splitFraction(atoms.x + base, layout.nx, cells.x)), theta);
        Lanes const charge = load(atoms.charge + base);
#pragma GCC unroll 8
        for (int j = 0; j < order; ++j) theta[j] = theta[j] * charge;
        LaneTable<order> const inX(theta);
        physics::bspline<order>(Lanes(splitFraction(atoms.y + base, layout.ny, cells.y)), theta);
        QuadTable<order> const inY(theta);
        physics::bspline<order>(Lanes(splitFraction(atoms.z + base, layout.nz, cells.z)), theta);
        QuadTable<order> const inZ(theta);
        int const count = atoms.end - base;
        for (int slot = 0; slot < laneCount; ++slot) {
            int const a = atomOfSlot(slot);
            if (a >= count) continue;
            std::int32_t* const corner =
                slab + (cells.x[a] - firstPlane) * planePoints + cells.y[a] * rowPoints + (cells.z[a] - layout.firstZ);
#pragma GCC unroll 2
            for (int g = 0; g < quadsOf<order>; ++g) {
                Lanes const z = repeatQuad(inZ.quad[g] + 4 * slot);
#pragma GCC unroll 8
                for (int v = 0; v < rowVectors<order>; ++v) {
                    Lanes const yz = rowsOf(inY, slot, v) * z;
                    int const rows = order - v * blockCount;
#pragma GCC unroll 8
                    for (int i = 0; i < order; ++i)
                        addRows(corner + i * planePoints + v * blockCount * rowPoints + 4 * g, rowPoints,
                                (broadcast(inX.value[i][a]) * yz).v, rows);
                }
            }
        }
    }
}

/// Sums of the four numbers of each quad slot, for a vector of atoms in their own order.
inline Lanes quadSums(float const* quads)
{
    Lanes r0 = load(quads), r1 = load(quads + laneCount), r2 = load(quads + 2 * laneCount), r3 = load(quads + 3 * laneCount);
    transposeQuads(r0, r1, r2, r3);
    return (r0 + r1) + (r2 + r3);
}

/// With V the potential at an atom's points, first sum_x theta V and sum_x theta' V, then the products with the y and z factors.
template <int order> void gatherOrder(PmeLayout const& layout, float const* potential, ChargeRun const& atoms, SlopeRun const& slopes)
{
    std::int64_t const planePoints = layout.planePoints();
    std::int64_t const rowPoints = layout.rowPoints;
    for (int base = atoms.begin; base < atoms.end; base += laneCount) {
        Cells cells;
        Lanes theta[order], slope[order];
        physics::bspline<order>(Lanes(splitFraction(atoms.x + base, layout.nx, cells.x)), theta, slope);
        LaneTable<order> const inX(theta), slopeX(slope);
        physics::bspline<order>(Lanes(splitFraction(atoms.y + base, layout.ny, cells.y)), theta, slope);
        QuadTable<order> const inY(theta), slopeY(slope);
        physics::bspline<order>(Lanes(splitFraction(atoms.z + base, layout.nz, cells.z)), theta, slope);
        QuadTable<order> const inZ(theta), slopeZ(slope);
        alignas(64) float gx[laneCount * 4], gy[laneCount * 4], gz[laneCount * 4];
        for (int slot = 0; slot < laneCount; ++slot) {
            int const a = atomOfSlot(slot);
            float const* const corner = potential + cells.y[a] * rowPoints + (cells.z[a] - layout.firstZ);
            float const* plane[order];
            int const x0 = cells.x[a] - layout.firstX;
#pragma GCC unroll 8
            for (int i = 0; i < order; ++i) plane[i] = corner + (x0 + i < layout.wrapX ? x0 + i : x0 + i - layout.nx) * planePoints;
            Lanes x(0.0), y(0.0), z(0.0);
#pragma GCC unroll 2
            for (int g = 0; g < quadsOf<order>; ++g) {
                Lanes const tz = repeatQuad(inZ.quad[g] + 4 * slot), dz = repeatQuad(slopeZ.quad[g] + 4 * slot);
#pragma GCC unroll 8
                for (int v = 0; v < rowVectors<order>; ++v) {
                    Lanes sum(0.0), slopeSum(0.0);
#pragma GCC unroll 8
                    for (int i = 0; i < order; ++i) {
                        Lanes const value = loadQuads(plane[i] + v * blockCount * rowPoints + 4 * g, rowPoints);
                        sum = fma(broadcast(inX.value[i][a]), value, sum);
                        slopeSum = fma(broadcast(slopeX.value[i][a]), value, slopeSum);
                    }
                    Lanes const ty = rowsOf(inY, slot, v), dy = rowsOf(slopeY, slot, v);
                    x = fma(ty * tz, slopeSum, x);
                    y = fma(dy * tz, sum, y);
                    z = fma(ty * dz, sum, z);
                }
            }
            _mm_store_ps(gx + 4 * slot, sumOfBlocks(x.v));
            _mm_store_ps(gy + 4 * slot, sumOfBlocks(y.v));
            _mm_store_ps(gz + 4 * slot, sumOfBlocks(z.v));
        }
        Lanes const charge = load(atoms.charge + base);
        store(slopes.x + base, quadSums(gx) * charge);
        store(slopes.y + base, quadSums(gy) * charge);
        store(slopes.z + base, quadSums(gz) * charge);
    }
}

inline void spread(PmeLayout const& layout, ChargeRun const& atoms, std::int32_t* slab, int firstPlane)
{
    switch (layout.order) {
    case 3: return spreadOrder<3>(layout, atoms, slab, firstPlane);
    case 4: return spreadOrder<4>(layout, atoms, slab, firstPlane);
    case 5: return spreadOrder<5>(layout, atoms, slab, firstPlane);
    case 6: return spreadOrder<6>(layout, atoms, slab, firstPlane);
    case 7: return spreadOrder<7>(layout, atoms, slab, firstPlane);
    default: return spreadOrder<8>(layout, atoms, slab, firstPlane);
    }
}

inline void gather(PmeLayout const& layout, float const* potential, ChargeRun const& atoms, SlopeRun const& slopes)
{
    switch (layout.order) {
    case 3: return gatherOrder<3>(layout, potential, atoms, slopes);
    case 4: return gatherOrder<4>(layout, potential, atoms, slopes);
    case 5: return gatherOrder<5>(layout, potential, atoms, slopes);
    case 6: return gatherOrder<6>(layout, potential, atoms, slopes);
    case 7: return gatherOrder<7>(layout, potential, atoms, slopes);
    default: return gatherOrder<8>(layout, potential, atoms, slopes);
    }
}

} // namespace
} // namespace alder::cpu
