#include "bench/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace alder::bench;
using ::testing::ElementsAre;

std::vector<std::string> textsOf(Sweep const& sweep)
{
    std::vector<std::string> texts;
    for (Setting const& setting : sweep.settings) texts.push_back(setting.text());
    return texts;
}

TEST(Sweep, ChoosesByWhatThereIs)
{
    EXPECT_THAT(textsOf(sweepOf({}, {4, 0, true})), ElementsAre("1 rank x 4 threads", "4 ranks x 1 thread"));
    EXPECT_THAT(textsOf(sweepOf({}, {4, 0, false})), ElementsAre("1 rank x 4 threads"));
    EXPECT_THAT(textsOf(sweepOf({}, {8, 2, true})),
                ElementsAre("1 rank x 8 threads, 1 GPU", "1 rank x 4 threads, 2 runs at the same time, 1 GPU",
                            "1 rank x 2 threads, 4 runs at the same time, 1 GPU", "2 ranks x 4 threads, 2 GPUs"));
}

TEST(Sweep, EveryCombinationThatCanBe)
{
    SweepWish wish;
    wish.ranks = {1, 2, 4};
    wish.threads = {1, 2};
    wish.pmeRanks = {0, 1};
    wish.dt = {0.002, 0.004};
    Sweep const sweep = sweepOf(wish, {4, 0, true});
    EXPECT_EQ(sweep.settings.size(), 2U * (2 + 2 * 2 + 2)); // 1x1, 1x2 without, 2x1, 2x2 and 4x1 with and without PME ranks, two steps each
    EXPECT_THAT(sweep.leftOut, ElementsAre("1 rank x 1 thread, 1 for PME: 1 rank of 1 for PME leave none for the rest",
                                           "1 rank x 2 threads, 1 for PME: 1 rank of 1 for PME leave none for the rest",
                                           "4 ranks x 2 threads, 0 for PME: 8 threads on 4 processors",
                                           "4 ranks x 2 threads, 1 for PME: 8 threads on 4 processors"));
}

TEST(Sweep, GpusThatAreNotThereOrWouldStandIdleAreLeftOut)
{
    SweepWish wish;
    wish.gpus = {1, 2, 4};
    wish.replicas = {1, 2};
    Sweep const sweep = sweepOf(wish, {8, 2, true});
    EXPECT_THAT(textsOf(sweep), ElementsAre("1 rank x 8 threads, 1 GPU", "1 rank x 4 threads, 2 runs at the same time, 1 GPU",
                                            "1 rank x 4 threads, 2 runs at the same time, 2 GPUs"));
    EXPECT_EQ(sweep.leftOut.size(), 3U);
}

} // namespace
