#pragma once
// The passes over the grid between spreading and gathering.

#include "cpu/pme/line_fft.hpp"
#include "cpu/pme/pme_kernels.hpp"
#include "physics/ewald.hpp"

#include <cstring>

namespace alder::cpu {
namespace {

inline LineScratch lineScratch(PmeScratch const& scratch) { return {scratch.lineA, scratch.lineB, scratch.points}; }

/// Row y of a charge plane, its margins folded back: sums of all slabs' rows y and y + ny, points z and z + nz.
inline void foldRow(PmeLayout const& layout, PlaneSources const& sources, int y, std::int32_t* row)
{
    int const points = layout.rowPoints;
    std::int64_t const offset = std::int64_t{y} * points;
    std::memcpy(row, sources.plane[0] + offset, static_cast<std::size_t>(points) * sizeof(std::int32_t));
    for (int s = 1; s < sources.count; ++s) {
        std::int32_t const* const more = sources.plane[s] + offset;
        for (int z = 0; z < points; ++z) row[z] += more[z];
    }
    if (y < layout.order - 1)
        for (int s = 0; s < sources.count; ++s) {
            std::int32_t const* const more = sources.plane[s] + offset + std::int64_t{layout.ny} * points;
            for (int z = 0; z < points; ++z) row[z] += more[z];
        }
    for (int z = 0; z < layout.order - 1; ++z) row[z] += row[layout.nz + z];
    for (int z = layout.nz; z < layout.zPairs * 2 * laneCount; ++z) row[z] = 0;
}

inline void inspect(PlaneCheck& check, std::int32_t const* row, int points)
{
    std::int64_t sum = 0;
    std::int32_t least = check.least, largest = check.largest;
    for (int z = 0; z < points; ++z) {
        sum += row[z];
        least = row[z] < least ? row[z] : least;
        largest = row[z] > largest ? row[z] : largest;
    }
    check = {check.sum + sum, least, largest};
}

/// Two real lines a and b go through one complex transform as a + i b:  A_k = (X_k + conj X_{n-k})/2,  B_k = (X_k - conj X_{n-k})/(2 i).
/// The half is taken with the charge unit, which is exact.
inline PlaneCheck forwardY(PmeLayout const& layout, FftView const& plan, PlaneSources const& sources, PmeScratch const& scratch,
                           float* waves, int x)
{
    int const ny = layout.ny, rowFloats = layout.zPairs * complexFloats;
    Lanes const unit(0.5 * layout.chargeUnit);
    PlaneCheck found{0, 0, 0};
    for (int y = 0; y < ny; ++y) {
        foldRow(layout, sources, y, scratch.row);
        inspect(found, scratch.row, layout.nz);
        for (int z = 0; z < rowFloats; z += laneCount)
            store(scratch.plane + std::int64_t{y} * rowFloats + z, Lanes(fromIntegers(scratch.row + z)) * unit);
    }
    float* const rowOfX = waves + x * layout.waveRowFloats();
    for (int pair = 0; pair < layout.zPairs; ++pair) {
        transformLine<-1>(plan, {scratch.plane + pair * complexFloats, rowFloats}, {scratch.line, complexFloats}, lineScratch(scratch));
        for (int k = 0; k < layout.halfY; ++k) {
            ComplexLanes const p = loadComplex(scratch.line + std::int64_t{k} * complexFloats);
            ComplexLanes const q = loadComplex(scratch.line + std::int64_t{k == 0 ? 0 : ny - k} * complexFloats);
            float* const to = rowOfX + k * layout.wavePlaneFloats() + std::int64_t{2 * pair} * complexFloats;
            storeComplex(to, {p.re + q.re, p.im - q.im});
            storeComplex(to + complexFloats, {p.im + q.im, q.re - p.re});
        }
    }
    return found;
}

template <int sign> void transformX(PmeLayout const& layout, FftView const& plan, PmeScratch const& scratch, float* wavePlane)
{
    for (int block = 0; block < layout.zBlocks; ++block) {
        float* const column = wavePlane + block * complexFloats;
        transformLine<sign>(plan, {column, layout.waveRowFloats()}, {column, layout.waveRowFloats()}, lineScratch(scratch));
    }
}
inline void forwardX(PmeLayout const& layout, FftView const& plan, PmeScratch const& scratch, float* wavePlane)
{
    transformX<-1>(layout, plan, scratch, wavePlane);
}
inline void backwardX(PmeLayout const& layout, FftView const& plan, PmeScratch const& scratch, float* wavePlane)
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
        double const shift = (2 * z < layout.nz ? z : z - layout.nz) * waves.cStarZ;
        for (int l = 0; l < laneCount; ++l) {
            double const re = wave[l], im = wave[laneCount + l];
            double const e = 0.5 * factor[l] * (re * re + im * im);
            double const mz = waves.mz0[l] + shift;
            // The constant wave has no m to divide by, and no energy either.
            double const m2 = waves.mx[l] * waves.mx[l] + waves.my[l] * waves.my[l] + mz * mz;
            double const ev = e * physics::reciprocalVirialFactor(Wide(m2 > 0 ? m2 : 1.0), Wide(waves.beta)).v;
            total.energy[l] += e;
            total.virial[l] += ev;
            total.virialZ[l] += ev * mz;
            total.virialZZ[l] += ev * mz * mz;
        }
    }
    sums = total;
}

