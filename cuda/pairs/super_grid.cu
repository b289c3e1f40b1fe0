#include "pairs/super_grid.hpp"

#include "device/launch.hpp"

#include <algorithm>
#include <cmath>

namespace alder::cuda {
namespace {

constexpr int plainThreads = 128, scanThreads = 256;

__device__ int globalThread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

LaunchShape threadsFor(int items) { return {.grid = blocksFor(static_cast<std::size_t>(items), plainThreads), .block = plainThreads}; }

} // namespace

GridShape shapeOf(GridNeeds const& needs)
{
    GridShape shape;
    shape.atomCount = static_cast<int>(needs.atomCount);
    shape.lattice = pairs::Lattice(needs.box, needs.latticeBits);
    shape.columns = domain::chooseColumns(needs.box, needs.columns);
    double const height = std::min(1.0, 1.2 * needs.columns.listCutoff / math::norm(needs.box.c()));
    shape.tallest = static_cast<std::uint32_t>(std::min(4294967295.0, height * 4294967296.0));
    // What matter that fills its columns takes; where it does not, the list builder asks again with what it found.
    int const columns = needs.columnsHere < 0 ? shape.columns.count() : needs.columnsHere;
    shape.superRoom =
        std::max(static_cast<int>(needs.atomCount / superSlots) + columns * 3 / 4 + 16, needs.supersFound + needs.supersFound / 8);
    return shape;
}

// ---- columns -------------------------------------------------------------------------------------------------------------------

/// An atom in a column without a role has no place.
__global__ void countColumns(GridAtoms const atoms, GridShape const shape, View<std::int32_t> columnOf, View<std::int32_t> place,
                             View<std::int32_t> counts)
{
    int const atom = globalThread();
    if (atom >= shape.atomCount) return;
    int const column = shape.columns.columnOf(atoms.positions[atom]);
    columnOf[atom] = column;
    place[atom] = atoms.part.roleOf(column) == domain::ColumnRole::none ? -1 : atomicAdd(counts.pointer(column), 1);
}

/// starts[k] = counts[0] + ... + counts[k - 1], starts[count] the sum of all. One block.
__global__ void startsOf(View<std::int32_t const> counts, View<std::int32_t> starts, int count)
{
    ALDER_SHARED(std::int32_t, warpSums, scanThreads / warpLanes);
    int const thread = static_cast<int>(threadIdx.x), lane = thread % warpLanes, warp = thread / warpLanes;
    std::int32_t before = 0;
    for (int base = 0; base < count; base += scanThreads) {
        std::int32_t const own = base + thread < count ? counts[base + thread] : 0;
        std::int32_t sum = own;
        for (int by = 1; by < warpLanes; by *= 2) {
            std::int32_t const below = __shfl_up_sync(fullWarp, sum, static_cast<unsigned>(by));
            if (lane >= by) sum += below;
        }
        if (lane == warpLanes - 1) warpSums[warp] = sum;
        __syncthreads();
        std::int32_t lower = 0, all = 0;
        for (int w = 0; w < scanThreads / warpLanes; ++w) {
            std::int32_t const part = warpSums[w];
            if (w < warp) lower += part;
            all += part;
        }
        if (base + thread < count) starts[base + thread] = before + lower + sum - own;
        before += all;
        __syncthreads();
    }
    if (thread == 0) starts[count] = before;
}

__global__ void scatterAtoms(View<math::FractionVec const> positions, GridShape const shape, View<std::int32_t const> columnOf,
                             View<std::int32_t const> place, View<std::int32_t const> columnStart, View<HeightKey> scattered)
{
    int const atom = globalThread();
    if (atom >= shape.atomCount || place[atom] < 0) return;
    scattered[columnStart[columnOf[atom]] + place[atom]] = HeightKey{static_cast<std::uint32_t>(positions[atom].z), atom};
}

struct ColumnViews {
    int count;
    View<std::int32_t const> of, start; ///< by atom, by column
};

/// Where atoms stand in a column's order of (height, number): one thread an atom counts those before it. A column holds up to a few hundred.
__global__ void sortColumns(View<HeightKey const> scattered, PartViews const part, ColumnViews const columns, View<HeightKey> sorted)
{
    int const at = globalThread();
    if (at >= columns.start[columns.count]) return;
    HeightKey const own = scattered[at];
    int const column = columns.of[own.atom];
    int const begin = columns.start[column], end = columns.start[column + 1];
    int before = 0;
    for (int k = begin; k < end; ++k) {
        HeightKey const other = scattered[k];
        before += other.height < own.height || (other.height == own.height && part.numberOf(other.atom) < part.numberOf(own.atom)) ? 1 : 0;
    }
    sorted[begin + before] = own;
}

/// Where a run that begins at `begin` ends: after 64 atoms, or where it would grow too tall.
__device__ int runEnd(View<HeightKey const> sorted, int begin, int columnEnd, std::uint32_t tallest)
{
    int end = begin + superSlots < columnEnd ? begin + superSlots : columnEnd;
    HeightKey const first = sorted[begin];
    auto const fits = [&](int k) {
        HeightKey const key = sorted[k];
        return key.height - first.height <= tallest;
    };
    if (fits(end - 1)) return end;
    int low = begin + 1;
    while (low < end) {
        int const middle = (low + end) / 2;
        if (fits(middle))
            low = middle + 1;
        else
            end = middle;
    }
    return end;
}

__global__ void countRuns(View<HeightKey const> sorted, GridShape const shape, View<std::int32_t const> columnStart,
                          View<std::int32_t> counts)
{
    int const column = globalThread();
    if (column >= shape.columns.count()) return;
    int const end = columnStart[column + 1];
    int count = 0;
    for (int begin = columnStart[column]; begin < end; ++count) begin = runEnd(sorted, begin, end, shape.tallest);
    counts[column] = count;
}

struct SuperOutput {
    View<AtomRange> ranges;
    View<std::int32_t> column;
};

__global__ void cutColumns(View<HeightKey const> sorted, GridShape const shape, View<std::int32_t const> columnStart,
                           View<std::int32_t const> superStart, SuperOutput const out, View<std::uint32_t> counters)
{
    int const column = globalThread();
    if (column >= shape.columns.count()) return;
    if (column == 0) {
        counters[superCount] = static_cast<std::uint32_t>(superStart[shape.columns.count()]);
        for (int k = superCount + 1; k < counterCount; ++k) counters[k] = 0;
    }
    int const end = columnStart[column + 1];
    int super = superStart[column];
    for (int begin = columnStart[column]; begin < end; ++super) {
        int const stop = runEnd(sorted, begin, end, shape.tallest);
        if (super < shape.superRoom) {
            out.ranges[super] = AtomRange{begin, stop};
            out.column[super] = column;
        }
        begin = stop;
    }
}

// ---- slots ---------------------------------------------------------------------------------------------------------------------

/// Slots of the grid as they are filled.
struct SlotOutput {
    View<std::int32_t> atomAt, ljType, kind;
    View<math::FractionVec> start;
    View<Site> sites;
    View<LjPair> lj;
    View<Extent> superBounds, clusterBounds, halfBounds, superFractions;
};

__device__ math::Vec3l unwrapped(math::FractionVec start, math::FractionVec now)
{
    math::FractionVec const moved = math::wrappingDifference(now, start);
    auto const sum = [](std::int32_t from, std::int32_t by) { return static_cast<std::int64_t>(static_cast<std::uint32_t>(from)) + by; };
    return {sum(start.x, moved.x), sum(start.y, moved.y), sum(start.z, moved.z)};
}

/// Widens an extent by that of the lane `bit` away.
__device__ Extent joined(Extent extent, int bit)
{
    ALDER_UNROLL
    for (int d = 0; d < 3; ++d) {
        extent.low[d] = fminf(extent.low[d], __shfl_xor_sync(fullWarp, extent.low[d], bit));
        extent.high[d] = fmaxf(extent.high[d], __shfl_xor_sync(fullWarp, extent.high[d], bit));
    }
    return extent;
}

constexpr float farAway = 1e30F; // not the largest float: sums of two must stay finite

__device__ Extent pointExtent(float x, float y, float z, bool filled)
{
    if (!filled) return {{farAway, farAway, farAway}, {-farAway, -farAway, -farAway}};
    return {{x, y, z}, {x, y, z}};
}

/// A block of 64 threads fills one super-cluster. The atoms are split at ranks: by y into halves of 32, these by x into quarters of 16, these
/// by z into clusters of 8 whose lower and upper four atoms are the j halves. A run that is not full is halved all the same, at a multiple
/// of 8, so that its clusters are as compact as others.
__global__ void __launch_bounds__(superSlots)
    fillSupers(GridAtoms const given, GridShape const shape, View<HeightKey const> sorted, View<AtomRange const> ranges,
               View<std::uint32_t const> counters, SlotOutput const out)
{
    ALDER_SHARED(std::int32_t, keys, superSlots);
    ALDER_SHARED(std::int32_t, parts, superSlots);
    ALDER_SHARED(std::int32_t, atoms, superSlots);
    ALDER_SHARED(Extent, wholes, 4);
    auto const super = static_cast<std::int32_t>(blockIdx.x);
    if (blockIdx.x >= counters[superCount]) return;
    int const thread = static_cast<int>(threadIdx.x);
    AtomRange const range = ranges[super];
    int const count = range.end - range.begin;
    bool const taken = thread < count;
    std::int32_t atom = -1;
    pairs::LatticeVec x{0, 0, 0};
    if (taken) {
        HeightKey const key = sorted[range.begin + thread];
        atom = key.atom;
        math::FractionVec const f = given.positions[atom];
        x = shape.lattice.coordinate(unwrapped(f, f));
    }
    int part = 0;
    for (int round = 0, size = superSlots / 2; round < 3; ++round, size /= 2) {
        std::int32_t const own = round == 0 ? x.y : round == 1 ? x.x : x.z;
        keys[thread] = own;
        parts[thread] = part;
        atoms[thread] = atom;
        __syncthreads();
        int before = 0, all = 0;
        for (int k = 0; k < count; ++k) {
            if (parts[k] != part) continue;
            std::int32_t const key = keys[k];
            before += key < own || (taken && key == own && given.part.numberOf(atoms[k]) < given.part.numberOf(atom)) ? 1 : 0;
            ++all;
        }
        __syncthreads();
        // Parts are numbered by the slot they begin at; the last round's rank is the slot. Whole clusters go to either side.
        int const lower = (all / 2 + clusterWidth - 1) / clusterWidth * clusterWidth;
        part += round == 2 ? before : before >= lower ? size : 0;
    }
    atoms[thread] = -1;
    __syncthreads();
    if (taken) atoms[part] = atom;
    __syncthreads();

    atom = atoms[thread];
    bool const filled = atom >= 0;
    std::int32_t const slot = super * superSlots + thread;
    math::FractionVec const f = filled ? given.positions[atom] : math::FractionVec{0, 0, 0};
    KindTables const kinds = given.kinds;
    int const kind = filled ? kinds.kindOf[atom] : 0;
    x = shape.lattice.coordinate(unwrapped(f, f));
    out.atomAt[slot] = atom;
    out.start[slot] = f;
    out.kind[slot] = kind;
    out.ljType[slot] = filled ? kinds.ljType[kind] : 0;
    out.sites[slot] = filled ? Site{x.x, x.y, x.z, kinds.charge[kind]} : Site{emptyJ, 0, 0, 0.0F};
    out.lj[slot] = filled ? kinds.lj[kind] : LjPair{0, 0};

    auto const nm = static_cast<float>(shape.lattice.quantum());
    Extent bounds = pointExtent(static_cast<float>(x.x) * nm, static_cast<float>(x.y) * nm, static_cast<float>(x.z) * nm, filled);
    bounds = joined(joined(bounds, 1), 2);
    if (thread % halfWidth == 0) out.halfBounds[slot / halfWidth] = bounds;
    bounds = joined(bounds, 4);
    if (thread % clusterWidth == 0) out.clusterBounds[slot / clusterWidth] = bounds;
    bounds = joined(joined(bounds, 8), 16);
    auto const fraction = [](std::int32_t u) { return static_cast<float>(static_cast<std::uint32_t>(u)) * (1.0F / 4294967296.0F); };
    Extent fractions = pointExtent(fraction(f.x), fraction(f.y), fraction(f.z), filled);
    for (int bit = 1; bit < warpLanes; bit *= 2) fractions = joined(fractions, bit);
    if (thread % warpLanes == 0) {
        wholes[thread / warpLanes] = bounds;
        wholes[2 + thread / warpLanes] = fractions;
    }
    __syncthreads();
    if (thread < 2) {
        Extent const first = wholes[2 * thread], second = wholes[2 * thread + 1];
        Extent both = first;
        for (int d = 0; d < 3; ++d) {
            both.low[d] = fminf(first.low[d], second.low[d]);
            both.high[d] = fmaxf(first.high[d], second.high[d]);
        }
        (thread == 0 ? out.superBounds : out.superFractions)[super] = both;
    }
}

__global__ void placeSites(View<math::FractionVec const> positions, View<pairs::Lattice const> lattices, View<std::int32_t const> atomAt,
                           View<math::FractionVec const> start, View<Site> sites, View<std::uint32_t> counters)
{
    int const slot = globalThread();
    if (slot == 0) counters[wideCount] = 0;
    if (static_cast<std::uint32_t>(slot / superSlots) >= counters[superCount]) return;
    std::int32_t const atom = atomAt[slot];
    if (atom < 0) return;
    pairs::Lattice const lattice = lattices[0];
    pairs::LatticeVec const x = lattice.coordinate(unwrapped(start[slot], positions[atom]));
    Site site = sites[slot];
    site.x = x.x;
    site.y = x.y;
    site.z = x.z;
    sites[slot] = site;
}

// ---- host ----------------------------------------------------------------------------------------------------------------------

void SuperGrid::makeRoom(Stream& stream)
{
    auto const atoms = static_cast<std::size_t>(shape_.atomCount), columns = static_cast<std::size_t>(shape_.columns.count()),
               supers = static_cast<std::size_t>(shape_.superRoom), slots = supers * superSlots;
    auto const atLeast = [](auto& buffer, std::size_t count) {
        if (buffer.size() < count) buffer.resize(count + count / 8);
    };
    for (auto* buffer : {&columnOf_, &place_}) atLeast(*buffer, atoms);
    for (auto* buffer : {&columnCount_, &columnStart_, &superCount_, &superStart_}) atLeast(*buffer, columns + 1);
    columnCount_.clear(stream);
    atLeast(scattered_, atoms);
    atLeast(sorted_, atoms);
    atLeast(ranges_, supers);
    atLeast(superColumn_, supers);
    for (auto* buffer : {&atomAt_, &ljType_, &kind_}) atLeast(*buffer, slots);
    atLeast(start_, slots);
    atLeast(sites_, slots);
    atLeast(lj_, slots);
    atLeast(superBounds_, supers);
    atLeast(superFractions_, supers);
    atLeast(clusterBounds_, supers * superClusters);
    atLeast(halfBounds_, supers * superHalves);
}

void SuperGrid::build(GridAtoms const& atoms, GridShape const& shape, View<std::uint32_t> counters, Stream& stream)
{
    shape_ = shape;
    makeRoom(stream);
    int const count = shape.atomCount, columns = shape.columns.count();
    launch<countColumns>(threadsFor(count), stream, atoms, shape, columnOf_.view(), place_.view(), columnCount_.view());
    launch<startsOf>({.grid = 1, .block = scanThreads}, stream, columnCount_.constView(), columnStart_.view(), columns);
    launch<scatterAtoms>(threadsFor(count), stream, atoms.positions, shape, columnOf_.constView(), place_.constView(),
                         columnStart_.constView(), scattered_.view());
    launch<sortColumns>(threadsFor(count), stream, scattered_.constView(), atoms.part,
                        ColumnViews{columns, columnOf_.constView(), columnStart_.constView()}, sorted_.view());
    launch<countRuns>(threadsFor(columns), stream, sorted_.constView(), shape, columnStart_.constView(), superCount_.view());
    launch<startsOf>({.grid = 1, .block = scanThreads}, stream, superCount_.constView(), superStart_.view(), columns);
    launch<cutColumns>(threadsFor(columns), stream, sorted_.constView(), shape, columnStart_.constView(), superStart_.constView(),
                       SuperOutput{ranges_.view(), superColumn_.view()}, counters);
    SlotOutput const out{atomAt_.view(), ljType_.view(),      kind_.view(),          start_.view(),      sites_.view(),
                         lj_.view(),     superBounds_.view(), clusterBounds_.view(), halfBounds_.view(), superFractions_.view()};
    launch<fillSupers>({.grid = static_cast<unsigned>(shape.superRoom), .block = superSlots}, stream, atoms, shape, sorted_.constView(),
                       ranges_.constView(), View<std::uint32_t const>(counters), out);
}

void SuperGrid::place(View<math::FractionVec const> positions, View<pairs::Lattice const> lattice, View<std::uint32_t> counters,
                      Stream& stream)
{
    launch<placeSites>(threadsFor(slotRoom()), stream, positions, lattice, atomAt_.constView(), start_.constView(), sites_.view(),
                       counters);
}

SlotViews SuperGrid::slots()
{
    return {atomAt_.constView(), start_.constView(), sites_.constView(), lj_.constView(), ljType_.constView(), kind_.constView()};
}

GridViews SuperGrid::views()
{
    return {superStart_.constView(),    superColumn_.constView(), superBounds_.constView(),
            clusterBounds_.constView(), halfBounds_.constView(),  superFractions_.constView()};
}

} // namespace alder::cuda
