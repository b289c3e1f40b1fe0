// Each word of the device language, against what CUDA's manual says of it.

#include "device/buffers.hpp"
#include "gpu_device/language_kernels.hpp"
#include "simt/control.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace alder::cuda {
namespace {

using testing::ElementsAre;

std::vector<int> lanesOf(LaneWord word)
{
    Stream stream;
    DeviceBuffer<int> out(32);
    writeLaneWord(word, out, stream);
    return out.download(stream);
}

TEST(Language, ShufflesMoveLanes)
{
    for (int lane = 0; lane < 32; ++lane) {
        auto const at = static_cast<std::size_t>(lane);
        EXPECT_EQ(lanesOf(LaneWord::fromThree)[at], 3);
        EXPECT_EQ(lanesOf(LaneWord::fromThreeOfEight)[at], lane / 8 * 8 + 3);
        EXPECT_EQ(lanesOf(LaneWord::exchange)[at], lane ^ 5);
        EXPECT_EQ(lanesOf(LaneWord::down)[at], lane + 4 < 32 ? lane + 4 : lane);
        EXPECT_EQ(lanesOf(LaneWord::downOfEight)[at], lane % 8 + 4 < 8 ? lane + 4 : lane);
        EXPECT_EQ(lanesOf(LaneWord::up)[at], lane >= 4 ? lane - 4 : lane);
        EXPECT_EQ(lanesOf(LaneWord::wide)[at], lane ^ 1);
    }
}

TEST(Language, VotesCountLanes)
{
    EXPECT_THAT(lanesOf(LaneWord::ballot), testing::Each(static_cast<int>(0x49249249u)));
    EXPECT_THAT(lanesOf(LaneWord::any), testing::Each(1));
    EXPECT_THAT(lanesOf(LaneWord::all), testing::Each(0));
    for (int lane = 0; lane < 32; ++lane) {
        auto const at = static_cast<std::size_t>(lane);
        std::uint32_t const own = lane < 16 ? 0x0000ffffu : 0xffff0000u;
        EXPECT_EQ(static_cast<std::uint32_t>(lanesOf(LaneWord::halves)[at]), 0x49249249u & own);
        EXPECT_EQ(static_cast<std::uint32_t>(lanesOf(LaneWord::match)[at]), 0x11111111u << lane % 4);
        EXPECT_EQ(lanesOf(LaneWord::returned)[at], lane < 20 ? static_cast<int>(0x49249249u & 0xfffffu) : -1);
    }
}

TEST(Language, WarpsSumTheFarthestPartnersFirst)
{
    EXPECT_THAT(lanesOf(LaneWord::sum), testing::Each(31 * 32 / 2));
    EXPECT_THAT(lanesOf(LaneWord::sumOrder), testing::Each(0)); // 1, were neighbors first
}

TEST(Language, AtomicOperationsCompute)
{
    Stream stream;
    DeviceBuffer<int> out(std::vector<int>{0, 0, 1000, -1, 0, 5, 0}, stream);
    operateAtomically(out, stream);
    std::vector<int> const found = out.download(stream);
    EXPECT_EQ(found[0], 64 * 63 / 2);
    EXPECT_EQ(found[1], 63);
    EXPECT_EQ(found[2], 0);
    EXPECT_EQ(found[3], 64) << "and of the bits that all threads have, taken from -1";
    EXPECT_EQ(found[4], 63);
    EXPECT_EQ(found[5], 6) << "one of all succeeds";
    EXPECT_EQ(found[6], 1) << "and one of all says so";
}

TEST(Language, BlocksHaveThreeDimensions)
{
    Stream stream;
    DeviceBuffer<int> out(2 * 3 * 2 * 24);
    numberThreads(out, stream);
    std::vector<int> expected(out.size());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(out.download(stream), expected);
}

TEST(Language, BarriersCountVotes)
{
    Stream stream;
    DeviceBuffer<int> out(3);
    voteInBlock(out, stream);
    EXPECT_THAT(out.download(stream), ElementsAre(34, 1, 0)) << "multiples of 3 below 100";
}

TEST(Language, NumbersAreTakenApart)
{
    Stream stream;
    DeviceBuffer<int> out(8);
    takeNumbersApart(out, stream);
    EXPECT_THAT(out.download(stream), ElementsAre(8, 5, 24, 2, -2, -3, 0x3fc00000, 1 << 30));
}

TEST(Language, WorkersShareAGrid)
{
    Stream stream;
    simt::setWorkers(3);
    DeviceBuffer<int> out(2 * 3 * 2 * 24);
    numberThreads(out, stream);
    std::vector<int> expected(out.size());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(out.download(stream), expected);
    simt::setWorkers(1);
}

} // namespace
} // namespace alder::cuda
