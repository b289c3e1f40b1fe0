#pragma once
// The passes over the grid between spreading and gathering.

#include "cpu/pme/line_fft.hpp"
#include "cpu/pme/pme_kernels.hpp"
#include "physics/ewald.hpp"

#include <cstring>

namespace alder::cpu {
namespace {

inline LineScratch lineScratch(PmeScratch const& scratch) { return {scratch.lineA, scratch.lineB, scratch.points}; }

/// Points z of all slabs' rows y and y + ny of a charge plane, and in the first vectors their margin, points z + nz.
inline NativeWhole foldedPoints(PmeLayout const& layout, PlaneSources const& sources, int y, int z)
{
    std::int64_t const offset = std::int64_t{y} * layout.rowPoints, margin = offset + std::int64_t{layout.ny} * layout.rowPoints;
    auto const sum = [&](int at) {
        NativeWhole points = wholeLoad(sources.plane[0] + offset + at);
        for (int s = 1; s < sources.count; ++s) points = wholeAdd(points, wholeLoad(sources.plane[s] + offset + at));
        if (y < layout.order - 1)
            for (int s = 0; s < sources.count; ++s) points = wholeAdd(points, wholeLoad(sources.plane[s] + margin + at));
        return points;
    };
    NativeWhole points = wholeAnd(sum(z), maskBelow(layout.ownZ - z));
    if (z < layout.foldZ) points = wholeAdd(points, wholeAnd(sum(z + layout.ownZ), maskBelow(layout.foldZ - z)));
    return points;
}

/// Two real lines a and b go through one complex transform as a + i b:  A_k = (X_k + conj X_{n-k})/2,  B_k = (X_k - conj X_{n-k})/(2 i).
/// The half is taken with the charge unit, which is exact.
inline PlaneCheck forwardY(PmeLayout const& layout, pme::LineView const& plan, PlaneSources const& sources, PmeScratch const& scratch,
                           float* const* waves, int x)
{
    int const ny = layout.ny, rowFloats = layout.zPairs * complexFloats;
    Lanes const unit(0.5 * layout.chargeUnit);
    Lanes total(0.0), least(0.0), largest(0.0);
    for (int y = 0; y < ny; ++y)
        for (int z = 0; z < layout.zBlocks * laneCount; z += laneCount) {
            Lanes const charge = Lanes(fromWhole(foldedPoints(layout, sources, y, z))) * unit;
            store(scratch.plane + std::int64_t{y} * rowFloats + z, charge);
            total = total + charge;
            least = nativeMin(least.v, charge.v);
            largest = nativeMax(largest.v, charge.v);
        }
    PlaneCheck found{0, 0, 0};
    alignas(64) float sums[3][laneCount];
    store(sums[0], total);
    store(sums[1], least);
    store(sums[2], largest);
    for (int l = 0; l < laneCount; ++l) {
        found.sum += 2.0 * sums[0][l];
        found.least = 2 * sums[1][l] < found.least ? 2 * sums[1][l] : found.least;
        found.largest = 2 * sums[2][l] > found.largest ? 2 * sums[2][l] : found.largest;
    }
    std::int64_t const row = x * layout.waveRowFloats();
    for (int pair = 0; pair < layout.zPairs; ++pair) {
        bool const lone = 2 * pair + 1 == layout.zBlocks; // its partner is all margin
        transformLine<-1>(plan, {scratch.plane + pair * complexFloats, rowFloats}, {scratch.line, complexFloats}, lineScratch(scratch));
        for (int k = 0; k < layout.halfY; ++k) {
            ComplexLanes const p = loadComplex(scratch.line + std::int64_t{k} * complexFloats);
            ComplexLanes const q = loadComplex(scratch.line + std::int64_t{k == 0 ? 0 : ny - k} * complexFloats);
            float* const to = waves[k] + row + std::int64_t{2 * pair} * complexFloats;
            storeComplex(to, {p.re + q.re, p.im - q.im});
            if (!lone) storeComplex(to + complexFloats, {p.im + q.im, q.re - p.re});
        }
    }
    return found;
}

template <int sign> void transformX(PmeLayout const& layout, pme::LineView const& plan, PmeScratch const& scratch, float* wavePlane)
{
    for (int block = 0; block < layout.zBlocks; ++block) {
        float* const column = wavePlane + block * complexFloats;
        transformLine<sign>(plan, {column, layout.waveRowFloats()}, {column, layout.waveRowFloats()}, lineScratch(scratch));
    }
}
inline void forwardX(PmeLayout const& layout, pme::LineView const& plan, PmeScratch const& scratch, float* wavePlane)
{
    transformX<-1>(layout, plan, scratch, wavePlane);
}
inline void backwardX(PmeLayout const& layout, pme::LineView const& plan, PmeScratch const& scratch, float* wavePlane)
{
    transformX<1>(layout, plan, scratch, wavePlane);
}

/// A double of this instruction set's own, so that templates over it stay inside this translation unit.
struct Wide {
    double v;
    Wide(double x) : v(x) {}
    friend Wide operator+(Wide a, Wide b) { return a.v + b.v; }
    friend Wide operator*(Wide a, Wide b) { return a.v * b.v; }
    friend Wide operator/(Wide a, Wide b) { return a.v / b.v; }
};

inline void sumLines(PmeLayout const& layout, float const* column, float const* influence, LineWaves const& waves, LineSums& sums)
{
    LineSums total{};
    for (int z = 0; z < layout.nz; ++z) {
        float const* const wave = column + std::int64_t{z} * complexFloats;
        float const* const factor = influence + std::int64_t{z} * laneCount;
        int const l = 2 * z < layout.nz ? z : z - layout.nz;
        WaveSums& part = l == 0 ? total.flat : 2 * l == -layout.nz ? total.highest : l > 0 ? total.positive : total.negative;
        for (int lane = 0; lane < laneCount; ++lane) {
            double const re = wave[lane], im = wave[laneCount + lane];
            double const e = 0.5 * factor[lane] * (re * re + im * im);
            double const mz = waves.mz0[lane] + l * waves.cStarZ;
            // The constant wave has no m to divide by, and no energy either.
            double const m2 = waves.mx[lane] * waves.mx[lane] + waves.my[lane] * waves.my[lane] + mz * mz;
            double const ev =
                e * (waves.virialFactor != nullptr ? waves.virialFactor[z * laneCount + lane]
                                                   : physics::reciprocalVirialFactor(Wide(m2 > 0 ? m2 : 1.0), Wide(waves.beta)).v);
            total.energy[lane] += e;
            part.v[lane] += ev;
            part.vl[lane] += ev * l;
            part.vll[lane] += ev * l * l;
        }
    }
    sums = total;
}

inline void solveZ(PmeLayout const& layout, pme::LineView const& plan, PmeScratch const& scratch, float* wavePlane, int row,
                   float const* influence, LineWaves const* waves, LineSums* sums)
{
    std::int64_t const step = layout.waveRowFloats();
    float* const rows = wavePlane + row * step;
    constexpr int tile = laneCount * complexFloats;
    for (int block = 0; block < layout.zBlocks; ++block)
        for (int part = 0; part < 2; ++part)
            transposeTile(rows + block * complexFloats + part * laneCount, step, scratch.column + block * tile + part * laneCount,
                          complexFloats);
    transformLine<-1>(plan, {scratch.column, complexFloats}, {scratch.column, complexFloats}, lineScratch(scratch));
    if (waves) sumLines(layout, scratch.column, influence, *waves, *sums);
    for (int z = 0; z < layout.nz; ++z) {
        Lanes const factor = load(influence + std::int64_t{z} * laneCount);
        float* const at = scratch.column + std::int64_t{z} * complexFloats;
        ComplexLanes const wave = loadComplex(at);
        storeComplex(at, {wave.re * factor, wave.im * factor});
    }
    transformLine<1>(plan, {scratch.column, complexFloats}, {scratch.column, complexFloats}, lineScratch(scratch));
    for (int block = 0; block < layout.zBlocks; ++block)
        for (int part = 0; part < 2; ++part)
            transposeTile(scratch.column + block * tile + part * laneCount, complexFloats, rows + block * complexFloats + part * laneCount,
                          step);
}

/// The reverse of forwardY(): X_k = A_k + i B_k, X_{n-k} = conj A_k + i conj B_k; the transform's real and imaginary parts are two lines.
/// Lines are written straight to their rows, the last pair first: what it writes beyond a row's end lies in the next row's first pair.
inline void backwardY(PmeLayout const& layout, pme::LineView const& plan, PmeScratch const& scratch, float* const* waves, float* plane,
                      int x)
{
    int const ny = layout.ny;
    std::int64_t const row = x * layout.waveRowFloats();
    for (int pair = layout.zPairs - 1; pair >= 0; --pair) {
        bool const lone = 2 * pair + 1 == layout.zBlocks;
        for (int k = 0; k < layout.halfY; ++k) {
            float const* const from = waves[k] + row + std::int64_t{2 * pair} * complexFloats;
            ComplexLanes const a = loadComplex(from);
            ComplexLanes const b = lone ? ComplexLanes{Lanes(0.0), Lanes(0.0)} : loadComplex(from + complexFloats);
            storeComplex(scratch.line + std::int64_t{k} * complexFloats, {a.re - b.im, a.im + b.re});
            if (k > 0 && 2 * k < ny) storeComplex(scratch.line + std::int64_t{ny - k} * complexFloats, {a.re + b.im, b.re - a.im});
        }
        transformLine<1>(plan, {scratch.line, complexFloats}, {plane + pair * complexFloats, layout.rowPoints}, lineScratch(scratch));
    }
    if (layout.foldZ > 0)
        for (int y = 0; y < ny; ++y) {
            float* const points = plane + std::int64_t{y} * layout.rowPoints;
            for (int z = layout.ownZ; z < layout.rowPoints; ++z) points[z] = points[z - layout.ownZ];
        }
    std::memcpy(plane + std::int64_t{ny} * layout.rowPoints, plane,
                static_cast<std::size_t>(layout.planeRows - ny) * static_cast<std::size_t>(layout.rowPoints) * sizeof(float));
}

} // namespace
} // namespace alder::cpu
