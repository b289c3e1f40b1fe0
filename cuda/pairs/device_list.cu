#include "pairs/device_list.hpp"

#include "base/error.hpp"
#include "device/launch.hpp"
#include "device/warp_sums.hpp"

#include <algorithm>
#include <cmath>

namespace alder::cuda {
namespace {

constexpr int listWarps = 4; ///< of a block
constexpr unsigned listThreads = listWarps * warpLanes;

__device__ std::uint32_t globalWarp() { return blockIdx.x * listWarps + threadIdx.x / warpLanes; }

/// What the search was asked for.
struct SearchInput {
    GridShape shape;
    GridViews grid;
    PartViews part;
    View<ShiftStep const> steps;
    int shiftCount;
    float reach[3]; ///< list radius in fractions along each box vector
    float radius2;
    View<ListEntry> entries;
    View<ListItem> items;
    View<std::uint8_t> masks;
    View<std::uint32_t> counters;
    std::uint32_t entryRoom;
};

__device__ float distance2(Extent const& a, Extent const& b)
{
    float sum = 0;
    ALDER_UNROLL
    for (int d = 0; d < 3; ++d) {
        float const gap = fmaxf(fmaxf(b.low[d] - a.high[d], a.low[d] - b.high[d]), 0.0F);
        sum = fmaf(gap, gap, sum);
    }
    return sum;
}

__device__ Extent movedBy(Extent extent, float const (&step)[3])
{
    ALDER_UNROLL
    for (int d = 0; d < 3; ++d) {
        extent.low[d] += step[d];
        extent.high[d] += step[d];
    }
    return extent;
}

/// The entry that a warp is filling; the same in all lanes.
struct OpenEntry {
    std::uint32_t index = 0;
    int used = 0;
    bool open = false;
};

/// A warp's search: a super-cluster at an image shift.
struct SearchTask {
    std::int32_t super;
    int shift, lane;
};

__device__ std::uint32_t newEntry(SearchInput const& in, int lane)
{
    std::uint32_t index = 0;
    if (lane == 0) index = atomicAdd(in.counters.pointer(entryCount), 1U);
    return __shfl_sync(fullWarp, index, 0);
}

__device__ void closeEntry(SearchInput const& in, SearchTask const& task, std::uint32_t index, int count)
{
    if (task.lane == 0 && index < in.entryRoom)
        in.entries[index] = ListEntry{task.super, static_cast<std::int16_t>(task.shift), static_cast<std::int16_t>(count)};
}

/// Appends the halves of super-cluster j: lane h < 16 has the mask of half h.
__device__ void append(SearchInput const& in, SearchTask const& task, OpenEntry& entry, std::int32_t j, std::uint32_t mask)
{
    bool const listed = task.lane < superHalves && mask != 0;
    std::uint32_t const all = __ballot_sync(fullWarp, listed);
    int const count = __popc(all);
    if (count == 0) return;
    if (!entry.open) entry = {newEntry(in, task.lane), 0, true};
    // At most 16 items: they fit what is left of this entry and one more.
    std::uint32_t next = entry.index;
    if (entry.used + count > runLength) next = newEntry(in, task.lane);
    int const place = entry.used + __popc(all & ((1U << task.lane) - 1U));
    std::uint32_t const target = place < runLength ? entry.index : next;
    if (listed && target < in.entryRoom) {
        std::uint32_t const item = runLength * target + static_cast<std::uint32_t>(place % runLength);
        in.items[item] = ListItem{j * superHalves + task.lane, -1};
        in.masks[item] = static_cast<std::uint8_t>(mask);
    }
    entry.used += count;
    if (entry.used < runLength) return;
    closeEntry(in, task, entry.index, runLength);
    entry = {next, entry.used - runLength, entry.used > runLength};
}

/// Which clusters of the i side are within reach of lane's half of super-cluster j, by bounds: lanes 0 to 15 and 16 to 31 have half of the
/// clusters each, and get all.
__device__ std::uint32_t clustersNear(SearchInput const& in, SearchTask const& task, ShiftStep const& step, std::int32_t j)
{
    int const half = task.lane % superHalves, first = task.lane / superHalves * (superClusters / 2);
    Extent const bounds = in.grid.halfBounds[j * superHalves + half];
    bool const itself = task.shift == 0 && j == task.super;
    std::uint32_t mask = 0;
    for (int cluster = first; cluster < first + superClusters / 2; ++cluster) {
        if (itself && cluster > half / 2) continue; // each pair once
        Extent const moved = movedBy(in.grid.clusterBounds[task.super * superClusters + cluster], step.nm);
        if (distance2(moved, bounds) <= in.radius2) mask |= 1U << cluster;
    }
    return mask | __shfl_xor_sync(fullWarp, mask, superHalves);
}

/// The lowest super-cluster that is met at a shift, so that each pair is met once: pairs::columnShifts.
__device__ std::int32_t lowestMet(SearchInput const& in, SearchTask const& task, ShiftStep const& step)
{
    if (task.shift == 0) return task.super;
    if (step.images[0] != 0 || step.images[1] != 0) return 0;
    int const column = in.grid.superColumn[task.super];
    return in.grid.superStart[step.images[2] < 0 ? column : column + 1];
}

/// One warp a super-cluster and image shift, through the columns in reach.
__global__ void __launch_bounds__(listThreads) searchPairs(SearchInput const in)
{
    std::uint32_t const warp = globalWarp();
    auto const shiftCount = static_cast<std::uint32_t>(in.shiftCount);
    SearchTask const task{static_cast<std::int32_t>(warp / shiftCount), static_cast<int>(warp % shiftCount),
                          static_cast<int>(threadIdx.x % warpLanes)};
    if (warp / shiftCount >= in.counters[superCount] || task.super >= in.shape.superRoom) return;
    if (in.part.roleOf(in.grid.superColumn[task.super]) != domain::ColumnRole::searched) return;
    ShiftStep const step = in.steps[task.shift];
    Extent const fractions = movedBy(in.grid.superFractions[task.super], step.images);
    if (fractions.low[2] - in.reach[2] > 1.0F || fractions.high[2] + in.reach[2] < 0.0F) return;
    int const columns[2] = {in.shape.columns.a, in.shape.columns.b};
    int first[2], last[2];
    ALDER_UNROLL
    for (int d = 0; d < 2; ++d) {
        auto const n = static_cast<float>(columns[d]);
        float const low = floorf((fractions.low[d] - in.reach[d]) * n), high = floorf((fractions.high[d] + in.reach[d]) * n);
        first[d] = low > 0.0F ? static_cast<int>(low) : 0;
        last[d] = high < n - 1.0F ? static_cast<int>(high) : columns[d] - 1;
    }
    Extent const moved = movedBy(in.grid.superBounds[task.super], step.nm);
    std::int32_t const lowest = lowestMet(in, task, step);
    OpenEntry entry;
    for (int a = first[0]; a <= last[0]; ++a)
        for (int b = first[1]; b <= last[1]; ++b) {
            int const column = a * columns[1] + b;
            int begin = in.grid.superStart[column];
            int end = in.grid.superStart[column + 1];
            if (task.lane == 0 && end > lowest && in.part.roleOf(column) == domain::ColumnRole::none)
                atomicAdd(in.counters.pointer(absentCount), 1U);
            if (end > in.shape.superRoom) end = in.shape.superRoom;
            if (begin < lowest) begin = lowest;
            for (int base = begin; base < end; base += warpLanes) {
                int const own = base + task.lane;
                bool const near = own < end && distance2(moved, in.grid.superBounds[own]) <= in.radius2;
                for (std::uint32_t hits = __ballot_sync(fullWarp, near); hits != 0; hits &= hits - 1) {
                    std::int32_t const j = base + __ffs(static_cast<int>(hits)) - 1;
                    append(in, task, entry, j, clustersNear(in, task, step, j));
                }
            }
        }
    if (entry.open) closeEntry(in, task, entry.index, entry.used);
}

// ---- pruning -------------------------------------------------------------------------------------------------------------------

struct PruneInput {
    SlotViews slots;
    View<pairs::LatticeVec const> shifts;
    ListRadii radii;
    float quantum2;
    View<ListEntry> entries;
    View<ListItem> items;
    View<std::uint8_t> outer, inner;
    View<std::uint16_t> words;
    View<std::uint32_t> counters;
    ExclusionViews exclusions;
    std::uint32_t entryRoom, wordRoom;
};

__device__ bool excluded(ExclusionViews const& exclusions, std::int32_t i, std::int32_t j)
{
    if (i < 0 || j < 0) return false;
    ExclusionRow const row = exclusions.rows[exclusions.rowOf[i]];
    std::int32_t const offset = exclusions.part.numberOf(j) - exclusions.part.numberOf(i);
    if (offset < row.lowest || offset > row.highest) return false;
    for (int k = row.begin; k < row.end; ++k)
        if (exclusions.offsets[k] == offset) return true;
    return false;
}

/// What a warp has found of an item.
struct ItemState {
    std::uint32_t outer = 0, inner = 0;
    std::int32_t words = -1;
};

/// The words of an item whose pairs do not all interact, or are not all there.
__device__ std::int32_t keepWords(PruneInput const& in, std::uint32_t own, int lane)
{
    if (!__any_sync(fullWarp, own != 0xffffU)) return -1;
    std::uint32_t index = 0;
    if (lane == 0) index = atomicAdd(in.counters.pointer(wordCount), 1U);
    index = __shfl_sync(fullWarp, index, 0);
    if (index < in.wordRoom) in.words[index * warpLanes + static_cast<std::uint32_t>(lane)] = static_cast<std::uint16_t>(own);
    return static_cast<std::int32_t>(index);
}

/// A warp takes an entry. Clears the bits of i clusters none of whose atoms is within the inner radius of the half. With a fresh list it
/// does so with the outer radius too, notes which pairs are excluded, and closes the gaps that emptied items leave.
template <bool fresh> __global__ void __launch_bounds__(listThreads, 8) pruneList(PruneInput const in)
{
    ALDER_SHARED(Site, iSites, listWarps * superSlots);
    std::uint32_t const index = globalWarp(), listed = in.counters[entryCount];
    if (index >= listed || index >= in.entryRoom) return;
    int const ownSlots = static_cast<int>(threadIdx.x / warpLanes) * superSlots;
    Lane const lane = myLane();
    ListEntry const entry = in.entries[index];
    pairs::LatticeVec const shift = in.shifts[entry.shift];
    for (int k = lane.index; k < superSlots; k += warpLanes)
        iSites[ownSlots + k] = shifted(in.slots.sites[entry.super * superSlots + k], shift);
    __syncwarp(fullWarp);

    std::uint32_t const ownItem = runLength * index + static_cast<std::uint32_t>(lane.index);
    ListItem item{0, -1};
    ItemState state;
    if (lane.index < entry.count) {
        item = in.items[ownItem];
        state.outer = in.outer[ownItem];
    }
    for (int k = 0; k < entry.count; ++k) {
        std::int32_t const half = __shfl_sync(fullWarp, item.half, k), jSlot = half * halfWidth + lane.j;
        std::uint32_t const clusters = __shfl_sync(fullWarp, state.outer, k);
        Site const j = in.slots.sites[jSlot];
        ItemState found;
        std::uint32_t word = 0xffffU;
        for (int cluster = 0; cluster < superClusters; ++cluster) {
            if ((clusters & (1U << cluster)) == 0) continue;
            Site const i = iSites[ownSlots + cluster * clusterWidth + lane.i];
            float const r2 = square(separation(i, j)) * in.quantum2;
            if (__any_sync(fullWarp, r2 < in.radii.inner2)) found.inner |= 1U << cluster;
            if constexpr (fresh) {
                if (!__any_sync(fullWarp, r2 < in.radii.outer2)) continue;
                found.outer |= 1U << cluster;
                std::int32_t const iCluster = entry.super * superClusters + cluster;
                if (excluded(in.exclusions, in.slots.atomAt[iCluster * clusterWidth + lane.i], in.slots.atomAt[jSlot]))
                    word &= ~(1U << cluster);
                bool const itself = entry.shift == 0 && half / 2 == iCluster;
                if (itself && lane.i >= halfWidth * (half & 1) + lane.j) word &= ~(1U << (superClusters + cluster));
            }
        }
        if constexpr (fresh) found.words = keepWords(in, word, lane.index);
        if (lane.index == k) state = found;
    }
    if constexpr (!fresh) {
        if (lane.index < entry.count) in.inner[ownItem] = static_cast<std::uint8_t>(state.inner);
    } else {
        bool const kept = lane.index < entry.count && (state.outer | state.inner) != 0;
        std::uint32_t const all = __ballot_sync(fullWarp, kept);
        if (kept) {
            std::uint32_t const place = runLength * index + static_cast<std::uint32_t>(__popc(all & ((1U << lane.index) - 1U)));
            in.items[place] = ListItem{item.half, state.words};
            in.outer[place] = static_cast<std::uint8_t>(state.outer);
            in.inner[place] = static_cast<std::uint8_t>(state.inner);
        }
        if (lane.index == 0) in.entries[index] = ListEntry{entry.super, entry.shift, static_cast<std::int16_t>(__popc(all))};
    }
}

/// Pairs of slots in the items' masks.
__global__ void __launch_bounds__(listThreads) countPairs(ListViews const list, View<std::int64_t> sums)
{
    std::uint32_t const item = blockIdx.x * listThreads + threadIdx.x, entry = item / runLength;
    std::int64_t pairs = 0;
    if (entry < list.entriesListed()) {
        ListEntry const found = list.entries[entry];
        if (static_cast<int>(item % runLength) < found.count) pairs = __popc(list.masks[item]) * clusterWidth * halfWidth;
    }
    pairs = sumOverWarp(pairs);
    if (threadIdx.x % warpLanes == 0) addUnits(sums, 0, pairs);
}

/// A second try starts from nothing.
__global__ void forgetList(View<std::uint32_t> counters) { counters[threadIdx.x == 0 ? entryCount : wordCount] = 0; }

unsigned blocksOfWarps(std::size_t warps) { return blocksFor(warps, listWarps); }

} // namespace

void DevicePairList::makeRoom(std::size_t entries, std::size_t words)
{
    // Items are numbered in 32 bits.
    if (entries * runLength > 4294967295U) throw base::RunFailed("the pair list of this system is too long for one GPU");
    if (entries_.size() < entries) {
        entries_.resize(entries);
        items_.resize(entries * runLength);
        outerMasks_.resize(entries * runLength);
        innerMasks_.resize(entries * runLength);
    }
    if (words_.size() < words * warpLanes) words_.resize(words * warpLanes);
}

namespace {

void setReach(SearchInput& in, physics::Box const& box, double listCutoff)
{
    // Bounds are floats of coordinates up to the box size: give the search the room that their rounding may take.
    double const slop = 1e-6 * (box.a().x + box.b().y + box.c().z + std::fabs(box.b().x) + std::fabs(box.c().x) + std::fabs(box.c().y));
    double const searched = listCutoff + slop, volume = box.volume();
    double const areas[3] = {math::norm(math::cross(box.b(), box.c())), math::norm(math::cross(box.c(), box.a())),
                             math::norm(math::cross(box.a(), box.b()))};
    for (int d = 0; d < 3; ++d) in.reach[d] = static_cast<float>(searched * areas[d] / volume + 1e-6);
    in.radius2 = static_cast<float>(searched * searched);
}

std::vector<ShiftStep> stepsOf(std::vector<pairs::ImageShift> const& images, pairs::Lattice const& lattice)
{
    std::vector<ShiftStep> steps;
    auto const nm = [&](std::int32_t units) { return static_cast<float>(units * lattice.quantum()); };
    for (pairs::ImageShift const& s : images) {
        pairs::LatticeVec const v = lattice.shift(s[0], s[1], s[2]);
        steps.push_back({{nm(v.x), nm(v.y), nm(v.z)}, {static_cast<float>(s[0]), static_cast<float>(s[1]), static_cast<float>(s[2])}});
    }
    return steps;
}

} // namespace

int DevicePairList::build(Request const& request, DeviceBuffer<std::uint32_t>& counters, Stream& stream)
{
    SuperGrid& grid = *request.grid;
    auto const supers = static_cast<std::size_t>(grid.shape().superRoom), shiftCount = request.images->size();
    steps_.upload(stepsOf(*request.images, grid.shape().lattice), stream);
    makeRoom(std::max<std::size_t>(64, 4 * supers), std::max<std::size_t>(64, 8 * supers));
    float const quantum = static_cast<float>(grid.shape().lattice.quantum());
    for (;;) {
        auto const room = static_cast<std::uint32_t>(entries_.size()), wordRoom = static_cast<std::uint32_t>(words_.size() / warpLanes);
        SearchInput search{grid.shape(),
                           grid.views(),
                           request.exclusions.part,
                           steps_.constView(),
                           static_cast<int>(shiftCount),
                           {},
                           0,
                           entries_.view(),
                           items_.view(),
                           outerMasks_.view(),
                           counters.view(),
                           room};
        setReach(search, request.box, request.listCutoff);
        launch<searchPairs>({.grid = blocksOfWarps(supers * shiftCount), .block = listThreads}, stream, search);
        PruneInput const prune{grid.slots(),    request.shifts,  request.radii,      quantum * quantum,
                               entries_.view(), items_.view(),   outerMasks_.view(), innerMasks_.view(),
                               words_.view(),   counters.view(), request.exclusions, room,
                               wordRoom};
        launch<pruneList<true>>({.grid = blocksOfWarps(room), .block = listThreads}, stream, prune);
        std::vector<std::uint32_t> const counts = counters.download(stream);
        if (counts[absentCount] > 0)
            throw base::RunFailed("a pair list reaches atoms that this rank was not given: a fault of alder, please report it");
        entriesFound_ = counts[entryCount];
        auto const found = static_cast<int>(counts[superCount]);
        if (found > grid.shape().superRoom || (counts[entryCount] <= room && counts[wordCount] <= wordRoom)) return found;
        auto const wanted = [](std::uint32_t count) { return std::size_t{count} + count / 8 + 64; };
        makeRoom(wanted(counts[entryCount]), wanted(counts[wordCount]));
        launch<forgetList>({.grid = 1, .block = 2}, stream, counters.view());
    }
}

void DevicePairList::prune(SlotViews const& slots, View<pairs::LatticeVec const> shifts, ListRadii radii, float quantum2,
                           DeviceBuffer<std::uint32_t>& counters, Stream& stream)
{
    auto const room = static_cast<std::uint32_t>(entries_.size());
    PruneInput const input{slots,
                           shifts,
                           radii,
                           quantum2,
                           entries_.view(),
                           items_.view(),
                           outerMasks_.view(),
                           innerMasks_.view(),
                           words_.view(),
                           counters.view(),
                           {},
                           room,
                           static_cast<std::uint32_t>(words_.size() / warpLanes)};
    launch<pruneList<false>>({.grid = blocksOfWarps(room), .block = listThreads}, stream, input);
}

std::int64_t DevicePairList::listedPairs(DeviceBuffer<std::uint32_t>& counters, Stream& stream)
{
    DeviceBuffer<std::int64_t> sum(1);
    sum.clear(stream);
    launch<countPairs>({.grid = blocksFor(items_.size(), listThreads), .block = listThreads}, stream, inner(counters), sum.view());
    return sum.download(stream)[0];
}

ListViews DevicePairList::inner(DeviceBuffer<std::uint32_t>& counters)
{
    return {entries_.constView(), items_.constView(),   innerMasks_.constView(),
            words_.constView(),   counters.constView(), static_cast<std::uint32_t>(entries_.size())};
}

} // namespace alder::cuda
