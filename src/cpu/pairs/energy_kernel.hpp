#pragma once
// Energies and virial of listed pairs in double precision, once for all instruction sets. Runs every nstcalcenergy steps: written for
// brevity, with the form of the potential asked for tile by tile; 20 times as fast as erf() and exp() pair by pair all the same.

#include "cpu/pairs/kernel_input.hpp"
#include "physics/pair_potential.hpp"

namespace alder::cpu {

/// Adds a term, rounded to a whole number of 2^-24 kJ/mol, to an order-free sum, as math::FixedSum does. Adding 1.5 2^52 leaves the rounded
/// number in the low bits; terms are clamped to 2^50 units, and so is what is not a number.
template <class S> struct UnitSum {
    typename S::L sum = S::zero();
    void add(typename S::D term)
    {
        auto const bound = S::all(1.125899906842624e15), magic = S::all(6755399441055744.0);
        auto const scaled = smaller(larger(term * S::all(16777216.0), S::all(-1.125899906842624e15)), bound);
        sum = sum + (S::bitsOf(scaled + magic) - S::bitsOf(magic));
    }
    [[nodiscard]] std::int64_t total() const
    {
        std::int64_t lanes[S::width];
        S::store(sum, lanes);
        std::int64_t all = 0;
        for (std::int64_t const lane : lanes) all += lane;
        return all;
    }
};

template <class S> struct EnergySums {
    UnitSum<S> lj, coulomb, virial[6];
};

template <class S, int count> typename S::D powerSum(double const (&coefficients)[count], typename S::D t)
{
    // Even and odd powers apart: half the chain of dependent operations.
    typename S::D const square = t * t;
    typename S::D even = S::all(coefficients[count - 2]), odd = S::all(coefficients[count - 1]);
    for (int k = count - 4; k >= 0; k -= 2) {
        even = mulAdd(even, square, S::all(coefficients[k]));
        odd = mulAdd(odd, square, S::all(coefficients[k + 1]));
    }
    return mulAdd(odd, t, even);
}

/// Some pairs of one row: their squared distance, 1/r (0 where excluded) and what they are made of.
template <class S> struct RowPairs {
    typename S::D r2, inverse, qq, c6, c12, gridC6;
    typename S::M interacts;
};

template <class S> struct EnergyAndForce {
    typename S::D energy, forceOverR;
};

template <class S> EnergyAndForce<S> coulombOf(EnergyConstants const& c, RowPairs<S> const& p)
{
    auto const within = p.r2 < S::all(c.coulombCutoff2);
    auto const inverse2 = p.inverse * p.inverse;
    if (c.coulomb == EnergyCoulomb::reactionField) {
        auto const energy = p.qq * (p.inverse + mulSub(S::all(c.krf), p.r2, S::all(c.shift)));
        return {energy & within, physics::coulombForceOverR(p.qq, p.inverse, inverse2, S::all(2 * c.krf)) & within};
    }
    auto const t = mulSub(p.r2, S::all(c.polynomialScale), S::all(1.0));
    auto const energy = p.qq * (p.inverse - powerSum<S>(c.potential, t) - (S::all(c.shift) & p.interacts));
    return {energy & within, physics::coulombForceOverR(p.qq, p.inverse, inverse2, powerSum<S>(c.force, t)) & within};
}

template <class S> EnergyAndForce<S> ljOf(EnergyConstants const& c, RowPairs<S> const& p)
{
    using D = typename S::D;
    auto const inCutoff = p.r2 < S::all(c.ljCutoff2), within = inCutoff & p.interacts;
    D const inverse2 = p.inverse * p.inverse, inverse6 = inverse2 * inverse2 * inverse2;
    D energy = physics::ljEnergy(inverse6, p.c6, p.c12);
    D force = physics::ljForceOverR(inverse2, inverse6, p.c6 * S::all(6), p.c12 * S::all(12));
    if (c.lj == EnergyLj::cut || c.lj == EnergyLj::ewald) {
        energy = energy + (p.c12 * S::all(c.repulsionShift) - p.c6 * S::all(c.dispersionShift));
        if (c.lj == EnergyLj::ewald) {
            // Excluded pairs too are on the grid; their inverse is 0, but shifts are not theirs.
            auto const t = mulSub(p.r2, S::all(c.gridScale), S::all(1.0));
            D const onGrid = p.gridC6 * (powerSum<S>(c.gridPotential, t) + (S::all(c.gridShift) & p.interacts));
            return {((energy & p.interacts) + onGrid) & inCutoff, (force + p.gridC6 * powerSum<S>(c.gridForce, t)) & inCutoff};
        }
    } else {
        D const beyond = larger(p.r2 * p.inverse - S::all(c.switchStart), S::all(0.0));
        if (c.lj == EnergyLj::potentialSwitch) {
            D const x = beyond * S::all(c.inverseSwitchWidth);
            D const factor = physics::switchFactor(x, S::all(1), S::all(6), S::all(10), S::all(15));
            force = force * factor + energy * (physics::switchSlope(x, S::all(1), S::all(30)) * S::all(c.inverseSwitchWidth)) * p.inverse;
            energy = energy * factor;
        } else {
            force = force + (p.c12 * physics::forceSwitchOverR(beyond, p.inverse, S::all(c.twelveA), S::all(c.twelveB)) -
                             p.c6 * physics::forceSwitchOverR(beyond, p.inverse, S::all(c.sixA), S::all(c.sixB)));
            energy = energy + (p.c12 * physics::forceSwitchEnergy(beyond, S::all(c.twelveA / 3), S::all(c.twelveB / 4), S::all(c.twelveC)) -
                               p.c6 * physics::forceSwitchEnergy(beyond, S::all(c.sixA / 3), S::all(c.sixB / 4), S::all(c.sixC)));
        }
    }
    return {energy & within, force & within};
}

/// Row `row` of an i cluster against a j cluster.
template <class S, int parts>
void addRow(KernelInput const& input, EnergyConstants const& c, pairs::ListEntry const& entry, int row, pairs::MaskedTile const& tile,
            EnergySums<S>& sums)
{
    using D = typename S::D;
    std::int32_t const slot = entry.iCluster * pairs::rowCount + row;
    std::int32_t const* const i = input.coordinates + (slot >> 3) * 24 + (slot & 7);
    std::int32_t const* const j = input.coordinates + tile.jPart / parts * 24;
    std::int32_t const* const shift = input.shifts + 3 * entry.shift;
    auto const position = [&](int axis) { return S::all(static_cast<double>(i[8 * axis]) + static_cast<double>(shift[axis])); };
    int const firstLane = tile.jPart % parts * (pairs::clusterWidth / parts);
    for (int lane = firstLane; lane < firstLane + pairs::clusterWidth / parts; lane += S::width) {
        auto const distance = [&](int axis) { return (position(axis) - S::load(j + 8 * axis + lane)) * S::all(c.quantum); };
        D const dx = distance(0), dy = distance(1), dz = distance(2);
        D const r2 = dx * dx + dy * dy + dz * dz;
        auto const exists = (r2 < S::all(c.cutoff2)) & S::bits(tile.exists >> (8 * row + lane));
        if (!any(exists)) continue;
        RowPairs<S> pairs;
        pairs.interacts = S::bits(tile.interacts >> (8 * row + lane));
        pairs.r2 = r2;
        // Atoms on top of each other give a large number, not none.
        pairs.inverse = root(S::all(1.0) / larger(r2, S::all(1e-12))) & pairs.interacts;
        std::int32_t const jSlot = tile.jPart / parts * pairs::clusterWidth + lane;
        D force = S::all(0.0);
        if (c.coulomb != EnergyCoulomb::none) {
            pairs.qq = S::all(c.charge[input.kind[slot]]) * S::lookup(c.charge, input.kind + jSlot);
            EnergyAndForce<S> const coulomb = coulombOf<S>(c, pairs);
            sums.coulomb.add(coulomb.energy & exists);
            force = force + coulomb.forceOverR;
        }
        if (c.lj != EnergyLj::none && input.ljType[slot] != 0) {
            std::int32_t const typeRow = input.ljType[slot] * input.ljTypeCount;
            pairs.c6 = S::lookup(c.six + typeRow, input.ljType + jSlot);
            pairs.c12 = S::lookup(c.twelve + typeRow, input.ljType + jSlot);
            if (c.lj == EnergyLj::ewald) pairs.gridC6 = S::lookup(c.grid + typeRow, input.ljType + jSlot);
            EnergyAndForce<S> const lj = ljOf<S>(c, pairs);
            sums.lj.add(lj.energy & exists);
            force = force + lj.forceOverR;
        }
        D const half = S::all(-0.5) * (force & exists);
        sums.virial[0].add(half * dx * dx);
        sums.virial[1].add(half * dy * dy);
        sums.virial[2].add(half * dz * dz);
        sums.virial[3].add(half * dx * dy);
        sums.virial[4].add(half * dx * dz);
        sums.virial[5].add(half * dy * dz);
    }
}

template <class S, int parts>
void energyKernel(KernelInput const& input, KernelWork const& work, EnergyConstants const& constants, EnergyUnits& units)
{
    EnergySums<S> sums;
    for (std::size_t e = 0; e < work.entryCount; ++e) {
        pairs::ListEntry const& entry = work.entries[e];
        for (int row = 0; row < entry.filledRows; ++row) {
            for (std::uint32_t m = entry.maskedBegin; m != entry.maskedEnd; ++m)
                addRow<S, parts>(input, constants, entry, row, work.masked[m], sums);
            for (std::uint32_t t = entry.tilesBegin; t != entry.tilesEnd; ++t)
                addRow<S, parts>(input, constants, entry, row, {work.tiles[t], ~0U, ~0U}, sums);
        }
    }
    units.lj += sums.lj.total();
    units.coulomb += sums.coulomb.total();
    for (int k = 0; k < 6; ++k) units.virial[k] += sums.virial[k].total();
}

} // namespace alder::cpu
