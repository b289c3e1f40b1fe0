// The device language in whole kernels: barriers, shared memory, shuffles, atomic operations.

#include "gpu_device/smoke_kernels.hpp"
#include "simt/control.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace alder::cuda {
namespace {

TEST(Smoke, BlocksSumInSharedMemory)
{
    std::vector<float> values(1000);
    std::iota(values.begin(), values.end(), 0.0f);
    Stream stream;
    for (std::uint64_t const seed : {0u, 1u, 2u, 3u}) {
        simt::setSeed(seed);
        std::vector<std::int64_t> const sums = blockSums(values, stream);
        ASSERT_EQ(sums.size(), 8u);
        EXPECT_EQ(sums[0], 1024 * 127 * 128 / 2);
        EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::int64_t{0}), std::int64_t{1024} * 999 * 500);
    }
    simt::setSeed(0);
}

TEST(Smoke, WarpsSumByShuffles)
{
    std::vector<std::int64_t> values(12345);
    std::iota(values.begin(), values.end(), -100);
    Stream stream;
    simt::resetCounts();
    EXPECT_EQ(warpSum(values, stream), std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    EXPECT_EQ(simt::counts().launchesOf("sumWarps"), 1);
}

} // namespace
} // namespace alder::cuda
