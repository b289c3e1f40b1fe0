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

inline void addRounded(std::int32_t* p, __m128 value)
{
    auto* const at = reinterpret_cast<__m128i*>(p);
    _mm_storeu_si128(at, _mm_add_epi32(_mm_loadu_si128(at), _mm_cvtps_epi32(value)));
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
        LaneTable<order> const inY(theta);
        physics::bspline<order>(Lanes(splitFraction(atoms.z + base, layout.nz, cells.z)), theta);
        QuadTable<order> const inZ(theta);
        int const count = atoms.end - base;
        for (int slot = 0; slot < laneCount; ++slot) {
            int const a = atomOfSlot(slot);
            if (a >= count) continue;
            std::int32_t* const corner = slab + (cells.x[a] - firstPlane) * planePoints + cells.y[a] * rowPoints + cells.z[a];
            __m128 z[quadsOf<order>];
#pragma GCC unroll 2
            for (int g = 0; g < quadsOf<order>; ++g) z[g] = _mm_load_ps(inZ.quad[g] + 4 * slot);
#pragma GCC unroll 8
            for (int j = 0; j < order; ++j) {
                __m128 yz[quadsOf<order>];
#pragma GCC unroll 2
                for (int g = 0; g < quadsOf<order>; ++g) yz[g] = _mm_set1_ps(inY.value[j][a]) * z[g];
#pragma GCC unroll 8
                for (int i = 0; i < order; ++i) {
                    std::int32_t* const row = corner + i * planePoints + j * rowPoints;
#pragma GCC unroll 2
                    for (int g = 0; g < quadsOf<order>; ++g) addRounded(row + 4 * g, _mm_set1_ps(inX.value[i][a]) * yz[g]);
                }
            }
        }
    }
}

/// a b + c, rounded once where the instruction set has it.
inline __m128 quadFma(__m128 a, __m128 b, __m128 c)
{
#if defined(__FMA__)
    return _mm_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}

/// Sums of the four numbers of each quad slot, for a vector of atoms in their own order.
inline Lanes quadSums(float const* quads)
{
    Lanes r0 = load(quads), r1 = load(quads + laneCount), r2 = load(quads + 2 * laneCount), r3 = load(quads + 3 * laneCount);
    transposeQuads(r0, r1, r2, r3);
    return (r0 + r1) + (r2 + r3);
}

template <int order> void gatherOrder(PmeLayout const& layout, float const* potential, ChargeRun const& atoms, SlopeRun const& slopes)
{
    constexpr int quads = quadsOf<order>;
    std::int64_t const planePoints = layout.planePoints();
    std::int64_t const rowPoints = layout.rowPoints;
    for (int base = atoms.begin; base < atoms.end; base += laneCount) {
        Cells cells;
        Lanes theta[order], slope[order];
        physics::bspline<order>(Lanes(splitFraction(atoms.x + base, layout.nx, cells.x)), theta, slope);
        LaneTable<order> const inX(theta), slopeX(slope);
        physics::bspline<order>(Lanes(splitFraction(atoms.y + base, layout.ny, cells.y)), theta, slope);
        LaneTable<order> const inY(theta), slopeY(slope);
        physics::bspline<order>(Lanes(splitFraction(atoms.z + base, layout.nz, cells.z)), theta, slope);
        QuadTable<order> const inZ(theta), slopeZ(slope);
        alignas(64) float gx[laneCount * 4], gy[laneCount * 4], gz[laneCount * 4];
        for (int slot = 0; slot < laneCount; ++slot) {
            int const a = atomOfSlot(slot);
            float const* const rows = potential + cells.y[a] * rowPoints + cells.z[a];
            __m128 sx[quads], sy[quads], sz[quads];
#pragma GCC unroll 2
            for (int g = 0; g < quads; ++g) sx[g] = sy[g] = sz[g] = _mm_setzero_ps();
#pragma GCC unroll 8
            for (int i = 0; i < order; ++i) {
                int const plane = cells.x[a] + i < layout.nx ? cells.x[a] + i : cells.x[a] + i - layout.nx;
                float const* const corner = rows + plane * planePoints;
                __m128 const tx = _mm_set1_ps(inX.value[i][a]), dx = _mm_set1_ps(slopeX.value[i][a]);
#pragma GCC unroll 2
                for (int g = 0; g < quads; ++g) {
                    __m128 sum = _mm_setzero_ps(), slopeSum = _mm_setzero_ps();
#pragma GCC unroll 8
                    for (int j = 0; j < order; ++j) {
                        __m128 const v = _mm_loadu_ps(corner + j * rowPoints + 4 * g);
                        sum = quadFma(_mm_set1_ps(inY.value[j][a]), v, sum);
                        slopeSum = quadFma(_mm_set1_ps(slopeY.value[j][a]), v, slopeSum);
                    }
                    sx[g] = quadFma(dx, sum, sx[g]);
                    sy[g] = quadFma(tx, slopeSum, sy[g]);
                    sz[g] = quadFma(tx, sum, sz[g]);
                }
            }
            __m128 x = _mm_setzero_ps(), y = x, z = x;
#pragma GCC unroll 2
            for (int g = 0; g < quads; ++g) {
                __m128 const tz = _mm_load_ps(inZ.quad[g] + 4 * slot), dz = _mm_load_ps(slopeZ.quad[g] + 4 * slot);
                x = quadFma(tz, sx[g], x);
                y = quadFma(tz, sy[g], y);
                z = quadFma(dz, sz[g], z);
            }
            _mm_store_ps(gx + 4 * slot, x);
            _mm_store_ps(gy + 4 * slot, y);
            _mm_store_ps(gz + 4 * slot, z);
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
