#include "pairs/list_search.hpp"

#include "domain/column_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alder::pairs {
namespace {

/// How many boxes away an image within `radius` can lie.
std::array<int, 3> mostImages(physics::Box const& box, double radius)
{
    math::Vec3d const faces = domain::faceDistances(box);
    auto const along = [&](double face) { return static_cast<int>(std::ceil(radius / face + 1e-6)); };
    return {along(faces.x), along(faces.y), along(faces.z)};
}

/// Pairs of a cluster with itself: j lane above i row only.
std::uint32_t aboveDiagonal(std::int32_t iCluster)
{
    static_assert(clusterWidth == 8 && rowCount == 4);
    std::uint32_t const firstRow = (iCluster & 1) == 0 ? 0U : 4U;
    std::uint32_t mask = 0;
    for (std::uint32_t row = 0; row < 4U; ++row) mask |= ((0xffU << (firstRow + row + 1U)) & 0xffU) << (8U * row);
    return mask;
}

} // namespace

std::vector<ImageShift> columnShifts(physics::Box const& box, double radius)
{
    std::array<int, 3> const most = mostImages(box, radius);
    std::vector<ImageShift> shifts{{0, 0, 0}};
    for (int a = -most[0]; a <= 0; ++a)
        for (int b = -most[1]; b <= (a < 0 ? most[1] : 0); ++b)
            for (int c = -most[2]; c <= most[2]; ++c)
                if (a != 0 || b != 0 || c != 0)
                    shifts.push_back({static_cast<std::int8_t>(a), static_cast<std::int8_t>(b), static_cast<std::int8_t>(c)});
    return shifts;
}

ListSearch::ListSearch(ClusterGrid const& grid, AtomTable const& atoms, physics::Box const& box, double radius,
                       std::vector<ImageShift> const& shifts, int parts)
    : grid_(grid),
      atoms_(atoms),
      shifts_(shifts),
      parts_(parts)
{
    // Bounds are floats of coordinates up to the box size: give the search the room that their rounding may take.
    double const slop = 1e-6 * (box.a().x + box.b().y + box.c().z + std::fabs(box.b().x) + std::fabs(box.c().x) + std::fabs(box.c().y));
    double const searched = radius + slop;
    math::Vec3d const faces = domain::faceDistances(box);
    reach_ = {static_cast<float>(searched / faces.x + 1e-6), static_cast<float>(searched / faces.y + 1e-6),
              static_cast<float>(searched / faces.z + 1e-6)};
    radius2_ = static_cast<float>(searched * searched);
    for (ImageShift const& s : shifts) {
        LatticeVec const v = grid.lattice().shift(s[0], s[1], s[2]);
        double const q = grid.lattice().quantum();
        shiftVectors_.push_back({static_cast<float>(v.x * q), static_cast<float>(v.y * q), static_cast<float>(v.z * q)});
    }
    int const cells = grid.cells().count();
    cellBounds_.resize(static_cast<std::size_t>(cells));
    constexpr float most = 1e30F; // not the largest float: sums of two must stay finite
    for (int cell = 0; cell < cells; ++cell) {
        Bounds& bounds = cellBounds_[static_cast<std::size_t>(cell)];
        bounds = {{most, most, most}, {-most, -most, -most}};
        for (std::int32_t k = grid.firstCluster(cell); k < grid.firstCluster(cell + 1); ++k)
            for (std::size_t d = 0; d < 3; ++d) {
                bounds.low[d] = std::min(bounds.low[d], grid.clusterLow(d)[k]);
                bounds.high[d] = std::max(bounds.high[d], grid.clusterHigh(d)[k]);
            }
    }
}

ListSearch::Scratch ListSearch::makeScratch() const
{
    std::int32_t longest = 0;
    for (int c = 0; c < grid_.cells().count(); ++c) longest = std::max(longest, grid_.firstCluster(c + 1) - grid_.firstCluster(c));
    Scratch scratch;
    scratch.interacts.assign(static_cast<std::size_t>(grid_.clusterCount()), ~0U);
    scratch.distance2.resize(static_cast<std::size_t>(longest));
    return scratch;
}

void ListSearch::noteExclusions(std::int32_t iCluster, Scratch& scratch) const
{
    for (std::int32_t const k : scratch.touched) scratch.interacts[static_cast<std::size_t>(k)] = ~0U;
    scratch.touched.clear();
    for (int row = 0; row < grid_.filledRows(iCluster); ++row)
        atoms_.forEachExcluded(grid_.atomAt(iCluster * rowCount + row), [&](std::int32_t partner) {
            std::int32_t const slot = grid_.slotOf(partner);
            if (slot < 0) return;
            std::int32_t const cluster = slot / clusterWidth;
            scratch.interacts[static_cast<std::size_t>(cluster)] &= ~(1U << (clusterWidth * row + slot % clusterWidth));
            scratch.touched.push_back(cluster);
        });
}