inline void solveZ(PmeLayout const& layout, FftView const& plan, PmeScratch const& scratch, float* wavePlane, int row,
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
            transposeTile(scratch.column + block * tile + part * laneCount, complexFloats,
                          rows + block * complexFloats + part * laneCount, step);
}

/// The reverse of forwardY(): X_k = A_k + i B_k, X_{n-k} = conj A_k + i conj B_k; the transform's real and imaginary parts are two lines.
inline void backwardY(PmeLayout const& layout, FftView const& plan, PmeScratch const& scratch, float const* waves, float* plane, int x)
{
    int const ny = layout.ny, rowFloats = layout.zPairs * complexFloats;
    float const* const rowOfX = waves + x * layout.waveRowFloats();
    for (int pair = 0; pair < layout.zPairs; ++pair) {
        bool const lone = 2 * pair + 1 == layout.zBlocks; // its partner is all margin
        for (int k = 0; k < layout.halfY; ++k) {
            float const* const from = rowOfX + k * layout.wavePlaneFloats() + std::int64_t{2 * pair} * complexFloats;
            ComplexLanes const a = loadComplex(from);
            ComplexLanes const b = lone ? ComplexLanes{Lanes(0.0), Lanes(0.0)} : loadComplex(from + complexFloats);
            storeComplex(scratch.line + std::int64_t{k} * complexFloats, {a.re - b.im, a.im + b.re});
            if (k > 0 && 2 * k < ny) storeComplex(scratch.line + std::int64_t{ny - k} * complexFloats, {a.re + b.im, b.re - a.im});
        }
        transformLine<1>(plan, {scratch.line, complexFloats}, {scratch.plane + pair * complexFloats, rowFloats}, lineScratch(scratch));
    }
    std::size_t const rowBytes = static_cast<std::size_t>(layout.nz) * sizeof(float);
    for (int y = 0; y < ny; ++y) {
        float* const row = plane + std::int64_t{y} * layout.rowPoints;
        std::memcpy(row, scratch.plane + std::int64_t{y} * rowFloats, rowBytes);
        for (int z = layout.nz; z < layout.rowPoints; ++z) row[z] = row[z - layout.nz];
    }
    std::memcpy(plane + std::int64_t{ny} * layout.rowPoints, plane,
                static_cast<std::size_t>(layout.order - 1) * static_cast<std::size_t>(layout.rowPoints) * sizeof(float));
}

} // namespace
} // namespace alder::cpu
