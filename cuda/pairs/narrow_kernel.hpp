#pragma once
// The force kernel of plain steps: sums of 32 bits in registers, 64 bits in memory.

#include "pairs/pair_force.hpp"

namespace alder::cuda {

inline constexpr int narrowWarps = 4; ///< entries of a block

struct ForceInput {
    SlotViews slots;
    ListViews list;
    View<pairs::LatticeVec const> shifts;
    LjTables tables;
    ForceConstants constants;
    ForceSink sink;
    View<WideItem> wideItems; ///< room for all items
    View<std::uint32_t> counters;
};

/// Lennard-Jones of an i atom in shared memory: as long as a Site, so that one address serves both.
struct alignas(16) SideLj {
    LjPair lj;
    std::int32_t type;
};

/// Blocks a multiprocessor is to hold: 32 warps with 64 registers each; where the potential is switched some forms would spill there: 28.
template <class Flavour>
inline constexpr int narrowBlocks =
    Flavour::lj == pairs::LjFlavour::potentialSwitch || Flavour::lj == pairs::LjFlavour::forceSwitch ? 7 : 8;

/// A warp takes an entry: its i atoms into shared memory, then item by item eight i atoms times four j atoms at a time, one i cluster after
/// the other. i forces stay in registers to the end of the entry, j forces to the end of the item.
///
/// Terms are rounded one by one, so that no order matters. The guard tells, before anything is added, whether sums might leave 32 bits or
/// a force is not a number: these pairs are left to the wide kernel, which gives the same integers wherever 32 bits hold them.
template <class Flavour> __global__ void __launch_bounds__(narrowWarps* warpLanes, narrowBlocks<Flavour>) narrowForces(ForceInput const in)
{
    ALDER_SHARED(Site, iSites, narrowWarps * superSlots);
    ALDER_SHARED(SideLj, iLj, narrowWarps * superSlots);
    constexpr Flavour flavour{};
    constexpr bool geometric = Flavour::parameters == pairs::ParameterFlavour::geometric;
    ForceConstants const& c = in.constants;
    int const warp = static_cast<int>(threadIdx.x / warpLanes), ownSlots = warp * superSlots;
    Lane const lane = myLane();
    std::uint32_t const index = blockIdx.x * narrowWarps + static_cast<std::uint32_t>(warp);
    if (index >= in.list.entriesListed()) return;

    ListEntry const entry = in.list.entries[index];
    pairs::LatticeVec const shift = in.shifts[entry.shift];
    ALDER_UNROLL
    for (int k = lane.index; k < superSlots; k += warpLanes) {
        std::int32_t const slot = entry.super * superSlots + k;
        Site site = shifted(in.slots.sites[slot], shift);
        site.charge *= c.chargeFactor;
        iSites[ownSlots + k] = site;
        SideLj side{{0, 0}, 0};
        if constexpr (geometric) {
            LjPair const lj = in.slots.lj[slot];
            side.lj = {lj.six * c.sixFactor, lj.twelve * c.twelveFactor};
        } else {
            side.type = in.slots.ljType[slot] * in.tables.typeCount;
        }
        iLj[ownSlots + k] = side;
    }
    __syncwarp(fullWarp);

    ListItem item{0, -1};
    std::uint32_t mask = 0;
    std::uint32_t const itemIndex = runLength * index + static_cast<std::uint32_t>(lane.index);
    if (lane.index < entry.count) {
        item = in.list.items[itemIndex];
        mask = in.list.masks[itemIndex];
    }
    std::int32_t fx[superClusters] = {}, fy[superClusters] = {}, fz[superClusters] = {};
    float guard = 0;
    for (std::uint32_t todo = __ballot_sync(fullWarp, mask != 0); todo != 0; todo &= todo - 1) {
        int const k = __ffs(static_cast<int>(todo)) - 1;
        std::int32_t const half = __shfl_sync(fullWarp, item.half, k), words = __shfl_sync(fullWarp, item.words, k);
        std::uint32_t const clusters = __shfl_sync(fullWarp, mask, k);
        std::int32_t const jSlot = half * halfWidth + lane.j;
        PairBits const bits = pairBits(in.list.words, words, lane.index);
        Site const j = in.slots.sites[jSlot];
        PairSide jSide{j.charge, {0, 0}, 0};
        if constexpr (geometric)
            jSide.lj = in.slots.lj[jSlot];
        else
            jSide.type = in.slots.ljType[jSlot];
        std::int32_t jx = 0, jy = 0, jz = 0;
        std::uint32_t wide = 0;
        ALDER_UNROLL
        for (int cluster = 0; cluster < superClusters; ++cluster) {
            if ((clusters & (1U << cluster)) == 0) continue;
            int const own = ownSlots + cluster * clusterWidth + lane.i;
            Site const i = iSites[own];
            PairSide iSide{i.charge, {0, 0}, 0};
            SideLj const side = iLj[own];
            if constexpr (geometric)
                iSide.lj = side.lj;
            else
                iSide.type = side.type;
            Separation const d = separation(i, j);
            float const units2 = square(d);
            float const force = pairForce(c, flavour, units2, {bits.interacts(cluster), bits.exists(cluster)},
                                          parametersOf(flavour, in.tables, iSide, jSide));
            float const squares = fmaf(force * force, units2, guard);
            if (__any_sync(fullWarp, !(squares <= c.safeSquare))) {
                wide |= 1U << cluster;
                continue;
            }
            guard = squares;
            std::int32_t const kx = __float2int_rn(force * d.x), ky = __float2int_rn(force * d.y), kz = __float2int_rn(force * d.z);
            fx[cluster] += kx;
            fy[cluster] += ky;
            fz[cluster] += kz;
            jx += kx;
            jy += ky;
            jz += kz;
        }
        std::int32_t const sum = sumOverI(jx, jy, jz, lane.index);
        if (lane.i < 3) {
            std::int32_t const place = in.sink.placeOf[jSlot];
            if (place >= 0) addUnits(in.sink.forces, 3 * place + lane.i, unitsOf(in.sink, -std::int64_t{sum}));
        }
        if (wide != 0 && lane.index == 0)
            in.wideItems[atomicAdd(in.counters.pointer(wideCount), 1U)] = WideItem{runLength * index + static_cast<std::uint32_t>(k), wide};
    }

    std::int64_t total = 0;
    ALDER_UNROLL
    for (int cluster = 0; cluster < superClusters; ++cluster) {
        std::int32_t const sum = sumOverJ(fx[cluster], fy[cluster], fz[cluster], lane.index);
        if (lane.j < 3) {
            std::int32_t const place = in.sink.placeOf[entry.super * superSlots + cluster * clusterWidth + lane.i];
            if (place >= 0) addUnits(in.sink.forces, 3 * place + lane.j, unitsOf(in.sink, sum));
            total += sum;
        }
    }
    if (in.sink.withShifts == 0 || entry.shift == 0) return;
    for (int bit = 1; bit < clusterWidth; bit *= 2) total += __shfl_xor_sync(fullWarp, total, bit);
    if (lane.i == 0 && lane.j < 3) addUnits(in.sink.shiftForces, 3 * entry.shift + lane.j, unitsOf(in.sink, total));
}

} // namespace alder::cuda
