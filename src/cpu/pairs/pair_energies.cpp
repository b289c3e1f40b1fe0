// Wide forces, energies and virial: the double-precision side of the pair interactions.

#include "cpu/pairs/pair_segments.hpp"

#include <omp.h>

#include <array>
#include <cmath>

namespace alder::cpu {

pairs::PairCharges PairForces::chargesOf(std::int32_t iSlot, std::int32_t jSlot, bool excluded) const
{
    pairs::AtomKind const& i = atoms_.kind(grid_.atomAt(iSlot));
    pairs::AtomKind const& j = atoms_.kind(grid_.atomAt(jSlot));
    return {plan_.electricFactor * i.charge * j.charge, atoms_.c6(i.ljType, j.ljType), atoms_.c12(i.ljType, j.ljType), excluded,
            atoms_.gridC6(i.ljType, j.ljType)};
}

math::Vec3d PairForces::exactDistance(std::int32_t iSlot, std::int32_t jSlot, std::int32_t shift) const
{
    auto const place = [&](std::int32_t slot) {
        return grid_.unwrapped(slot, (*widePositions_)[static_cast<std::size_t>(grid_.atomAt(slot))]);
    };
    math::Vec3l const i = place(iSlot), j = place(jSlot);
    pairs::ImageShift const& s = shifts_[static_cast<std::size_t>(shift)];
    constexpr std::int64_t one = std::int64_t{1} << 32;
    auto const fraction = [&](std::int64_t units, std::int8_t images) {
        return std::ldexp(static_cast<double>(units + one * images), -32);
    };
    return fraction(i.x - j.x, s[0]) * box_.a() + fraction(i.y - j.y, s[1]) * box_.b() + fraction(i.z - j.z, s[2]) * box_.c();
}

// ---- wide forces ---------------------------------------------------------------------------------------------------------------

void PairForces::addWideTile(ThreadForces& mine, WideTile const& tile) const
{
    std::vector<std::int64_t>& sums = mine.wide;
    // Up to here the narrow kernel's integers are right, and the same rounded product is taken; beyond, the law in double precision at
    // the distance that the stored positions give, since the steepest forces feel a rounding of 1e-7 nm. A
    // term is clamped to 2^50 units of the sums, and so is what is not a number.
    float const safe = std::sqrt(setup_.constants.safeSquare);
    double const quanta = std::ldexp(1.0, plan_.forceBits), clamp = std::ldexp(1.0, 50 - 24 + plan_.forceBits);
    auto const rounded = [&](double f) {
        if (!(f > -clamp)) f = -clamp;
        if (f > clamp) f = clamp;
        return static_cast<std::int64_t>(std::llrint(f));
    };
    std::size_t const iBase = static_cast<std::size_t>(tile.iCluster / 2) * 24 + static_cast<std::size_t>(tile.iCluster % 2) * 4;
    std::size_t const jBase = static_cast<std::size_t>(tile.jCluster) * 24;
    for (std::int32_t k = 0; k < 32; ++k) {
        if (tile.force[k] == 0) continue;
        math::Vec3l f;
        if (std::fabs(tile.force[k]) <= safe) {
            f = {std::llrint(tile.fx[k]), std::llrint(tile.fy[k]), std::llrint(tile.fz[k])};
        } else {
            bool const excluded = ((tile.interacts >> k) & 1U) == 0;
            auto const [dx, dy, dz] = exactDistance(tile.iCluster * 4 + k / 8, tile.jCluster * 8 + k % 8, tile.shift);
            double const r2 = std::fmax(dx * dx + dy * dy + dz * dz, 1e-12);
            double const force = quanta * law_.at(r2, chargesOf(tile.iCluster * 4 + k / 8, tile.jCluster * 8 + k % 8, excluded)).forceOverR;
            f = {rounded(force * dx), rounded(force * dy), rounded(force * dz)};
            // At distance zero the force has no direction; a clamped one along x keeps the overlap from passing for rest.
            bool const onTop = dx == 0 && dy == 0 && dz == 0 && !excluded;
            if (onTop && force != 0) f.x = std::llrint(std::copysign(clamp, force));
        }
        std::size_t const i = iBase + static_cast<std::size_t>(k / 8), j = jBase + static_cast<std::size_t>(k % 8);
        if (!mine.shift.empty() && tile.shift != 0) {
            std::int64_t* const at = &mine.shift[3 * static_cast<std::size_t>(tile.shift)];
            at[0] += f.x;
            at[1] += f.y;
            at[2] += f.z;
        }
        sums[i] += f.x;
        sums[i + 8] += f.y;
        sums[i + 16] += f.z;
        sums[j] -= f.x;
        sums[j + 8] -= f.y;
        sums[j + 16] -= f.z;
    }
}

void PairForces::runWide(int thread)
{
    struct Context {
        PairForces const* pairs;
        ThreadForces* mine;
    } context{this, &threadForces_[static_cast<std::size_t>(thread)]};
    WideSink const sink{[](void* c, WideTile const& tile) {
                            auto const& into = *static_cast<Context*>(c);
                            into.pairs->addWideTile(*into.mine, tile);
                        },
                        &context};
    KernelInput const input = kernelInput();
    forEachSegment(thread, [&](std::size_t s) { setup_.kernels.wide(input, inner_[s].work(), sink); });
}

void PairForces::reduceWide(std::int32_t block, std::vector<math::ForceUnits>& forces)
{
    int const shift = 24 - plan_.forceBits;
    for (std::int32_t slot = block * 64; slot < std::min((block + 1) * 64, grid_.slotCount()); ++slot) {
        std::int32_t const atom = grid_.atomAt(slot);
        if (atom < 0) continue;
        std::size_t const at = static_cast<std::size_t>(slot / 8) * 24 + static_cast<std::size_t>(slot % 8);
        math::Vec3l sum;
        for (ThreadForces const& t : threadForces_) sum += {t.wide[at], t.wide[at + 8], t.wide[at + 16]};
        forces[static_cast<std::size_t>(atom)] += (std::int64_t{1} << shift) * sum;
    }
}

// ---- virial ----------------------------------------------------------------------------------------------------------------------

// -1/2 sum over pairs of (x_i + s - x_j) outer F_ij = -1/2 (sum over atoms of x_i outer F_i + sum over shifts of s outer F_s), with F_s the
// force on the i atoms of all pairs that were taken at shift s. Positions and forces are integers, and their products are summed as such:
// nothing is rounded before the end, so origin, images and order don't matter.
void PairForces::addVirial(std::vector<math::ForceUnits> const& forces, math::FixedTensor& virial)
{
    __extension__ using Wide = __int128;
    using Tensor = std::array<std::array<Wide, 3>, 3>;
    Tensor all{};
    auto const add = [](Tensor& to, std::array<std::int64_t, 3> const& x, std::array<std::int64_t, 3> const& f) {
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) to[a][b] += static_cast<Wide>(x[a]) * f[b];
    };
#pragma omp parallel num_threads(threads_)
    {
        Tensor mine{};
#pragma omp for schedule(static)
        for (std::int32_t slot = 0; slot < grid_.slotCount(); ++slot) {
            std::int32_t const atom = grid_.atomAt(slot);
            if (atom < 0) continue;
            math::ForceUnits const f = forces[static_cast<std::size_t>(atom)];
            std::size_t const at = static_cast<std::size_t>(slot / 8) * 24 + static_cast<std::size_t>(slot % 8);
            add(mine, {coordinates_[at], coordinates_[at + 8], coordinates_[at + 16]}, {f.x, f.y, f.z});
        }
#pragma omp critical(pairVirial)
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) all[a][b] += mine[a][b];
    }
    std::int64_t const toUnits = std::int64_t{1} << (24 - plan_.forceBits);
    for (ThreadForces& thread : threadForces_) {
        for (std::size_t s = 0; 3 * s < thread.shift.size(); ++s)
            add(all, {shiftUnits_[3 * s], shiftUnits_[3 * s + 1], shiftUnits_[3 * s + 2]},
                {toUnits * thread.shift[3 * s], toUnits * thread.shift[3 * s + 1], toUnits * thread.shift[3 * s + 2]});
        thread.shift.clear();
    }
    if (sumOverRanks_) {
        // four limbs of 32 bits a number, the highest signed: room for as many ranks as there will be
        std::array<std::int64_t, 36> limbs{};
        for (std::size_t n = 0; n < 9; ++n)
            for (std::size_t l = 0; l < 4; ++l) {
                Wide const part = all[n / 3][n % 3] >> (32 * l);
                limbs[4 * n + l] = l == 3 ? static_cast<std::int64_t>(part) : static_cast<std::int64_t>(part & 0xffffffff);
            }
        sumOverRanks_(limbs);
        for (std::size_t n = 0; n < 9; ++n) {
            Wide sum = 0;
            for (std::size_t l = 4; l-- > 0;) sum = sum * (Wide{1} << 32) + limbs[4 * n + l];
            all[n / 3][n % 3] = sum;
        }
        if (!wholeTerms_) return; // the sum is everybody's, and counts once
    }
    double const factor = -0.5 * grid_.lattice().quantum() / math::forceScale;
    // The tensor of central forces is symmetric, and so is the sum of rounded ones to their rounding: the mean of both halves.
    auto const value = [&](std::size_t a, std::size_t b) {
        math::FixedSum sum;
        sum.addWhole(factor * 0.5 * static_cast<double>(all[a][b] + all[b][a]));
        return sum;
    };
    virial.add(math::FixedTensor{value(0, 0), value(0, 1), value(0, 2), value(1, 0), value(1, 1), value(1, 2), value(2, 0), value(2, 1),
                                 value(2, 2)});
}

