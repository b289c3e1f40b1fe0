#include "constraints/constrained_molecules.hpp"
#include "cpu/update/water_step.hpp"
#include "cpu/update/work_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace alder;

/// Whatever the number of threads, each item is one thread's; no thread has more than its part and the largest single group.
TEST(WorkShares, GiveEachItemToOneThread)
{
    system::Topology topology = trial::emptyTopology();
    trial::addConstrained(topology, trial::star(), 13);
    trial::addConstrained(topology, trial::chain(40), 2); // as much as all the rest
    trial::addWaters(topology, 100);
    constraints::ConstraintSet const groups(topology);
    constraints::SettleSet const waters(topology);
    std::int64_t const blocks = (100 + static_cast<std::int64_t>(cpu::waterLanes) - 1) / static_cast<std::int64_t>(cpu::waterLanes);
    for (int threads = 1; threads <= 40; ++threads) {
        auto const shares = cpu::shareOut({groups, waters, 77}, threads);
        ASSERT_EQ(shares.size(), static_cast<std::size_t>(threads));
        cpu::ThreadShare last;
        last.waterBlocks.resize(1);
        for (cpu::ThreadShare const& share : shares) {
            EXPECT_EQ(share.groups.begin, last.groups.end);
            EXPECT_EQ(share.freeAtoms.begin, last.freeAtoms.end);
            EXPECT_EQ(share.waterBlocks.at(0).begin, last.waterBlocks[0].end);
            EXPECT_LE(share.groups.begin, share.groups.end);
            EXPECT_LE(share.freeAtoms.begin, share.freeAtoms.end);
            EXPECT_LE(share.waterBlocks[0].begin, share.waterBlocks[0].end);
            last = share;
        }
        EXPECT_EQ(last.groups.end, static_cast<std::int64_t>(groups.groups().size()));
        EXPECT_EQ(last.freeAtoms.end, 77);
        EXPECT_EQ(last.waterBlocks[0].end, blocks);
    }
    auto const two = cpu::shareOut({groups, waters, 77}, 2);
    EXPECT_GT(two[0].groups.end, 0);
    EXPECT_GT(two[1].waterBlocks[0].end, two[1].waterBlocks[0].begin);
}

} // namespace
