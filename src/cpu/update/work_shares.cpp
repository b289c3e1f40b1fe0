#include "cpu/update/work_shares.hpp"

#include "cpu/update/water_step.hpp"

#include <algorithm>
#include <cmath>

namespace alder::cpu {

namespace {

// Costs relative to the step of a free atom, measured with AVX2: 8 waters step as 12 of them would.
constexpr double blockCost = 12, bondCost = 8;

/// Items of equal cost laid out from `start` on: those that begin before `bound`.
std::int64_t itemsBefore(double bound, double start, double cost, std::int64_t count)
{
    double const items = std::ceil((bound - start) / cost);
    return std::clamp<std::int64_t>(items > 0 ? static_cast<std::int64_t>(std::min(items, 1e15)) : 0, 0, count);
}

std::int64_t blocksOf(constraints::SettleGroup const& group)
{
    constexpr auto lanes = static_cast<std::int64_t>(waterLanes);
    return (static_cast<std::int64_t>(group.waters.size()) + lanes - 1) / lanes;
}

} // namespace

std::vector<ThreadShare> shareOut(SharedWork const& work, int threads)
{
    std::vector<double> groupStart{0.0};
    for (constraints::ConstraintGroup const group : work.groups.groups()) {
        constraints::ConstraintShape const& shape = work.groups.shapeOf(group);
        groupStart.push_back(groupStart.back() + static_cast<double>(shape.atoms.size()) +
                             bondCost * static_cast<double>(shape.bonds.size()));
    }
    double total = groupStart.back() + static_cast<double>(work.freeAtoms);
    for (constraints::SettleGroup const& group : work.waters.groups()) total += blockCost * static_cast<double>(blocksOf(group));

    auto const groupCount = static_cast<std::int64_t>(work.groups.groups().size());
    std::vector<ThreadShare> shares(static_cast<std::size_t>(threads));
    ThreadShare last;
    last.waterBlocks.resize(work.waters.groups().size());
    for (int t = 0; t < threads; ++t) {
        double const bound = t + 1 == threads ? HUGE_VAL : total * (t + 1) / threads;
        ThreadShare& share = shares[static_cast<std::size_t>(t)];
        auto const groupEnd = std::lower_bound(groupStart.begin(), groupStart.end() - 1, bound) - groupStart.begin();
        share.groups = {last.groups.end, std::min<std::int64_t>(groupEnd, groupCount)};
        share.freeAtoms = {last.freeAtoms.end, itemsBefore(bound, groupStart.back(), 1.0, work.freeAtoms)};
        double start = groupStart.back() + static_cast<double>(work.freeAtoms);
        for (std::size_t g = 0; g < work.waters.groups().size(); ++g) {
            std::int64_t const blocks = blocksOf(work.waters.groups()[g]);
            share.waterBlocks.push_back({last.waterBlocks[g].end, itemsBefore(bound, start, blockCost, blocks)});
            start += blockCost * static_cast<double>(blocks);
        }
        last = share;
    }
    return shares;
}

} // namespace alder::cpu
