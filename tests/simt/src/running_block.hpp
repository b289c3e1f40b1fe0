#pragma once
// The block that an OS thread runs.

#include "fiber.hpp"
#include "simt/block.hpp"
#include "simt/runtime.hpp"

#include <array>
#include <memory>
#include <vector>

namespace alder::simt {

struct SharedEntry {
    void const* key = nullptr;
    char const* name = nullptr;
    std::size_t elementSize = 0, count = 0;
    SharedRegion region;
};

struct Block {
    BlockPlace place;
    KernelCall const* call = nullptr;
    unsigned threads = 0, alive = 0, warpCount = 0;
    unsigned atBarrier = 0, votes = 0;
    int voted = 0;
    bool descending = false; ///< lanes take turns downwards
    std::uint64_t random = 0;
    std::vector<Warp> warps{mostWarps};
    Fiber launcher;
    void* launcherPointer = nullptr;
    FiberPool fibers;
    std::vector<std::byte> shared = std::vector<std::byte>(sharedLimit + 64);
    std::size_t sharedUsed = 0;
    std::vector<SharedEntry> sharedEntries;
};

/// Runs all blocks of a kernel.
void runGrid(KernelCall const& call);
void setBlockSeed(std::uint64_t seed);
void setBlockWorkers(int count);

} // namespace alder::simt