void ListSearch::noteFractions(std::int32_t iCluster, Scratch& scratch) const
{
    scratch.low = {2, 2, 2};
    scratch.high = {-2, -2, -2};
    for (int row = 0; row < grid_.filledRows(iCluster); ++row) {
        math::FractionVec const f = grid_.startOf(iCluster * rowCount + row);
        std::array<std::int32_t, 3> const units{f.x, f.y, f.z};
        for (std::size_t d = 0; d < 3; ++d) {
            float const u = static_cast<float>(static_cast<std::uint32_t>(units[d])) * (1.0F / 4294967296.0F);
            scratch.low[d] = std::min(scratch.low[d], u);
            scratch.high[d] = std::max(scratch.high[d], u);
        }
    }
}

void ListSearch::search(std::int32_t begin, std::int32_t end, Scratch& scratch, ListSegment& segment) const
{
    for (std::int32_t i = begin; i < end; ++i) {
        if (grid_.filledRows(i) == 0 || grid_.roleOf(grid_.cellOf(grid_.startOf(i * rowCount))) != ColumnRole::searched) continue;
        noteExclusions(i, scratch);
        noteFractions(i, scratch);
        for (std::size_t s = 0; s < shifts_.size(); ++s) searchShift(i, static_cast<std::int32_t>(s), scratch, segment);
    }
}

Bounds ListSearch::boundsOf(std::int32_t iCluster, std::int32_t shift) const
{
    Bounds moved = grid_.rowBounds(iCluster);
    for (std::size_t d = 0; d < 3; ++d) {
        moved.low[d] += shiftVectors_[static_cast<std::size_t>(shift)][d];
        moved.high[d] += shiftVectors_[static_cast<std::size_t>(shift)][d];
    }
    return moved;
}

std::int32_t ListSearch::lowestMet(std::int32_t iCluster, ImageShift const& shift) const
{
    if (shift[0] != 0 || shift[1] != 0) return 0;
    if (shift[2] == 0) return iCluster / 2;
    int const layers = grid_.cells().layers, column = grid_.cellOf(grid_.startOf(iCluster * rowCount)) / layers;
    return grid_.firstCluster((shift[2] < 0 ? column : column + 1) * layers);
}

void ListSearch::searchShift(std::int32_t iCluster, std::int32_t shift, Scratch& scratch, ListSegment& segment) const
{
    // Cells within reach, by the fractions of the i cluster's atoms moved by the shift.
    domain::CellGrid const& cells = grid_.cells();
    std::array<int, 3> const counts{cells.columns.a, cells.columns.b, cells.layers};
    ImageShift const& s = shifts_[static_cast<std::size_t>(shift)];
    Heights const heights{scratch.low[2] + s[2] - reach_[2], scratch.high[2] + s[2] + reach_[2]};
    if (heights.highest < 0 || heights.lowest > 1) return;
    std::array<int, 3> first{}, last{};
    for (std::size_t d = 0; d < 3; ++d) {
        auto const n = static_cast<float>(counts[d]);
        first[d] = std::max(0, static_cast<int>(std::floor((scratch.low[d] + s[d] - reach_[d]) * n)));
        last[d] = std::min(counts[d] - 1, static_cast<int>(std::floor((scratch.high[d] + s[d] + reach_[d]) * n)));
        if (d < 2 && first[d] > last[d]) return;
    }
    first[2] = std::min(first[2], counts[2] - 1);
    std::int32_t const lowestCluster = lowestMet(iCluster, s);
    Bounds const moved = boundsOf(iCluster, shift);
    std::size_t hits = 0;
    for (int a = first[0]; a <= last[0]; ++a)
        for (int b = first[1]; b <= last[1]; ++b)
            for (int c = first[2]; c <= last[2]; ++c) {
                int const cell = (a * counts[1] + b) * counts[2] + c;
                if (grid_.firstCluster(cell + 1) <= lowestCluster) continue;
                scratch.metAbsent = scratch.metAbsent || grid_.roleOf(cell) == ColumnRole::none;
                if (distance2(moved, cellBounds_[static_cast<std::size_t>(cell)]) > radius2_) continue;
                hits = searchCell(cell, moved, heights, lowestCluster, scratch, hits);
            }
    if (hits == 0) return;
    listHits(iCluster, shift, scratch, hits, segment);
}

