#pragma once
// The block that an OS thread runs.

#include "fiber.hpp"
#include "simt/block.hpp"
#include "simt/runtime.hpp"
#include "simt/shared.hpp"

#include <array>
#include <memory>
#include <vector>

namespace alder::simt {

/// The shared arrays of a block.
class SharedArena {
public:
    SharedArena();
    SharedArena(SharedArena const&) = delete;
    SharedArena& operator=(SharedArena const&) = delete;
    ~SharedArena();
    /// A new block: what the last one had is poison.
    void begin();
    SharedRegion region(void const* key, SharedShape const& shape);
    struct Found {
        SharedRecord* record = nullptr;
        char const* name = nullptr;
        std::size_t index = 0;
    };
    /// The element that an address belongs to.
    [[nodiscard]] Found find(void const* at) const;

private:
    struct Entry {
        void const* key = nullptr;
        SharedShape shape;
        SharedRegion region;
    };
    std::byte* data_;
    SharedRecord* records_;
    std::vector<Entry> entries_;
    std::size_t reached_ = 0, elements_ = 0, bytes_ = 0;
};
void touchAtomically(SharedRecord& record, Lane const& me, char const* name, std::size_t index);

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
    SharedArena shared;
    std::uint32_t epoch = 0; ///< counts barriers, over all blocks that it was
};

/// Runs all blocks of a kernel.
void runGrid(KernelCall const& call);
void setBlockSeed(std::uint64_t seed);
void setBlockWorkers(int count);

} // namespace alder::simt
