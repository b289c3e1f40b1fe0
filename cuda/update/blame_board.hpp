#pragma once
// Where a step's threads write down an atom for which something is off, so that the first one of a run is found whatever the order of
// threads, and kept until the host looks.
//
// Blames are ordered by step, by what of the step went wrong first, and by atom, packed into one word; the least stands in `first`. Details
// lie in a slot of the warp that found them: a warp has one writer at a time, and keeps its least. Once a step is lost, later ones leave
// every atom where it was.

#include "device/language.hpp"
#include "device/view.hpp"
#include "engine/blame.hpp"

#include <cstdint>

namespace alder::cuda {

using BlameKey = unsigned long long;
inline constexpr BlameKey noBlame = ~BlameKey{0};
/// Atoms below 2^31, four phases of a step, steps below 2^31 since the host last looked.
inline constexpr int phaseBit = 31, orderBit = 33;
inline constexpr std::uint64_t mostOrders = std::uint64_t{1} << 30;

struct BlameSlot {
    BlameKey key = noBlame;
    engine::Blame blame;
};

struct BlameBoard {
    View<BlameKey> first; ///< one
    View<BlameSlot> slots;
};

/// What one thread has found.
struct Finding {
    engine::Blame blame;
    unsigned phase = 0; ///< an earlier phase of a step spoils the later ones, so it is named first
};

#if defined(ALDER_SIMT) || defined(__CUDACC__)

/// True where the run was lost before this step.
__device__ inline bool lostBefore(BlameBoard const& board, std::uint64_t order)
{
    BlameKey const first = board.first[0];
    return first >> orderBit < order;
}

/// Called by whole warps.
__device__ inline void report(BlameBoard const& board, std::uint64_t order, Finding const& finding, int slot)
{
    bool const found = finding.blame.found();
    if (__any_sync(fullWarp, found ? 1 : 0) == 0) return;
    BlameKey const mine = found ? static_cast<BlameKey>(order) << orderBit | static_cast<BlameKey>(finding.phase) << phaseBit |
                                      static_cast<BlameKey>(finding.blame.atom)
                                : noBlame;
    BlameKey least = mine;
    for (int distance = warpLanes / 2; distance > 0; distance /= 2) {
        BlameKey const other = __shfl_xor_sync(fullWarp, least, distance);
        least = other < least ? other : least;
    }
    if (mine != least) return;
    BlameSlot const known = board.slots[slot];
    if (mine < known.key) board.slots[slot] = BlameSlot{mine, finding.blame};
    atomicMin(board.first.pointer(0), mine);
}

#endif

} // namespace alder::cuda
