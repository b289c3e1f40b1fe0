#pragma once
// What PairForces keeps by thread and by segment of the list.

#include "cpu/pairs/pair_forces.hpp"

#include <algorithm>
#include <memory>

namespace alder::cpu {

/// Forces that one thread adds up, laid out as the coordinates. Blocks that no segment touched stay zero, and are neither zeroed nor
/// reduced: with many threads each touches a small part.
struct PairForces::ThreadForces {
    std::vector<std::int32_t> narrow;
    std::vector<std::int64_t> wide;  ///< empty until a wide pass
    std::vector<char> dirty;         ///< by block
    std::vector<std::int64_t> shift; ///< three sums an image shift; empty where no virial is wanted

    void resize(std::size_t words, std::size_t blocks)
    {
        narrow.assign(words, 0);
        dirty.assign(blocks, 0);
        wide.clear();
    }
    void clear()
    {
        std::fill(narrow.begin(), narrow.end(), 0);
        std::fill(dirty.begin(), dirty.end(), char{0});
    }
};

/// The inner list of one segment. Room for all of the outer list, of which the system gives only the pages that are written.
struct PairForces::InnerSegment {
    std::unique_ptr<pairs::ListEntry[]> entries;
    std::unique_ptr<std::int32_t[]> tiles;
    std::unique_ptr<pairs::MaskedTile[]> masked;
    std::size_t entryRoom = 0, tileRoom = 0, maskedRoom = 0;
    PruneOutput kept;

    void pruneFrom(pairs::ListSegment const& outer, Kernels const& kernels, KernelInput const& input, PruneRadii radii)
    {
        makeRoom(outer);
        kernels.prune(input, workOf(outer), radii, kept, nullptr);
    }
    /// Prunes the outer list too, which held what the search could not exclude by the bounds of clusters.
    void pruneBoth(pairs::ListSegment& outer, Kernels const& kernels, KernelInput const& input, PruneRadii radii)
    {
        makeRoom(outer);
        outer.tiles.emplace_back();
        outer.masked.emplace_back();
        PruneOutput left{outer.entries.data(), outer.tiles.data(), outer.masked.data(), 0, 0, 0};
        kernels.prune(input, workOf(outer), radii, kept, &left);
        outer.entries.resize(left.entryCount);
        outer.tiles.resize(left.tileCount);
        outer.masked.resize(left.maskedCount);
    }
    [[nodiscard]] KernelWork work(std::int64_t* shiftForces = nullptr) const
    {
        return {entries.get(), kept.entryCount, tiles.get(), masked.get(), shiftForces};
    }
    [[nodiscard]] std::size_t tileCount() const { return kept.tileCount + kept.maskedCount; }

private:
    static KernelWork workOf(pairs::ListSegment const& list)
    {
        return {list.entries.data(), list.entries.size(), list.tiles.data(), list.masked.data(), nullptr};
    }
    void makeRoom(pairs::ListSegment const& outer)
    {
        makeRoom(entries, entryRoom, outer.entries.size());
        makeRoom(tiles, tileRoom, outer.tiles.size() + 1);
        makeRoom(masked, maskedRoom, outer.masked.size() + 1);
        kept = {entries.get(), tiles.get(), masked.get(), 0, 0, 0};
    }
    template <class T> static void makeRoom(std::unique_ptr<T[]>& array, std::size_t& room, std::size_t wanted)
    {
        if (room >= wanted) return;
        room = wanted + wanted / 16;
        array = std::make_unique_for_overwrite<T[]>(room);
    }
};

template <class Body> void PairForces::forEachSegment(int thread, Body&& body)
{
    // One's own share first, then what others have left: other work on the machine delays one thread, not all.
    for (int k = 0; k < threads_; ++k) {
        auto const from = static_cast<std::size_t>((thread + k) % threads_);
        for (std::size_t s; (s = shareNext_[from].fetch_add(1, std::memory_order_relaxed)) < shareStart_[from + 1];) body(s);
    }
}

/// Growing by doubling may have left half of a vector's memory unused.
inline void trim(pairs::ListSegment& segment)
{
    auto const fit = [](auto& v) {
        if (v.capacity() < v.size() + v.size() / 4 + 64) return;
        auto copy = v;
        copy.reserve(v.size() + v.size() / 16);
        v.swap(copy);
    };
    fit(segment.entries);
    fit(segment.tiles);
    fit(segment.masked);
}

} // namespace alder::cpu
