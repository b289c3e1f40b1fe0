#pragma once
// Finds the cluster pairs within the list radius.

#include "pairs/cluster_grid.hpp"
#include "pairs/pair_list.hpp"

#include <cstdint>
#include <vector>

namespace alder::pairs {

/// Image shifts that can bring two atoms of the box within `radius`, so that of two columns one searches the other and never both
/// (domain::CellReach): zero first; where a or b is not zero, the first of them that is not is negative; along c alone, either way, and
/// then columns of higher number are searched, and the own one by the negative shifts.
std::vector<ImageShift> columnShifts(physics::Box const& box, double radius);

class ListSearch {
public:
    ListSearch(ClusterGrid const& grid, AtomTable const& atoms, physics::Box const& box, double radius,
               std::vector<ImageShift> const& shifts, int parts);

    /// Scratch of one thread: by cluster, which pairs of the present i cluster are excluded.
    struct Scratch {
        std::vector<std::uint32_t> interacts;
        std::vector<std::int32_t> touched;
        std::vector<float> distance2;       ///< of the clusters of a cell
        std::vector<std::int32_t> hits;     ///< clusters within the radius
        std::array<float, 3> low{}, high{}; ///< fractions of the present i cluster's atoms
        bool metAbsent = false;             ///< a cell that was to be met has no role: pairs would be missed
    };
    [[nodiscard]] Scratch makeScratch() const;

    /// Appends the entries of i clusters [begin, end) to `segment`.
    void search(std::int32_t begin, std::int32_t end, Scratch& scratch, ListSegment& segment) const;

private:
    /// Range of fractions along c.
    struct Heights {
        float lowest, highest;
    };
    /// The lowest cluster that an i cluster meets at a shift, so that each pair is met once.
    [[nodiscard]] std::int32_t lowestMet(std::int32_t iCluster, ImageShift const& shift) const;
    void searchShift(std::int32_t iCluster, std::int32_t shift, Scratch& scratch, ListSegment& segment) const;
    /// Appends to scratch.hits, of which `hits` are taken, and returns their new number.
    std::size_t searchCell(int cell, Bounds const& moved, Heights heights, std::int32_t lowestCluster, Scratch& scratch,
                           std::size_t hits) const;
    void measure(Bounds const& moved, std::int32_t from, std::int32_t to, float* distance2) const;
    void listHits(std::int32_t iCluster, std::int32_t shift, Scratch const& scratch, std::size_t hits, ListSegment& segment) const;
    void listMasked(std::int32_t cluster, std::uint32_t interacts, std::uint32_t exists, ListSegment& segment) const;
    void noteFractions(std::int32_t iCluster, Scratch& scratch) const;
    [[nodiscard]] Bounds boundsOf(std::int32_t iCluster, std::int32_t shift) const;
    void noteExclusions(std::int32_t iCluster, Scratch& scratch) const;

    ClusterGrid const& grid_;
    AtomTable const& atoms_;
    std::vector<ImageShift> const& shifts_;
    std::vector<std::array<float, 3>> shiftVectors_; ///< nm
    std::array<float, 3> reach_{};                   ///< list radius in fractions along each box vector
    float radius2_;
    int parts_;
    std::vector<Bounds> cellBounds_;
};

} // namespace alder::pairs