std::size_t ListSearch::searchCell(int cell, Bounds const& moved, Heights heights, std::int32_t lowestCluster, Scratch& scratch,
                                   std::size_t hits) const
{
    // Clusters of a cell ascend in height: leave out those below and above by bisection.
    auto const bisect = [](std::int32_t lower, std::int32_t upper, auto&& isBelow) {
        while (lower < upper) {
            std::int32_t const middle = lower + (upper - lower) / 2;
            if (isBelow(middle))
                lower = middle + 1;
            else
                upper = middle;
        }
        return lower;
    };
    std::int32_t const from = std::max(grid_.firstCluster(cell), lowestCluster), end = grid_.firstCluster(cell + 1);
    std::int32_t const first = bisect(from, end, [&](std::int32_t k) { return grid_.highestHeight(k) < heights.lowest; });
    std::int32_t const last = bisect(first, end, [&](std::int32_t k) { return grid_.lowestHeight(k) <= heights.highest; });
    measure(moved, first, last, scratch.distance2.data());
    if (scratch.hits.size() < hits + static_cast<std::size_t>(last - first))
        scratch.hits.resize(2 * (hits + static_cast<std::size_t>(last - first)));
    // Half of the clusters are within the radius: count, don't branch.
    for (std::int32_t k = first; k < last; ++k) {
        scratch.hits[hits] = k;
        hits += scratch.distance2[static_cast<std::size_t>(k - first)] <= radius2_ ? 1 : 0;
    }
    return hits;
}

void ListSearch::measure(Bounds const& moved, std::int32_t from, std::int32_t to, float* distance2) const
{
    // One loop for all three axes, without branches: the compiler takes four clusters at a time.
    float const *lowX = grid_.clusterLow(0), *highX = grid_.clusterHigh(0), *lowY = grid_.clusterLow(1), *highY = grid_.clusterHigh(1),
                *lowZ = grid_.clusterLow(2), *highZ = grid_.clusterHigh(2);
    auto const gap = [](float below, float above) {
        float const larger = below > above ? below : above;
        return larger > 0.0F ? larger : 0.0F;
    };
    Bounds const here = moved;
    for (std::int32_t k = from; k < to; ++k) {
        float const x = gap(lowX[k] - here.high[0], here.low[0] - highX[k]);
        float const y = gap(lowY[k] - here.high[1], here.low[1] - highY[k]);
        float const z = gap(lowZ[k] - here.high[2], here.low[2] - highZ[k]);
        distance2[k - from] = x * x + y * y + z * z;
    }
}

void ListSearch::listHits(std::int32_t iCluster, std::int32_t shift, Scratch const& scratch, std::size_t hits, ListSegment& segment) const
{
    ListEntry entry{
        iCluster, shift, static_cast<std::uint32_t>(segment.tiles.size()), 0, static_cast<std::uint32_t>(segment.masked.size()), 0, 0, 0};
    for (std::size_t h = 0; h < hits; ++h) {
        std::int32_t const cluster = scratch.hits[h];
        std::uint32_t const interacts = scratch.interacts[static_cast<std::size_t>(cluster)];
        bool const itself = shift == 0 && cluster == iCluster / 2;
        if (interacts != ~0U || itself)
            listMasked(cluster, interacts, itself ? aboveDiagonal(iCluster) : ~0U, segment);
        else
            for (int part = 0; part < parts_; ++part) segment.tiles.push_back(parts_ * cluster + part);
    }
    entry.tilesEnd = static_cast<std::uint32_t>(segment.tiles.size());
    entry.maskedEnd = static_cast<std::uint32_t>(segment.masked.size());
    entry.ljRows = static_cast<std::int16_t>((grid_.ljRows(iCluster) + 1) / 2 * 2);
    entry.filledRows = static_cast<std::int16_t>(grid_.filledRows(iCluster));
    segment.entries.push_back(entry);
}

void ListSearch::listMasked(std::int32_t cluster, std::uint32_t interacts, std::uint32_t exists, ListSegment& segment) const
{
    for (int part = 0; part < parts_; ++part) {
        std::uint32_t const here = parts_ == 1 ? ~0U : 0x0F0F0F0FU << (4 * part);
        std::int32_t const jPart = parts_ * cluster + part;
        if ((exists & here) == 0) continue;
        if (((interacts & exists) & here) == here)
            segment.tiles.push_back(jPart);
        else
            segment.masked.push_back({jPart, interacts, exists});
    }
}

} // namespace alder::pairs
