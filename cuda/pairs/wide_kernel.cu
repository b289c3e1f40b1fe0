#include "pairs/double_kernels.hpp"

#include "device/warp_sums.hpp"
#include "math/fixed_sum.hpp"

namespace alder::cuda {
namespace {

constexpr unsigned wideBlocks = 264, wideThreads = 64; ///< two blocks a multiprocessor of the largest GPU: most steps have nothing to do

__global__ void queueItems(ForceInput const in)
{
    std::uint32_t const item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item / runLength >= in.list.entriesListed()) return;
    ListEntry const entry = in.list.entries[item / runLength];
    if (static_cast<int>(item % runLength) >= entry.count) return;
    std::uint32_t const mask = in.list.masks[item];
    if (mask != 0) in.wideItems[atomicAdd(in.counters.pointer(wideCount), 1U)] = WideItem{item, mask};
}

struct ExactPair {
    std::int32_t iSlot, jSlot;
    int shift;
};

__device__ math::Vec3l unwrapped(WideInput const& in, std::int32_t slot)
{
    math::FractionVec const start = in.force.slots.start[slot], now = in.places.positions[in.force.slots.atomAt[slot]];
    math::FractionVec const moved = math::wrappingDifference(now, start);
    auto const sum = [](std::int32_t from, std::int32_t by) { return static_cast<std::int64_t>(static_cast<std::uint32_t>(from)) + by; };
    return {sum(start.x, moved.x), sum(start.y, moved.y), sum(start.z, moved.z)};
}

__device__ math::Vec3d exactDistance(WideInput const& in, ExactPair const& pair)
{
    math::Vec3l const i = unwrapped(in, pair.iSlot), j = unwrapped(in, pair.jSlot);
    math::Vec3<std::int32_t> const images = in.places.images[pair.shift];
    auto const fraction = [](std::int64_t units, std::int32_t by) {
        return static_cast<double>(units + (static_cast<std::int64_t>(by) << 32)) * (1.0 / 4294967296.0);
    };
    physics::Box const box = in.places.box[0];
    return fraction(i.x - j.x, images.x) * box.a() + fraction(i.y - j.y, images.y) * box.b() + fraction(i.z - j.z, images.z) * box.c();
}

__device__ pairs::PairCharges chargesOf(SlotViews const& slots, LawTables const& law, std::int32_t iSlot, std::int32_t jSlot, bool excluded)
{
    std::int32_t const i = slots.kind[iSlot], j = slots.kind[jSlot], types = law.ljType[i] * law.typeCount + law.ljType[j];
    pairs::PairCharges charges;
    charges.qq = law.electricFactor * law.charge[i] * law.charge[j];
    charges.c6 = law.c6[types];
    charges.c12 = law.c12[types];
    charges.excluded = excluded;
    charges.gridC6 = law.gridC6[types];
    return charges;
}

/// The force on i in quanta, from the law at the distance that the stored positions give, since the steepest forces feel a rounding of
/// 1e-7 nm. A term is clamped to 2^50 units of the sums, and so is what is not a number.
__device__ math::Vec3l lawForce(WideInput const& in, pairs::PairLaw const& law, ExactPair const& pair, bool excluded)
{
    double const clamp = math::largestTerm / math::forceScale * in.quanta;
    auto const rounded = [clamp](double f) {
        if (!(f > -clamp)) f = -clamp;
        if (f > clamp) f = clamp;
        return static_cast<std::int64_t>(__double2ll_rn(f));
    };
    math::Vec3d const d = exactDistance(in, pair);
    double const r2 = fmax(math::norm2(d), 1e-12);
    double const force = in.quanta * law.at(r2, chargesOf(in.force.slots, in.law, pair.iSlot, pair.jSlot, excluded)).forceOverR;
    math::Vec3l f{rounded(force * d.x), rounded(force * d.y), rounded(force * d.z)};
    // At distance zero the force has no direction; a clamped one along x keeps the overlap from passing for rest.
    if (d.x == 0 && d.y == 0 && d.z == 0 && !excluded && force != 0)
        f.x = static_cast<std::int64_t>(__double2ll_rn(force > 0 ? clamp : -clamp));
    return f;
}

/// One side of a pair as the narrow kernel takes it.
__device__ PairSide sideOf(WideInput const& in, std::int32_t slot, float charge, bool isI)
{
    ForceConstants const& c = in.force.constants;
    PairSide side{charge, {0, 0}, 0};
    if (in.flavour.parameters == pairs::ParameterFlavour::geometric) {
        side.lj = in.force.slots.lj[slot];
        if (isI) side.lj = {side.lj.six * c.sixFactor, side.lj.twelve * c.twelveFactor};
    } else {
        side.type = in.force.slots.ljType[slot] * (isI ? in.force.tables.typeCount : 1);
    }
    if (isI) side.charge *= c.chargeFactor;
    return side;
}

__device__ void addAt(ForceSink const& sink, std::int32_t slot, int axis, std::int64_t quanta)
{
    std::int32_t const place = sink.placeOf[slot];
    if (place >= 0) addUnits(sink.forces, 3 * place + axis, unitsOf(sink, quanta));
}

/// A warp takes a wide item. Up to the guard's bound a pair's single-precision force and its rounded components are those of the narrow kernel;
/// beyond, the law.
__global__ void __launch_bounds__(wideThreads, 8) wideForces(WideInput const in, pairs::PairLaw const law)
{
    Lane const lane = myLane();
    constexpr std::uint32_t warps = wideThreads / warpLanes;
    std::uint32_t const count = in.force.counters[wideCount];
    for (std::uint32_t unit = blockIdx.x * warps + threadIdx.x / warpLanes; unit < count; unit += gridDim.x * warps) {
        WideItem const wide = in.force.wideItems[unit];
        ListEntry const entry = in.force.list.entries[wide.item / runLength];
        ListItem const item = in.force.list.items[wide.item];
        pairs::LatticeVec const shift = in.force.shifts[entry.shift];
        std::int32_t const jSlot = item.half * halfWidth + lane.j;
        Site const j = in.force.slots.sites[jSlot];
        PairBits const bits = pairBits(in.force.list.words, item.words, lane.index);
        PairSide const jSide = sideOf(in, jSlot, j.charge, false);
        math::Vec3l jSum{0, 0, 0}, total{0, 0, 0};
        for (int cluster = 0; cluster < superClusters; ++cluster) {
            if ((wide.mask & (1U << cluster)) == 0) continue;
            std::int32_t const iCluster = entry.super * superClusters + cluster, iSlot = iCluster * clusterWidth + lane.i;
            Site const i = shifted(in.force.slots.sites[iSlot], shift);
            PairState const pair{bits.interacts(cluster), bits.exists(cluster)};
            Separation const d = separation(i, j);
            float const units2 = square(d);
            PairParameters const p = parametersOf(in.flavour, in.force.tables, sideOf(in, iSlot, i.charge, true), jSide);
            float const force = pairForce(in.force.constants, in.flavour, units2, pair, p);
            math::Vec3l f{0, 0, 0};
            if (force * force * units2 <= in.force.constants.safeSquare)
                f = {__float2int_rn(force * d.x), __float2int_rn(force * d.y), __float2int_rn(force * d.z)};
            else
                f = lawForce(in, law, {iSlot, jSlot, entry.shift}, !pair.interacts);
            jSum += f;
            total += f;
            std::int64_t const sum = sumOverJ(f.x, f.y, f.z, lane.index);
            if (lane.j < 3) addAt(in.force.sink, iSlot, lane.j, sum);
        }
        std::int64_t const sum = sumOverI(jSum.x, jSum.y, jSum.z, lane.index);
        if (lane.i < 3) addAt(in.force.sink, jSlot, lane.i, -sum);
        if (in.force.sink.withShifts != 0 && entry.shift != 0) {
            std::int64_t all = sumOverI(total.x, total.y, total.z, lane.index);
            all += __shfl_xor_sync(fullWarp, all, 8);
            all += __shfl_xor_sync(fullWarp, all, 16);
            if (lane.index < 3) addUnits(in.force.sink.shiftForces, 3 * entry.shift + lane.index, unitsOf(in.force.sink, all));
        }
    }
}

// ---- energies ------------------------------------------------------------------------------------------------------------------

constexpr int energyWarps = 2;

/// A warp takes an entry of the list. The law in double precision: erf and exp of each pair, some 400 operations, on the steps that ask for
/// energies. Without a bound on registers nvcc 13 stops at 96 and spills.
__global__ void __launch_bounds__(energyWarps* warpLanes, 8) pairEnergies(EnergyInput const in, pairs::PairLaw const law)
{
    std::uint32_t const index = blockIdx.x * energyWarps + threadIdx.x / warpLanes;
    Lane const lane = myLane();
    if (index == 0 && lane.index == 0) addUnits(in.sums, static_cast<std::size_t>(system::Term::coulombSR), in.chargeUnits);
    if (index >= in.list.entriesListed()) return;
    ListEntry const entry = in.list.entries[index];
    pairs::LatticeVec const shift = in.shifts[entry.shift];
    std::int64_t lj = 0, coulomb = 0, xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    for (int k = 0; k < entry.count; ++k) {
        std::uint32_t const item = runLength * index + static_cast<std::uint32_t>(k), clusters = in.list.masks[item];
        ListItem const listed = in.list.items[item];
        std::int32_t const jSlot = listed.half * halfWidth + lane.j;
        Site const j = in.slots.sites[jSlot];
        PairBits const bits = pairBits(in.list.words, listed.words, lane.index);
        for (int cluster = 0; cluster < superClusters; ++cluster) {
            if ((clusters & (1U << cluster)) == 0) continue;
            std::int32_t const iCluster = entry.super * superClusters + cluster, iSlot = iCluster * clusterWidth + lane.i;
            Site const i = shifted(in.slots.sites[iSlot], shift);
            PairState const pair{bits.interacts(cluster), bits.exists(cluster)};
            double const dx = math::wrappingDifference(i.x, j.x) * in.quantum, dy = math::wrappingDifference(i.y, j.y) * in.quantum,
                         dz = math::wrappingDifference(i.z, j.z) * in.quantum, r2 = dx * dx + dy * dy + dz * dz;
            if (!pair.exists || !(r2 < law.cutoff2())) continue;
            // Atoms on top of each other give a large number, not none.
            pairs::PairTerms const terms =
                law.at(pair.interacts ? fmax(r2, 1e-12) : r2, chargesOf(in.slots, in.law, iSlot, jSlot, !pair.interacts));
            lj += math::roundedTerm(terms.lj * math::sumScale);
            coulomb += math::roundedTerm(terms.coulomb * math::sumScale);
            double const half = -0.5 * terms.forceOverR * math::sumScale;
            xx += math::roundedTerm(half * dx * dx);
            yy += math::roundedTerm(half * dy * dy);
            zz += math::roundedTerm(half * dz * dz);
            xy += math::roundedTerm(half * dx * dy);
            xz += math::roundedTerm(half * dx * dz);
            yz += math::roundedTerm(half * dy * dz);
        }
    }
    auto const add = [&](std::int64_t value, std::size_t at) {
        std::int64_t const sum = sumOverWarp(value);
        if (lane.index == 0) addUnits(in.sums, at, sum);
    };
    add(lj, static_cast<std::size_t>(system::Term::ljSR));
    add(coulomb, static_cast<std::size_t>(system::Term::coulombSR));
    if (in.withVirial == 0) return;
    std::int64_t const tensor[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
    ALDER_UNROLL
    for (std::size_t k = 0; k < 9; ++k) add(tensor[k], system::termCount + k);
}

} // namespace

void queueAll(ForceInput const& input, Stream& stream)
{
    launch<queueItems>({.grid = blocksFor(std::size_t{input.list.entryRoom} * runLength, 128), .block = 128}, stream, input);
}

void addWideForces(WideInput const& input, pairs::PairLaw const& law, Stream& stream)
{
    launch<wideForces>({.grid = wideBlocks, .block = wideThreads}, stream, input, law);
}

void addPairEnergies(EnergyInput const& input, pairs::PairLaw const& law, Stream& stream)
{
    launch<pairEnergies>({.grid = blocksFor(input.list.entryRoom, energyWarps), .block = energyWarps * warpLanes}, stream, input, law);
}

} // namespace alder::cuda