// ---- energies ------------------------------------------------------------------------------------------------------------------

void PairForces::addEnergies(std::vector<math::FractionVec> const& positions, system::ForceSums& sums, math::FixedTensor* virial)
{
    if (pruneDue_) prune(positions);
    resetShares();
#pragma omp parallel num_threads(threads_)
    {
        int const thread = omp_get_thread_num(), team = omp_get_num_threads();
        fillCoordinates(positions, static_cast<std::int32_t>(std::int64_t{grid_.clusterCount()} * thread / team),
                        static_cast<std::int32_t>(std::int64_t{grid_.clusterCount()} * (thread + 1) / team));
#pragma omp barrier
        EnergyUnits mine;
        KernelInput const input = kernelInput();
        forEachSegment(thread, [&](std::size_t s) { setup_.kernels.energies(input, inner_[s].work(), setup_.energy, mine); });
#pragma omp critical
        {
            sums.of(system::Term::ljSR).units += mine.lj;
            sums.of(system::Term::coulombSR).units += mine.coulomb;
            auto const& [xx, yy, zz, xy, xz, yz] = mine.virial;
            if (virial != nullptr) virial->add(math::FixedTensor{{xx}, {xy}, {xz}, {xy}, {yy}, {yz}, {xz}, {yz}, {zz}});
        }
    }
    if (wholeTerms_ && plan_.coulomb == plan::CoulombForm::reactionField)
        sums.of(system::Term::coulombSR).addWhole(-0.5 * plan_.electricFactor * plan_.crf * atoms_.chargeSquareSum());
}

} // namespace alder::cpu
