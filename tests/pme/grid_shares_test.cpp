// Who has what of the grid.

#include "pme/grid_shares.hpp"

#include <gtest/gtest.h>

namespace alder::test {
namespace {

using pme::GridShares;
using pme::Margin;
using pme::Share;

TEST(GridShares, CoverTheGridInWholeUnits)
{
    for (int const ranks : {1, 2, 3, 5, 7}) {
        int next = 0;
        for (Share const& share : pme::sharesOf(45, 8, ranks)) {
            EXPECT_EQ(share.first, next);
            EXPECT_TRUE(share.first % 8 == 0 || share.first == 45);
            next = share.end;
        }
        EXPECT_EQ(next, 45);
    }
}

// Four planes for three ranks, order 6: the second rank's margin goes around the cell and meets its own share.
TEST(GridShares, MarginsKnowTheirOwners)
{
    std::vector<Share> const shares{{0, 1}, {1, 2}, {2, 4}};
    std::vector<Margin> const margins = pme::marginsOf(shares, 1, 5);
    ASSERT_EQ(margins.size(), 4U);
    int const expected[4][4] = {{2, 0, 0, 2}, {0, 2, 0, 1}, {1, 3, 0, 1}, {2, 4, 0, 1}};
    for (std::size_t m = 0; m < 4; ++m) {
        EXPECT_EQ(margins[m].owner, expected[m][0]);
        EXPECT_EQ(margins[m].beyond, expected[m][1]);
        EXPECT_EQ(margins[m].within, expected[m][2]);
        EXPECT_EQ(margins[m].count, expected[m][3]);
    }
}

TEST(GridShares, LeaveRanksIdleWhereTheGridHasNothingForThem)
{
    GridShares const shares({5, 6, 20}, 8, {9, 4});
    EXPECT_EQ(shares.parts, (std::array<int, 2>{5, 2}));
    for (Share const& share : shares.planes) EXPECT_GT(share.count(), 0);
    for (Share const& share : shares.points) EXPECT_GT(share.count(), 0);
}

TEST(GridShares, AreSlabsWhileThereArePlanes)
{
    for (int const ranks : {1, 2, 4, 8, 11}) EXPECT_EQ(pme::choosePencils({88, 88, 88}, 4, 8, ranks), (std::array<int, 2>{ranks, 1}));
    auto const many = pme::choosePencils({88, 88, 88}, 4, 8, 256);
    EXPECT_GT(many[1], 1);
    EXPECT_LE(many[0] * many[1], 256);
    EXPECT_GT(many[0] * many[1], 128);
}

} // namespace
} // namespace alder::test
