#pragma once
// What the pair kernels read and write: slots, clusters and list, as views of device memory.
//
// A super-cluster is eight clusters of eight slots, the i side of a list entry; the j side comes in halves of clusters. A slot holds one
// atom or none. A warp takes an entry, 8 i atoms times 4 j atoms at a time.

#include "device/language.hpp"
#include "math/vec3.hpp"
#include "pairs/lattice.hpp"

#include <cstdint>

namespace alder::cuda {

inline constexpr int clusterWidth = 8;  ///< atoms of a cluster
inline constexpr int halfWidth = 4;     ///< atoms of a j half
inline constexpr int superClusters = 8; ///< clusters of a super-cluster
inline constexpr int superHalves = 16;  ///< halves of a super-cluster
inline constexpr int superSlots = 64;   ///< slots of a super-cluster
inline constexpr int runLength = 16;    ///< items of a list entry, at most: what one warp does in one go

/// A slot as the kernels read it, in lattice units. One load of 16 bytes.
struct alignas(16) Site {
    std::int32_t x, y, z;
    float charge; ///< times sqrt(f / epsilon_r)
};
/// Products of two of these, or entries of the tables, are 6 c6 and 12 c12.
struct alignas(8) LjPair {
    float six, twelve;
};
/// An axis-parallel box; nm, or fractions.
struct alignas(8) Extent {
    float low[3], high[3];
};

/// Empty slots of the j side and of the i side lie out of reach of each other and of every atom, 2^28 units away at least: atoms keep to
/// 3/4 of the 32-bit range (boxes to 5.4e8 units), and differences wrap.
inline constexpr std::int32_t emptyJ = 2147483647 - 268435455;
inline constexpr std::int32_t emptyI = -2147483647 + 268435455;

/// A super-cluster, moved by an image shift, against up to runLength halves: items [runLength * entry, + count).
struct alignas(8) ListEntry {
    std::int32_t super;
    std::int16_t shift, count;
};
struct alignas(8) ListItem {
    std::int32_t half;  ///< halves are numbered through: slot / 4
    std::int32_t words; ///< where not all pairs are there and interact: words [32 words, + 32), one a lane; else -1
};
/// An item whose pairs in the clusters of `mask` are left to the wide kernel.
struct alignas(8) WideItem {
    std::uint32_t item; ///< index into the items
    std::uint32_t mask;
};

/// Numbers that the list builder keeps on the device. The last: searches that met a column whose atoms are not here.
inline constexpr int superCount = 0, entryCount = 1, wordCount = 2, wideCount = 3, absentCount = 4, counterCount = 5;

/// A cluster is found by place alone. All by slot, but for the bounds.
struct SlotViews {
    View<std::int32_t const> atomAt; ///< -1: empty
    View<math::FractionVec const> start;
    View<Site const> sites;
    View<LjPair const> lj;           ///< sqrt(6 c6), sqrt(12 c12), where parameters are products
    View<std::int32_t const> ljType; ///< else: index into the tables
    View<std::int32_t const> kind;   ///< index into tables by kind; of an empty slot 0
};

struct ListViews {
    View<ListEntry const> entries;
    View<ListItem const> items;
    View<std::uint8_t const> masks;  ///< by item, bit: cluster of the i side that has a pair within the list's radius
    View<std::uint16_t const> words; ///< PairBits
    View<std::uint32_t const> counters;
    std::uint32_t entryRoom;

    [[nodiscard]] __device__ std::uint32_t entriesListed() const
    {
        std::uint32_t const listed = counters[entryCount];
        return listed < entryRoom ? listed : entryRoom;
    }
};

/// i's site as the kernels take it: moved by the image shift.
__device__ inline Site shifted(Site site, pairs::LatticeVec shift)
{
    site.x = site.x == emptyJ ? emptyI : math::wrappingSum(site.x, shift.x);
    site.y = math::wrappingSum(site.y, shift.y);
    site.z = math::wrappingSum(site.z, shift.z);
    return site;
}

/// The vector from j to i, in lattice units. Within the cutoff components are whole numbers under 2^24, and exact.
struct Separation {
    float x, y, z;
};
__device__ inline Separation separation(Site i, Site j)
{
    return {__int2float_rn(math::wrappingDifference(i.x, j.x)), __int2float_rn(math::wrappingDifference(i.y, j.y)),
            __int2float_rn(math::wrappingDifference(i.z, j.z))};
}
__device__ inline float square(Separation d) { return fmaf(d.z, d.z, fmaf(d.y, d.y, d.x * d.x)); }

/// Which lane does which pair of 8 i atoms and 4 j atoms.
struct Lane {
    int index, i, j;
};
__device__ inline Lane myLane()
{
    int const index = static_cast<int>(threadIdx.x % warpLanes);
    return {index, index & (clusterWidth - 1), static_cast<int>(threadIdx.x % warpLanes / clusterWidth)};
}

/// A lane's pairs in an item, a bit for each cluster of the i side: whether they interact, as excluded ones don't, and whether they are there
/// at all: of a cluster with itself, each pair once.
struct PairBits {
    std::uint32_t bits;
    [[nodiscard]] __device__ bool interacts(int cluster) const { return (bits & (1U << cluster)) != 0; }
    [[nodiscard]] __device__ bool exists(int cluster) const { return (bits & (1U << (superClusters + cluster))) != 0; }
};
__device__ inline PairBits pairBits(View<std::uint16_t const> words, std::int32_t index, int lane)
{
    return {index < 0 ? 0xffffU : std::uint32_t{words[index * warpLanes + lane]}};
}

// ---- sums over lanes -----------------------------------------------------------------------------------------------------------

/// Sums x, y and z over groups of eight lanes that differ in bits 0 to 2: lane 0 of a group gets x, lane 1 y, lane 2 z. Each step sends
/// what the partner is to keep: 4 shuffles instead of 9.
template <class T> __device__ T sumOverI(T x, T y, T z, int lane)
{
    bool const odd = (lane & 1) != 0, upper = (lane & 2) != 0;
    T const first = (odd ? y : x) + __shfl_xor_sync(fullWarp, odd ? x : y, 1);
    z += __shfl_xor_sync(fullWarp, z, 1);
    T sum = (upper ? z : first) + __shfl_xor_sync(fullWarp, upper ? first : z, 2);
    sum += __shfl_xor_sync(fullWarp, sum, 4);
    return sum;
}
/// The same over lanes that differ in bits 3 and 4: lanes 0 to 7 get x, 8 to 15 y, 16 to 23 z.
template <class T> __device__ T sumOverJ(T x, T y, T z, int lane)
{
    bool const odd = (lane & 8) != 0, upper = (lane & 16) != 0;
    T const first = (odd ? y : x) + __shfl_xor_sync(fullWarp, odd ? x : y, 8);
    z += __shfl_xor_sync(fullWarp, z, 8);
    return (upper ? z : first) + __shfl_xor_sync(fullWarp, upper ? first : z, 16);
}

/// Where forces go.
struct ForceSink {
    View<std::int64_t> forces;        ///< three an atom, or three a slot
    View<std::int32_t const> placeOf; ///< by slot: its place in `forces`; -1: none
    View<std::int64_t> shiftForces;   ///< three a shift: of the forces on i atoms that were taken at it
    int bits;                         ///< from quanta of the kernels to units of the sums
    int withShifts;                   ///< 0: shiftForces are not wanted
};

__device__ inline std::int64_t unitsOf(ForceSink const& sink, std::int64_t quanta) { return quanta << sink.bits; }

} // namespace alder::cuda
