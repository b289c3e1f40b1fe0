#pragma once
// The force and prune kernels, once for all instruction sets: the schedule is here, the formulas come from physics/pair_potential.hpp,
// the registers from a Simd type of pack_*.hpp. Included by one translation unit per instruction set.
//
// A tile is four i rows against eight j lanes. All rows go through each stage together (lock-step), so that four independent chains hide
// the latency of the polynomial and of rsqrt: row after row left the floating-point pipes half empty.

#include "cpu/pairs/energy_kernel.hpp"
#include "physics/pair_potential.hpp"

#include <utility>

namespace alder::cpu {

/// Calls body(integral_constant<int, 0>), ..., <N-1>: arrays of registers need indices that the compiler knows.
template <int N, class Body> [[gnu::always_inline]] inline void unrolled(Body&& body)
{
    [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) { (body(std::integral_constant<int, k>{}), ...); }
    (std::make_integer_sequence<int, N>{});
}
#define ALDER_EACH(k) [&](auto k) __attribute__((always_inline)) // NOLINT(bugprone-macro-parentheses): k is a name

template <CoulombFlavour coulomb_, LjFlavour lj_, ParameterFlavour parameters_> struct Flavour {
    static constexpr CoulombFlavour coulomb = coulomb_;
    static constexpr LjFlavour lj = lj_;
    static constexpr ParameterFlavour parameters = parameters_;
    static constexpr int degree = coulomb == CoulombFlavour::ewald11 ? 11 : 19;
};

/// Constants of a run, spread over registers (or the stack, from where they are as cheap).
template <class Simd, class Flavour> struct SpreadConstants {
    using F = typename Simd::F;
    F coulombCutoff2, ljCutoff2, smooth, polynomialScale, one, three, half, quantum;
    F polynomial[mostCoefficients], gridPolynomial[Flavour::lj == LjFlavour::ewald ? gridCoefficients : 1];
    F switchStart, inverseSwitchWidth, sixA, sixB, twelveA, twelveB;

    explicit SpreadConstants(KernelConstants const& c)
        : coulombCutoff2(Simd::all(c.coulombCutoff2)),
          ljCutoff2(Simd::all(c.ljCutoff2)),
          smooth(Simd::all(c.smooth)),
          polynomialScale(Simd::all(c.polynomialScale)),
          one(Simd::all(1.0F)),
          three(Simd::all(3.0F)),
          half(Simd::all(0.5F)),
          quantum(Simd::all(c.quantum)),
          switchStart(Simd::all(c.switchStart)),
          inverseSwitchWidth(Simd::all(c.inverseSwitchWidth)),
          sixA(Simd::all(c.sixA)),
          sixB(Simd::all(c.sixB)),
          twelveA(Simd::all(c.twelveA)),
          twelveB(Simd::all(c.twelveB))
    {
        for (int k = 0; k < mostCoefficients; ++k) polynomial[k] = Simd::all(c.polynomial[k]);
        if constexpr (Flavour::lj == LjFlavour::ewald)
            for (int k = 0; k < gridCoefficients; ++k) gridPolynomial[k] = Simd::all(c.gridPolynomial[k]);
    }
};

/// One i cluster, relative to its first atom, and what its pairs add up to.
template <class Simd, class Flavour> struct Rows {
    using F = typename Simd::F;
    using I = typename Simd::I;
    static constexpr int packs = Simd::packs;
    F x[packs], y[packs], z[packs], charge[packs], six[packs], twelve[packs];
    I tableRow[packs];
    I fx[packs], fy[packs], fz[packs];
    I originX, originY, originZ; ///< of the j side: the first atom, moved by the image shift
    F guard;

    void take(KernelInput const& input, pairs::ListEntry const& entry)
    {
        KernelConstants const& c = *input.constants;
        std::int32_t const slot = entry.iCluster * pairs::rowCount, base = (entry.iCluster >> 1) * 24 + (entry.iCluster & 1) * 4;
        std::int32_t const* const at = input.coordinates + base;
        std::int32_t const* const shift = input.shifts + 3 * entry.shift;
        float px[4], py[4], pz[4], q[4];
        [[maybe_unused]] float c6[4], c12[4];
        [[maybe_unused]] std::int32_t type[4];
        for (int r = 0; r < 4; ++r) {
            // Empty rows go out of reach of empty lanes too, which lie hundreds of nm away.
            bool const filled = r < entry.filledRows;
            px[r] = filled ? static_cast<float>(at[r] - at[0]) * c.quantum : 1e6F;
            py[r] = filled ? static_cast<float>(at[8 + r] - at[8]) * c.quantum : 1e6F;
            pz[r] = filled ? static_cast<float>(at[16 + r] - at[16]) * c.quantum : 1e6F;
            q[r] = input.charge[slot + r] * c.chargeFactor;
            if constexpr (Flavour::parameters == ParameterFlavour::geometric) {
                c6[r] = input.six[slot + r] * c.sixFactor;
                c12[r] = input.twelve[slot + r] * c.twelveFactor;
            } else if constexpr (Flavour::parameters == ParameterFlavour::table) {
                type[r] = input.ljType[slot + r] * input.ljTypeCount;
            }
        }
        unrolled<packs>(ALDER_EACH(p) {
            x[p] = Simd::rows(px, p);
            y[p] = Simd::rows(py, p);
            z[p] = Simd::rows(pz, p);
            charge[p] = Simd::rows(q, p);
            if constexpr (Flavour::parameters == ParameterFlavour::geometric) {
                six[p] = Simd::rows(c6, p);
                twelve[p] = Simd::rows(c12, p);
            } else if constexpr (Flavour::parameters == ParameterFlavour::table) {
                tableRow[p] = Simd::rows(type, p);
            }
            fx[p] = fy[p] = fz[p] = Simd::all(std::int32_t{0});
        });
        originX = Simd::all(static_cast<std::int32_t>(static_cast<std::uint32_t>(at[0]) + static_cast<std::uint32_t>(shift[0])));
        originY = Simd::all(static_cast<std::int32_t>(static_cast<std::uint32_t>(at[8]) + static_cast<std::uint32_t>(shift[1])));
        originZ = Simd::all(static_cast<std::int32_t>(static_cast<std::uint32_t>(at[16]) + static_cast<std::uint32_t>(shift[2])));
    }
};

/// The vectors from the j lanes to the i rows: whole quanta, under 2^24 of them where it matters, so every step here is exact.
template <class Simd> struct Distances {
    typename Simd::F dx[Simd::packs], dy[Simd::packs], dz[Simd::packs], r2[Simd::packs];

    template <class RowsType>
    [[gnu::always_inline]] inline void measure(RowsType const& rows, typename Simd::F quantum, std::int32_t const* cluster, int part)
    {
        auto const jx = Simd::toFloat(Simd::lanes(cluster, part) - rows.originX) * quantum;
        auto const jy = Simd::toFloat(Simd::lanes(cluster + 8, part) - rows.originY) * quantum;
        auto const jz = Simd::toFloat(Simd::lanes(cluster + 16, part) - rows.originZ) * quantum;
        unrolled<Simd::packs>(ALDER_EACH(p) {
            dx[p] = rows.x[p] - jx;
            dy[p] = rows.y[p] - jy;
            dz[p] = rows.z[p] - jz;
        });
        unrolled<Simd::packs>(ALDER_EACH(p) { r2[p] = dx[p] * dx[p]; });
        unrolled<Simd::packs>(ALDER_EACH(p) { r2[p] = mulAdd(dy[p], dy[p], r2[p]); });
        unrolled<Simd::packs>(ALDER_EACH(p) { r2[p] = mulAdd(dz[p], dz[p], r2[p]); });
    }
};

/// The Lennard-Jones part of F/r of one pack, with w = 2/r. `six` and `twelve` are 6 c6 / 256 and 12 c12 / 16384 in force quanta.
template <class Simd, class Flavour, class F>
[[gnu::always_inline]] inline F ljForce(SpreadConstants<Simd, Flavour> const& c, F r2, F w, F w2, F six, F twelve)
{
    F const w6 = w2 * w2 * w2;
    F const plain = physics::ljForceOverR(w2, w6, six, twelve);
    if constexpr (Flavour::lj == LjFlavour::cut || Flavour::lj == LjFlavour::ewald) {
        return plain;
    } else if constexpr (Flavour::lj == LjFlavour::cutShort) {
        return plain & (r2 < c.ljCutoff2);
    } else {
        F const inverse = w * c.half;
        F const beyond = larger(r2 * inverse - c.switchStart, Simd::all(0.0F));
        if constexpr (Flavour::lj == LjFlavour::forceSwitch) {
            F const twelfth = physics::forceSwitchOverR(beyond, inverse, c.twelveA, c.twelveB);
            F const sixth = physics::forceSwitchOverR(beyond, inverse, c.sixA, c.sixB);
            return (plain + (twelve * twelfth - six * sixth)) & (r2 < c.ljCutoff2);
        } else {
            F const x = beyond * c.inverseSwitchWidth;
            // V = c12/r^12 - c6/r^6 in terms of the scaled parameters
            F const energy = w6 * mulSub(twelve * Simd::all(1.0F / 3), w6, six * Simd::all(2.0F / 3));
            F const factor = physics::switchFactor(x, c.one, Simd::all(6.0F), Simd::all(10.0F), Simd::all(15.0F));
            F const slope = physics::switchSlope(x, c.one, Simd::all(30.0F));
            return mulAdd(plain, factor, energy * (slope * c.inverseSwitchWidth) * inverse) & (r2 < c.ljCutoff2);
        }
    }
}

/// What the grid has of the pairs' dispersion is taken out again, of excluded pairs too: a polynomial in r^2 times the grid's c6.
template <class Simd, class Flavour, int ljPacks>
[[gnu::always_inline]] inline void addDispersionOnGrid(SpreadConstants<Simd, Flavour> const& c, KernelInput const& input,
                                                       Rows<Simd, Flavour> const& rows, Distances<Simd> const& d, std::int32_t jSlot,
                                                       std::int32_t part, typename Simd::F (&force)[Simd::packs])
{
    using F = typename Simd::F;
    F t[ljPacks], onGrid[ljPacks];
    unrolled<ljPacks>(ALDER_EACH(p) { t[p] = mulSub(d.r2[p], c.polynomialScale, c.one); });
    unrolled<ljPacks>(
        ALDER_EACH(p) { onGrid[p] = mulAdd(c.gridPolynomial[gridCoefficients - 1], t[p], c.gridPolynomial[gridCoefficients - 2]); });
    unrolled<gridCoefficients - 2>(ALDER_EACH(k) {
        unrolled<ljPacks>(ALDER_EACH(p) { onGrid[p] = mulAdd(onGrid[p], t[p], c.gridPolynomial[gridCoefficients - 3 - k]); });
    });
    if constexpr (Flavour::parameters == ParameterFlavour::geometric) {
        F const jSix = Simd::lanes(input.six + jSlot, part);
        unrolled<ljPacks>(ALDER_EACH(p) { force[p] = mulAdd(rows.six[p] * jSix, onGrid[p], force[p]); });
    } else {
        auto const jType = Simd::lanes(input.ljType + jSlot, part);
        unrolled<ljPacks>(
            ALDER_EACH(p) { force[p] = mulAdd(Simd::lookup(input.gridTable, rows.tableRow[p] + jType), onGrid[p], force[p]); });
    }
}

/// F/r of a tile's pairs in force quanta, zero beyond the cutoff.
template <class Simd, class Flavour, int ljPacks, bool masked>
[[gnu::always_inline]] inline void forcesOverR(SpreadConstants<Simd, Flavour> const& c, KernelInput const& input,
                                               Rows<Simd, Flavour> const& rows, Distances<Simd> const& d, pairs::MaskedTile const& tile,
                                               typename Simd::F (&force)[Simd::packs])
{
    using F = typename Simd::F;
    constexpr int packs = Simd::packs;
    constexpr bool ewald = Flavour::coulomb != CoulombFlavour::reactionField;
    std::int32_t const part = tile.jPart % Simd::parts, jSlot = tile.jPart / Simd::parts * 8;
    F w[packs], w2[packs], smooth[packs];
    // One Newton step on the estimate y of 1/r gives 2/r = y (3 - r^2 y^2): no multiplication by a half.
    unrolled<packs>(ALDER_EACH(p) { w[p] = Simd::approximateInverseRoot(d.r2[p]); });
    unrolled<packs>(ALDER_EACH(p) { w[p] = w[p] * subMul(d.r2[p] * w[p], w[p], c.three); });
    if constexpr (masked) unrolled<packs>(ALDER_EACH(p) { w[p] = w[p] & Simd::bits(tile.interacts, p, part); });
    if constexpr (ewald) {
        F t[packs];
        unrolled<packs>(ALDER_EACH(p) { t[p] = mulSub(d.r2[p], c.polynomialScale, c.one); });
        unrolled<packs>(ALDER_EACH(p) { smooth[p] = mulAdd(c.polynomial[Flavour::degree], t[p], c.polynomial[Flavour::degree - 1]); });
        unrolled<Flavour::degree - 1>(ALDER_EACH(k) {
            unrolled<packs>(ALDER_EACH(p) { smooth[p] = mulAdd(smooth[p], t[p], c.polynomial[Flavour::degree - 2 - k]); });
        });
    } else {
        unrolled<packs>(ALDER_EACH(p) { smooth[p] = c.smooth; });
    }
    F const jCharge = Simd::lanes(input.charge + jSlot, part);
    unrolled<packs>(ALDER_EACH(p) { w2[p] = w[p] * w[p]; });
    unrolled<packs>(ALDER_EACH(p) { force[p] = physics::coulombForceOverR(rows.charge[p] * jCharge, w[p], w2[p], smooth[p]); });
    if constexpr (Flavour::lj != LjFlavour::cut && Flavour::lj != LjFlavour::cutShort && Flavour::lj != LjFlavour::ewald && ljPacks > 0)
        unrolled<packs>(ALDER_EACH(p) { force[p] = force[p] & (d.r2[p] < c.coulombCutoff2); });
    if constexpr (Flavour::lj == LjFlavour::ewald && ljPacks > 0) {
        addDispersionOnGrid<Simd, Flavour, ljPacks>(c, input, rows, d, jSlot, part, force);
    }
    if constexpr (ljPacks > 0) {
        if constexpr (Flavour::parameters == ParameterFlavour::geometric) {
            F const jSix = Simd::lanes(input.six + jSlot, part), jTwelve = Simd::lanes(input.twelve + jSlot, part);
            unrolled<ljPacks>(ALDER_EACH(p) {
                force[p] = force[p] + ljForce<Simd, Flavour>(c, d.r2[p], w[p], w2[p], rows.six[p] * jSix, rows.twelve[p] * jTwelve);
            });
        } else {
            auto const jType = Simd::lanes(input.ljType + jSlot, part);
            unrolled<ljPacks>(ALDER_EACH(p) {
                auto const index = rows.tableRow[p] + jType;
                force[p] = force[p] + ljForce<Simd, Flavour>(c, d.r2[p], w[p], w2[p], Simd::lookup(input.sixTable, index),
                                                             Simd::lookup(input.twelveTable, index));
            });
        }
    }
    unrolled<packs>(ALDER_EACH(p) {
        auto within = d.r2[p] < c.coulombCutoff2;
        if constexpr (masked) within = within & Simd::bits(tile.exists, p, part);
        force[p] = force[p] & within;
    });
}

template <class Simd, class Flavour, int ljPacks, bool masked>
[[gnu::always_inline]] inline void narrowTile(SpreadConstants<Simd, Flavour> const& c, KernelInput const& input, Rows<Simd, Flavour>& rows,
                                              pairs::MaskedTile const& tile, std::int32_t* forces)
{
    using F = typename Simd::F;
    using I = typename Simd::I;
    constexpr int packs = Simd::packs;
    std::int32_t const part = tile.jPart % Simd::parts, jBase = tile.jPart / Simd::parts * 24;
    Distances<Simd> d;
    d.measure(rows, c.quantum, input.coordinates + jBase, part);
    F force[packs];
    forcesOverR<Simd, Flavour, ljPacks, masked>(c, input, rows, d, tile, force);
    unrolled<packs>(ALDER_EACH(p) { rows.guard = mulAdd(force[p], force[p], rows.guard); });
    I jx = Simd::all(std::int32_t{0}), jy = jx, jz = jx;
    unrolled<packs>(ALDER_EACH(p) {
        I const kx = Simd::round(force[p] * d.dx[p]), ky = Simd::round(force[p] * d.dy[p]), kz = Simd::round(force[p] * d.dz[p]);
        rows.fx[p] = rows.fx[p] + kx;
        rows.fy[p] = rows.fy[p] + ky;
        rows.fz[p] = rows.fz[p] + kz;
        jx = jx + kx;
        jy = jy + ky;
        jz = jz + kz;
    });
    std::int32_t* const j = forces + jBase;
    Simd::subtractFrom(j, part, jx);
    Simd::subtractFrom(j + 8, part, jy);
    Simd::subtractFrom(j + 16, part, jz);
}

template <class Simd, class Flavour, int ljPacks>
[[gnu::noinline]] void narrowTiles(SpreadConstants<Simd, Flavour> const& c, KernelInput const& input, Rows<Simd, Flavour>& shared,
                                   std::int32_t const* tile, std::int32_t const* end, std::int32_t* forces)
{
    Rows<Simd, Flavour> rows = shared;
    for (; tile != end; ++tile) narrowTile<Simd, Flavour, ljPacks, false>(c, input, rows, {*tile, ~0U, ~0U}, forces);
    shared = rows;
}

/// Adds what four rows have gained along one axis. Sums of forces may have wrapped on the way; their differences come out right.
[[gnu::always_inline]] inline void addGain(std::int32_t const* now, std::int32_t const* before, std::int64_t& sum)
{
    for (int row = 0; row < 4; ++row)
        sum += static_cast<std::int32_t>(static_cast<std::uint32_t>(now[row]) - static_cast<std::uint32_t>(before[row]));
}

template <class Simd, class Flavour> bool narrowKernel(KernelInput const& input, KernelWork const& work, std::int32_t* forces)
{
    constexpr int packs = Simd::packs;
    SpreadConstants<Simd, Flavour> const c(*input.constants);
    bool risky = false;
    for (std::size_t e = 0; e < work.entryCount; ++e) {
        pairs::ListEntry const& entry = work.entries[e];
        Rows<Simd, Flavour> rows;
        rows.take(input, entry);
        rows.guard = Simd::all(0.0F);
        for (std::uint32_t m = entry.maskedBegin; m != entry.maskedEnd; ++m)
            narrowTile<Simd, Flavour, packs, true>(c, input, rows, work.masked[m], forces);
        std::int32_t const* const tile = work.tiles + entry.tilesBegin;
        std::int32_t const* const end = work.tiles + entry.tilesEnd;
        if (entry.ljRows > 2)
            narrowTiles<Simd, Flavour, packs>(c, input, rows, tile, end, forces);
        else if (entry.ljRows > 0)
            narrowTiles<Simd, Flavour, packs / 2>(c, input, rows, tile, end, forces);
        else
            narrowTiles<Simd, Flavour, 0>(c, input, rows, tile, end, forces);
        std::int32_t* const i = forces + (entry.iCluster >> 1) * 24 + (entry.iCluster & 1) * 4;
        bool const shifted = work.shiftForces != nullptr && entry.shift != 0;
        std::int32_t before[20];
        if (shifted) __builtin_memcpy(before, i, sizeof before);
        Simd::addRowSums(rows.fx, i);
        Simd::addRowSums(rows.fy, i + 8);
        Simd::addRowSums(rows.fz, i + 16);
        if (shifted)
            for (int axis = 0; axis < 3; ++axis) addGain(i + 8 * axis, before + 8 * axis, work.shiftForces[3 * entry.shift + axis]);
        risky = risky || Simd::anyAbove(rows.guard, Simd::all(input.constants->safeSquare));
    }
    return risky;
}

template <class Simd, class Flavour> void wideKernel(KernelInput const& input, KernelWork const& work, WideSink const& sink)
{
    constexpr int packs = Simd::packs;
    SpreadConstants<Simd, Flavour> const c(*input.constants);
    WideTile wide;
    auto const add = [&](Rows<Simd, Flavour> const& rows, pairs::ListEntry const& entry, pairs::MaskedTile const& tile) {
        wide.iCluster = entry.iCluster;
        wide.shift = entry.shift;
        wide.jCluster = tile.jPart / Simd::parts;
        wide.interacts = tile.interacts;
        wide.exists = tile.exists;
        int const part = tile.jPart % Simd::parts;
        // The other half of the cluster, where registers hold one only.
        if constexpr (Simd::parts > 1)
            for (float& f : wide.force) f = 0;
        Distances<Simd> d;
        d.measure(rows, c.quantum, input.coordinates + 24 * wide.jCluster, part);
        typename Simd::F force[packs];
        forcesOverR<Simd, Flavour, packs, true>(c, input, rows, d, tile, force);
        unrolled<packs>(ALDER_EACH(p) {
            Simd::store(d.dx[p], wide.dx, p, part);
            Simd::store(d.dy[p], wide.dy, p, part);
            Simd::store(d.dz[p], wide.dz, p, part);
            Simd::store(force[p], wide.force, p, part);
            Simd::store(force[p] * d.dx[p], wide.fx, p, part);
            Simd::store(force[p] * d.dy[p], wide.fy, p, part);
            Simd::store(force[p] * d.dz[p], wide.fz, p, part);
        });
        sink.add(sink.context, wide);
    };
    for (std::size_t e = 0; e < work.entryCount; ++e) {
        pairs::ListEntry const& entry = work.entries[e];
        Rows<Simd, Flavour> rows;
        rows.take(input, entry);
        for (std::uint32_t m = entry.maskedBegin; m != entry.maskedEnd; ++m) add(rows, entry, work.masked[m]);
        for (std::uint32_t t = entry.tilesBegin; t != entry.tilesEnd; ++t) add(rows, entry, {work.tiles[t], ~0U, ~0U});
    }
}

/// Adds a tile to a list that has room for all; counts it only where it is kept, so that no branch has to be guessed.
inline void keepTile(PruneOutput& output, std::int32_t jPart, bool kept)
{
    output.tiles[output.tileCount] = jPart;
    output.tileCount += kept ? 1 : 0;
}
inline void keepTile(PruneOutput& output, pairs::MaskedTile const& tile, bool kept)
{
    output.masked[output.maskedCount] = tile;
    output.maskedCount += kept ? 1 : 0;
}
inline void openEntry(PruneOutput& output, pairs::ListEntry& kept)
{
    kept.tilesBegin = static_cast<std::uint32_t>(output.tileCount);
    kept.maskedBegin = static_cast<std::uint32_t>(output.maskedCount);
}
inline void closeEntry(PruneOutput& output, pairs::ListEntry& kept)
{
    kept.tilesEnd = static_cast<std::uint32_t>(output.tileCount);
    kept.maskedEnd = static_cast<std::uint32_t>(output.maskedCount);
    if (kept.tilesEnd != kept.tilesBegin || kept.maskedEnd != kept.maskedBegin) output.entries[output.entryCount++] = kept;
}

template <class Simd>
void pruneKernel(KernelInput const& input, KernelWork const& work, PruneRadii radii, PruneOutput& inner, PruneOutput* outer)
{
    using NoParameters = Flavour<CoulombFlavour::reactionField, LjFlavour::cut, ParameterFlavour::none>;
    constexpr int packs = Simd::packs;
    auto const innerLimit = Simd::all(radii.inner2), outerLimit = Simd::all(radii.outer2), quantum = Simd::all(input.constants->quantum);
    Rows<Simd, NoParameters> rows;
    auto const consider = [&](std::int32_t jPart, auto const& tile) {
        Distances<Simd> d;
        d.measure(rows, quantum, input.coordinates + jPart / Simd::parts * 24, jPart % Simd::parts);
        auto least = d.r2[0];
        unrolled<packs - 1>(ALDER_EACH(p) { least = smaller(least, d.r2[p + 1]); });
        keepTile(inner, tile, any(least < innerLimit));
        if (outer != nullptr) keepTile(*outer, tile, any(least < outerLimit));
    };
    for (std::size_t e = 0; e < work.entryCount; ++e) {
        pairs::ListEntry const entry = work.entries[e];
        rows.take(input, entry);
        pairs::ListEntry kept = entry, keptOuter = entry;
        openEntry(inner, kept);
        if (outer != nullptr) openEntry(*outer, keptOuter);
        for (std::uint32_t m = entry.maskedBegin; m != entry.maskedEnd; ++m) {
            pairs::MaskedTile const tile = work.masked[m];
            consider(tile.jPart, tile);
        }
        for (std::uint32_t t = entry.tilesBegin; t != entry.tilesEnd; ++t) {
            std::int32_t const tile = work.tiles[t];
            consider(tile, tile);
        }
        closeEntry(inner, kept);
        if (outer != nullptr) closeEntry(*outer, keptOuter);
    }
}

/// The kernels of a flavour that is known when the program runs.
template <class Simd, class DoubleSimd> Kernels selectKernels(KernelFlavour wanted)
{
    Kernels found;
    auto const consider = [&]<CoulombFlavour coulomb, LjFlavour lj, ParameterFlavour parameters>() {
        using This = Flavour<coulomb, lj, parameters>;
        if (wanted.coulomb == coulomb && wanted.lj == lj && wanted.parameters == parameters)
            found = {narrowKernel<Simd, This>, wideKernel<Simd, This>, pruneKernel<Simd>, energyKernel<DoubleSimd, Simd::parts>,
                     Simd::parts};
    };
    constexpr int ljCount = static_cast<int>(LjFlavour::count), parameterCount = static_cast<int>(ParameterFlavour::count);
    unrolled<static_cast<int>(CoulombFlavour::count) * ljCount * parameterCount>([&](auto k) {
        consider
            .template operator()<static_cast<CoulombFlavour>(k / (ljCount * parameterCount)),
                                 static_cast<LjFlavour>(k / parameterCount % ljCount), static_cast<ParameterFlavour>(k % parameterCount)>();
    });
    return found;
}

} // namespace alder::cpu
