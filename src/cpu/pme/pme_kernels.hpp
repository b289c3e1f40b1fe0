#pragma once
// The inner loops of PME, one set per instruction set, and the memory they share.
//
// Three grids, all with z contiguous:
//   charges    int32, one slab of x planes per thread with order-1 planes, rows and points more than the cell holds, so that spreading
//              never wraps; folded back when a plane is read
//   waves      complex float, after the real-to-complex transform along y: plane ky = 0..ny/2, row x, vectors of z. One vector of real
//              parts is followed by its vector of imaginary parts, so a row is a line of `lanes` lanes each
//   potential  float, with the same margins in y and z as the charges, copied from the cell's other side
//
// The transforms run one line in each vector lane, so a line's bits don't depend on what shares the vector: forward along y for a
// plane of x; along x and z, the influence function, and back along z and x for a plane of ky, in cache; backward along y.

#include "pme/line_plan.hpp"

#include <cstdint>

namespace alder::cpu {

/// Sizes of the grids, and of one rank's share of them.
struct PmeLayout {
    int order, nx, ny, nz;
    int firstX, ownX; ///< planes of charges and potential
    int firstZ, ownZ; ///< points of their rows
    int wrapX;        ///< planes of the potential after which the first one follows: nx on a lone rank, none where margins are stored
    int foldZ;        ///< points beyond a row's end that are its beginning: order-1; 0 where other ranks have them
    int lanes;        ///< floats in a vector
    int rowPoints;    ///< of charges and potential: ownZ plus the margin, in points
    int planeRows;    ///< of charges and potential: ny plus the margin
    int zPairs;       ///< pairs of vectors that hold a row of ownZ points: the two lines of one complex transform along y
    int zBlocks;      ///< vectors that hold a row of ownZ points
    int waveRow;      ///< complex vectors from one row of the waves to the next; odd on a lone rank: a column spreads over the cache's sets
    int waveRows;     ///< nx rounded up to lanes
    int wavePlane;    ///< complex vectors from one plane of the waves to the next; odd for the same reason
    int halfY;        ///< ny / 2 + 1
    double chargeUnit; ///< e: the quantum of the charge grid
    double slopeUnit;  ///< of gathered slopes; the raised spline's slope lacks one factor order-1
    // Always inlined: an instruction set's kernels must not bring their own copy of a shared function to the linker.
    [[nodiscard, gnu::always_inline]] std::int64_t planePoints() const { return std::int64_t{rowPoints} * planeRows; }
    [[nodiscard, gnu::always_inline]] std::int64_t waveRowFloats() const { return std::int64_t{waveRow} * 2 * lanes; }
    [[nodiscard, gnu::always_inline]] std::int64_t wavePlaneFloats() const { return std::int64_t{wavePlane} * 2 * lanes; }
    [[nodiscard, gnu::always_inline]] std::int64_t influencePlane() const { return std::int64_t{waveRows} * nz; }
};

/// Atoms in grid order: fractions of the box vectors, and charges in units of the charge grid times bsplineScale(order)^3, as raised
/// splines lack that factor. Readable up to a multiple of the lanes, with charge 0 there.
struct ChargeRun {
    std::int32_t const *x, *y, *z;
    float const* charge;
    int begin, end; ///< begin is a multiple of the lanes for gather, any for spread
};

/// Slopes of the potential along the grid axes times the charge, by atom, times PmeLayout::slopeUnit: kJ/mol per grid spacing.
struct SlopeRun {
    float *x, *y, *z;
};

/// The charge planes that add up to plane x, from the slabs that touch it.
struct PlaneSources {
    std::int32_t const* plane[16]; ///< readable for a vector beyond the end
    int count;
};

/// Of a plane of the charge grid, to detect overflow, e.
struct PlaneCheck {
    double sum;
    float least, largest;
};

/// Buffers of one thread.
struct PmeScratch {
    float* plane;                         ///< ny x zPairs pairs of vectors
    float* column;                        ///< `lanes` z lines: zBlocks x lanes complex vectors
    float *line, *lineA, *lineB, *points; ///< as many complex vectors as the longest line has points
};

/// Sums over some waves of `lanes` z lines (rows x of one ky): of e v, e v l and e v l^2, where e = G |S|^2 / 2, v is
/// reciprocalVirialFactor() or given, and l the signed wave number along z.
struct WaveSums {
    double v[16], vl[16], vll[16];
};

/// Energies of the lines, and virial sums of the waves with l > 0, l < 0, l = 0 and, on an even grid, 2 l = -nz.
struct LineSums {
    double energy[16];
    WaveSums positive, negative, flat, highest;
};

/// The waves of the lines to be summed: m = (mx, my, mz0 + iz' cStarZ), 1/nm, iz' the signed wave number.
struct LineWaves {
    double mx[16], my[16], mz0[16];
    double cStarZ, beta;
    double const* virialFactor; ///< by z and lane, where it is not reciprocalVirialFactor(); else null
};

struct PmeKernels {
    int lanes;
    /// Adds the charges of atoms to a slab whose first plane is `firstPlane`.
    void (*spread)(PmeLayout const&, ChargeRun const&, std::int32_t* slab, int firstPlane);
    /// Charge plane -> waves (x, all ky). Waves: by ky the row of the first plane; x counts from there.
    PlaneCheck (*forwardY)(PmeLayout const&, pme::LineView const& y, PlaneSources const&, PmeScratch const&, float* const* waves, int x);
    /// Along x, all rows of one ky plane, forward or backward.
    void (*forwardX)(PmeLayout const&, pme::LineView const& x, PmeScratch const&, float* wavePlane);
    void (*backwardX)(PmeLayout const&, pme::LineView const& x, PmeScratch const&, float* wavePlane);
    /// Rows [row, row + lanes) of a ky plane: along z, times the influence function, back. Sums where `waves` is given.
    void (*solveZ)(PmeLayout const&, pme::LineView const& z, PmeScratch const&, float* wavePlane, int row, float const* influence,
                   LineWaves const* waves, LineSums* sums);
    /// Waves (x, all ky) -> potential plane.
    void (*backwardY)(PmeLayout const&, pme::LineView const& y, PmeScratch const&, float* const* waves, float* plane, int x);
    /// Charge times the slope of the potential at atoms.
    void (*gather)(PmeLayout const&, float const* potential, ChargeRun const&, SlopeRun const&);
};

PmeKernels const& pmeKernelsSse41();
PmeKernels const& pmeKernelsAvx2();
PmeKernels const& pmeKernelsAvx512();

} // namespace alder::cpu
