#pragma once
// A running block: one fiber a thread, switched at barriers and warp collectives only. The threads of a warp meet at a collective by its
// kind and mask, as the hardware has them meet; whoever comes last works out what each gets.

#include "simt/types.hpp"

#include <cstddef>
#include <cstdint>

namespace alder::simt {

inline constexpr int lanesPerWarp = 32;
inline constexpr int mostWarps = 32;
inline constexpr std::size_t sharedLimit = 48 * 1024;

/// A line of a kernel.
struct Where {
    char const* file = nullptr;
    int line = 0;
    static constexpr Where current(char const* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

enum class Meeting : std::uint8_t { none, barrier, syncWarp, shuffle, ballot, any, all, match };

struct Warp;

/// One CUDA thread.
struct Lane {
    void* stackPointer = nullptr; ///< where it waits; none while it runs or before it starts
    struct Fiber* fiber = nullptr;
    Warp* warp = nullptr;
    uint3 index{};
    unsigned thread = 0; ///< in the block
    unsigned lane = 0;   ///< in the warp
    unsigned warpNumber = 0;
};

/// Lanes that wait for others of their mask.
struct Gathering {
    std::uint32_t mask = 0, arrived = 0;
    Meeting meeting = Meeting::none;
};

struct Warp {
    std::uint32_t ready = 0;                      ///< lanes that can run
    std::uint32_t alive = 0;                      ///< lanes whose thread has not returned
    std::uint32_t barrier = 0;                    ///< lanes that wait at a barrier of the block
    std::uint32_t epoch = 0;                      ///< counts meetings of all lanes alive
    std::uint32_t blockEpoch = 0, blockStart = 0; ///< count barriers of the block: now, and where the block began
    /// Meetings of some lanes only, since the last of all: what lane l knows of lane m is what m did before its clock was known[l][m].
    bool partial = false;
    std::uint16_t clock[lanesPerWarp] = {};
    std::uint16_t known[lanesPerWarp][lanesPerWarp] = {};
    unsigned gatherings = 0;
    Gathering gathering[lanesPerWarp];
    std::uint64_t value[lanesPerWarp], result[lanesPerWarp];
    std::int32_t source[lanesPerWarp];
    Where where[lanesPerWarp];
    Lane lanes[lanesPerWarp];
};

extern constinit thread_local Lane* currentLane;
extern constinit thread_local struct Block* currentBlock;

/// What kernels ask of their block.
struct BlockPlace {
    uint3 block{};
    dim3 blockShape, gridShape;
};
extern constinit thread_local BlockPlace const* currentPlace;

/// Meets the other lanes of the mask; gives what this lane receives.
std::uint64_t meet(Meeting meeting, std::uint32_t mask, std::uint64_t value, std::int32_t source, Where where);
/// Meets all threads of the block; gives how many of them came with a true vote.
int meetBlock(bool vote, Where where);

} // namespace alder::simt
