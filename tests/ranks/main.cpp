// All ranks run all tests, the first one reports, and every one fails where any does.

#include "ranks/rank_world.hpp"

#include <gtest/gtest.h>

namespace {

alder::domain::Communicator* ranks = nullptr;

} // namespace

alder::domain::Communicator& alder::test::allRanks() { return *ranks; }

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    alder::domain::World const world;
    alder::domain::Communicator all(world);
    ranks = &all;
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (!all.first()) delete listeners.Release(listeners.default_result_printer());
    int const mine = RUN_ALL_TESTS();
    return static_cast<int>(all.largest(mine));
}
