#include "pairs/cluster_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alder::pairs {
namespace {

math::Vec3l unsignedFractions(math::FractionVec f)
{
    return {static_cast<std::uint32_t>(f.x), static_cast<std::uint32_t>(f.y), static_cast<std::uint32_t>(f.z)};
}

constexpr Bounds emptyBounds{
    {std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::max()},
    {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest()}};

void extend(Bounds& bounds, LatticeVec x, double quantum)
{
    std::array<double, 3> const r{x.x * quantum, x.y * quantum, x.z * quantum};
    for (std::size_t d = 0; d < 3; ++d) {
        bounds.low[d] = std::min(bounds.low[d], static_cast<float>(r[d]));
        bounds.high[d] = std::max(bounds.high[d], static_cast<float>(r[d]));
    }
}

} // namespace

void ClusterGrid::sortCells(std::vector<math::FractionVec> const& positions, AtomTable const& atoms, int threads)
{
    auto const cells = static_cast<std::size_t>(cells_.count());
    atomStart_.assign(cells + 1, 0);
    for (math::FractionVec const& f : positions)
        if (int const cell = cellOf(f); roleOf(cell) != ColumnRole::none) ++atomStart_[static_cast<std::size_t>(cell) + 1];
    for (std::size_t c = 0; c < cells; ++c) atomStart_[c + 1] += atomStart_[c];
    order_.resize(static_cast<std::size_t>(atomStart_[cells]));
    std::vector<std::int32_t> next(atomStart_.begin(), atomStart_.end() - 1);
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (int const cell = cellOf(positions[i]); roleOf(cell) != ColumnRole::none)
            order_[static_cast<std::size_t>(next[static_cast<std::size_t>(cell)]++)] = static_cast<std::int32_t>(i);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t c = 0; c < cells; ++c)
        std::sort(order_.begin() + atomStart_[c], order_.begin() + atomStart_[c + 1], [&](std::int32_t i, std::int32_t j) {
            auto const hi = static_cast<std::uint32_t>(positions[static_cast<std::size_t>(i)].z);
            auto const hj = static_cast<std::uint32_t>(positions[static_cast<std::size_t>(j)].z);
            return hi != hj ? hi < hj : atoms.numberOf(i) < atoms.numberOf(j);
        });
}

std::size_t ClusterGrid::clusterEnd(std::vector<math::FractionVec> const& positions, std::size_t from, std::size_t cellEnd) const
{
    LatticeVec low = lattice_.coordinate(unsignedFractions(positions[static_cast<std::size_t>(order_[from])])), high = low;
    std::size_t end = from + 1;
    for (; end < cellEnd && end < from + clusterWidth; ++end) {
        LatticeVec const x = lattice_.coordinate(unsignedFractions(positions[static_cast<std::size_t>(order_[end])]));
        low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
        high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        std::int64_t const extent = std::max({std::int64_t{high.x} - low.x, std::int64_t{high.y} - low.y, std::int64_t{high.z} - low.z});
        if (extent > longest_) break;
    }
    return end;
}

void ClusterGrid::fillCluster(std::vector<math::FractionVec> const& positions, AtomTable const& atoms, std::int32_t cluster,
                              std::size_t from, std::size_t to)
{
    auto const k = static_cast<std::size_t>(cluster);
    constexpr float scale = 1.0F / 4294967296.0F;
    height_[k] = {static_cast<float>(static_cast<std::uint32_t>(positions[static_cast<std::size_t>(order_[from])].z)) * scale,
                  static_cast<float>(static_cast<std::uint32_t>(positions[static_cast<std::size_t>(order_[to - 1])].z)) * scale};
    Bounds bounds = emptyBounds;
    for (std::size_t half = 0; half < 2; ++half) {
        std::array<std::int32_t, rowCount> rows{-1, -1, -1, -1};
        std::size_t const begin = from + half * rowCount, end = std::min(to, begin + rowCount);
        std::size_t filled = 0, lj = 0;
        // Rows with Lennard-Jones first, so that the kernel can skip it for the others.
        for (int pass = 0; pass < 2; ++pass) {
            for (std::size_t o = begin; o < end; ++o)
                if ((atoms.kind(order_[o]).ljType != 0) == (pass == 0)) rows[filled++] = order_[o];
            if (pass == 0) lj = filled;
        }
        std::size_t const row = 2 * k + half;
        ljRows_[row] = static_cast<std::int8_t>(lj);
        filledRows_[row] = static_cast<std::int8_t>(filled);
        rowBounds_[row] = emptyBounds;
        for (std::size_t r = 0; r < rowCount; ++r) {
            std::size_t const slot = row * rowCount + r;
            atomAt_[slot] = rows[r];
            if (rows[r] < 0) continue;
            slotOf_[static_cast<std::size_t>(rows[r])] = static_cast<std::int32_t>(slot);
            start_[slot] = positions[static_cast<std::size_t>(rows[r])];
            LatticeVec const x = lattice_.coordinate(unsignedFractions(start_[slot]));
            extend(rowBounds_[row], x, lattice_.quantum());
            extend(bounds, x, lattice_.quantum());
        }
    }
    for (std::size_t d = 0; d < 3; ++d) {
        clusterLow_[d][k] = bounds.low[d];
        clusterHigh_[d][k] = bounds.high[d];
    }
}

void ClusterGrid::build(std::vector<math::FractionVec> const& positions, physics::Box const& box, AtomTable const& atoms, double listCutoff,
                        int latticeBits, int threads, std::vector<ColumnRole> const& roles)
{
    lattice_ = Lattice(box, latticeBits);
    cells_ = domain::chooseCells(box, {atoms.wholeCount(), listCutoff});
    roles_ = roles;
    longest_ = std::llrint(0.6 * listCutoff / lattice_.quantum());
    sortCells(positions, atoms, threads);

    auto const cells = static_cast<std::size_t>(cells_.count());
    cellStart_.assign(cells + 1, 0);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t c = 0; c < cells; ++c) {
        auto const end = static_cast<std::size_t>(atomStart_[c + 1]);
        for (auto from = static_cast<std::size_t>(atomStart_[c]); from < end; from = clusterEnd(positions, from, end)) ++cellStart_[c + 1];
    }
    for (std::size_t c = 0; c < cells; ++c) cellStart_[c + 1] += cellStart_[c];

    auto const clusters = static_cast<std::size_t>(cellStart_[cells]);
    atomAt_.resize(clusters * clusterWidth);
    start_.resize(clusters * clusterWidth);
    slotOf_.assign(positions.size(), -1);
    for (std::size_t d = 0; d < 3; ++d) {
        clusterLow_[d].resize(clusters);
        clusterHigh_[d].resize(clusters);
    }
    rowBounds_.resize(2 * clusters);
    height_.resize(clusters);
    ljRows_.resize(2 * clusters);
    filledRows_.resize(2 * clusters);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t c = 0; c < cells; ++c) {
        auto const end = static_cast<std::size_t>(atomStart_[c + 1]);
        std::int32_t cluster = cellStart_[c];
        for (auto from = static_cast<std::size_t>(atomStart_[c]); from < end;) {
            std::size_t const to = clusterEnd(positions, from, end);
            fillCluster(positions, atoms, cluster++, from, to);
            from = to;
        }
    }
}

} // namespace alder::pairs
