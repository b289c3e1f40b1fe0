#include "math/philox.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace {

using alder::math::openUniform;
using alder::math::philox;
using alder::math::PhiloxKey;
using alder::math::RandomPurpose;
using alder::math::RandomStream;
using alder::math::RandomWords;

/// The vectors that Salmon et al. publish with their code (kat_vectors, philox4x32 10).
TEST(Philox, AnswersAsPublished)
{
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (RandomWords{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
              (RandomWords{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (RandomWords{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, DrawsFromTheCounterItSays)
{
    RandomStream stream(0x1122334455667788ull, RandomPurpose::test, (std::int64_t{5} << 32) + 7, (std::int64_t{3} << 32) + 9);
    PhiloxKey const key{0x55667788u, 0x11223344u};
    EXPECT_EQ(stream.words(), philox({7, 0xff000005u, 9, 0x03000000u}, key));
    EXPECT_EQ(stream.words(), philox({7, 0xff000005u, 9, 0x03000001u}, key));
}

TEST(RandomStream, NeverSharesANumberBetweenPurposeStepAndAtom)
{
    std::set<std::uint64_t> seen;
    int streams = 0;
    for (RandomPurpose const purpose : {RandomPurpose::velocities, RandomPurpose::velocityRescaling})
        for (std::int64_t const step : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 32, (std::int64_t{1} << 55) + 1})
            for (std::int64_t const atom : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 32, (std::int64_t{1} << 39) + 1})
                for (std::uint64_t const seed : {0ull, 1ull, 1ull << 40}) {
                    RandomWords const w = RandomStream(seed, purpose, step, atom).words();
                    seen.insert(static_cast<std::uint64_t>(w.w0) << 32 | w.w1);
                    ++streams;
                }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(streams));
}

TEST(OpenUniform, LeavesOutZeroAndReachesOne)
{
    EXPECT_EQ(openUniform(0, 0), 0x1p-53);
    EXPECT_EQ(openUniform(0xffffffff, 0xffffffff), 1.0);
    EXPECT_EQ(openUniform(0x80000000, 0), 0.5 + 0x1p-53);
}

} // namespace
