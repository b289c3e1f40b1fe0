#pragma once
// Sums of a block's terms as integers: within a warp by shuffles, within a block in shared memory, then one atomic addition a block.

#include "device/language.hpp"
#include "device/view.hpp"
#include "device/warp_sums.hpp"
#include "math/fixed_sum.hpp"

#include <cstdint>

namespace alder::cuda {

/// Temperature groups are counted in a byte.
inline constexpr int mostGroups = 256;

#if defined(ALDER_SIMT) || defined(__CUDACC__)

__device__ inline std::int64_t unitsOf(double term) { return math::roundedTerm(term * math::sumScale); }

/// Zeroes a table of a block.
template <class Shared> __device__ void clearTable(Shared const& table, int count)
{
    for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x)) table[k] = std::int64_t{0};
    __syncthreads();
}
/// Adds a table of a block to what all blocks add up.
template <class Shared> __device__ void addTable(Shared const& table, int count, View<std::int64_t> sums)
{
    __syncthreads();
    for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x)) {
        std::int64_t const units = table[k];
        if (units != 0) addUnits(sums, static_cast<std::size_t>(k), units);
    }
}

/// A tensor of each thread into the nine words of a table; called by whole warps.
template <class Shared> __device__ void addTensor(Shared const& table, math::Mat3d const& term)
{
    double const terms[9] = {term.x.x, term.x.y, term.x.z, term.y.x, term.y.y, term.y.z, term.z.x, term.z.y, term.z.z};
    for (int k = 0; k < 9; ++k) {
        std::int64_t const units = sumOverWarp(unitsOf(terms[k]));
        if (threadIdx.x % warpLanes == 0) addUnitsShared(table, static_cast<std::size_t>(k), units);
    }
}

/// Sums of one thread for one group of atoms at a time, moved to the block's table [group][word] where the group changes: atoms of a group
/// stand together, so that is seldom.
template <int words> class GroupTally {
public:
    /// The table's first word for groups.
    __device__ explicit GroupTally(int offset) : offset_(offset) {}
    template <class Shared> __device__ void add(Shared const& table, int group, std::int64_t const (&more)[words])
    {
        if (group != group_) {
            flush(table);
            group_ = group;
        }
        for (int k = 0; k < words; ++k) units_[k] += more[k];
    }
    /// Called by whole warps.
    template <class Shared> __device__ void finish(Shared const& table)
    {
        int const common = __shfl_sync(fullWarp, group_, 0);
        if (__all_sync(fullWarp, group_ == common ? 1 : 0) == 0) {
            flush(table);
            return;
        }
        if (common < 0) return;
        for (int k = 0; k < words; ++k) {
            std::int64_t const sum = sumOverWarp(units_[k]);
            if (threadIdx.x % warpLanes == 0) addUnitsShared(table, static_cast<std::size_t>(offset_ + common * words + k), sum);
        }
    }

private:
    int offset_, group_ = -1;
    std::int64_t units_[words] = {};
    template <class Shared> __device__ void flush(Shared const& table)
    {
        if (group_ < 0) return;
        for (int k = 0; k < words; ++k) {
            addUnitsShared(table, static_cast<std::size_t>(offset_ + group_ * words + k), units_[k]);
            units_[k] = 0;
        }
    }
};

#endif

} // namespace alder::cuda
