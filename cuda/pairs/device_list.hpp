#pragma once
// The pair list on the device: found by bounds of clusters, cut down by distances of atoms; each pair of atoms once.

#include "pairs/pair_list.hpp"
#include "pairs/super_grid.hpp"

#include <vector>

namespace alder::cuda {

/// What an image shift does to the bounds of the i side.
struct ShiftStep {
    float nm[3];
    float images[3]; ///< whole box vectors
};

/// Excluded partners of each atom: row by atom, offsets to the partners, ascending, by row.
struct ExclusionRow {
    std::int32_t begin, end;
    std::int32_t lowest, highest; ///< offsets: most atoms are told apart by these alone
};
struct ExclusionViews {
    PartViews part;
    View<std::int32_t const> rowOf; ///< by atom here
    View<ExclusionRow const> rows;
    View<std::int32_t const> offsets;
};

/// Squared list radii, nm^2.
struct ListRadii {
    float inner2 = 0, outer2 = 0;
};

class DevicePairList {
public:
    struct Request {
        SuperGrid* grid = nullptr;
        physics::Box box;
        double listCutoff = 0;
        ListRadii radii;
        View<pairs::LatticeVec const> shifts; ///< lattice units
        std::vector<pairs::ImageShift> const* images = nullptr;
        ExclusionViews exclusions; ///< and the part that the atoms are
    };
    /// Finds all pairs within the outer radius, and prunes to the inner one. The host waits for the counts, and looks again where there was
    /// too little room. Returns how many super-clusters there are: with more than the grid has room for there is no list.
    int build(Request const& request, DeviceBuffer<std::uint32_t>& counters, Stream& stream);
    /// The inner masks anew, from where atoms are now.
    void prune(SlotViews const& slots, View<pairs::LatticeVec const> shifts, ListRadii radii, float quantum2,
               DeviceBuffer<std::uint32_t>& counters, Stream& stream);

    /// As last pruned.
    [[nodiscard]] ListViews inner(DeviceBuffer<std::uint32_t>& counters);
    /// Pairs of slots in the inner list. The host waits.
    [[nodiscard]] std::int64_t listedPairs(DeviceBuffer<std::uint32_t>& counters, Stream& stream);
    [[nodiscard]] std::size_t entryRoom() const { return entries_.size(); }
    [[nodiscard]] std::size_t entriesFound() const { return entriesFound_; }

private:
    void makeRoom(std::size_t entries, std::size_t words);

    DeviceBuffer<ListEntry> entries_;
    DeviceBuffer<ListItem> items_;
    DeviceBuffer<std::uint8_t> outerMasks_, innerMasks_;
    DeviceBuffer<std::uint16_t> words_;
    DeviceBuffer<ShiftStep> steps_;
    std::size_t entriesFound_ = 0;
};

} // namespace alder::cuda
