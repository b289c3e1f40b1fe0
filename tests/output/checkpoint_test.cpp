#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/scratch_folder.hpp"
#include "output/storage/crc64.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace {

using namespace alder;
using output::CheckpointContent;
using output::readCheckpoint;
using output::writeCheckpoint;

class Checkpoint : public test::ScratchFolder {};

/// Values whose every bit matters: denormals, the largest fractions, thirds.
CheckpointContent awkward(std::int64_t step)
{
    CheckpointContent c;
    c.state.step = step;
    c.state.box = physics::Box({3.1, 0, 0}, {-0.1, 1.0 / 3, 0}, {0.7, 1e-17, 5});
    std::mt19937_64 random(static_cast<std::uint64_t>(step));
    for (int i = 0; i < 97; ++i) {
        auto const any = [&] { return static_cast<std::int32_t>(random()); };
        c.state.positions.push_back({any(), any(), any()});
        c.state.velocities.push_back({std::ldexp(1.0 / 3, -i * 11), -0.0, std::nextafter(1.0, 2.0)});
    }
    c.state.positions[3] = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), -1};
    c.state.coupling.thermostatIntegral = {-1.0 / 7, std::numeric_limits<double>::denorm_min()};
    c.state.coupling.chainPosition = {1.0 / 3, -0.0};
    c.state.coupling.chainVelocity = {-1e-300, 7.0 / 9};
    c.state.coupling.boxVelocity = {{1.0 / 11, 0, 0}, {-1e-7, 2.0 / 11, 0}, {3e-9, -4e-9, 5.0 / 13}};
    c.state.coupling.barostatIntegral = -1.0 / 17;
    c.time = 1e9 / 3;
    c.inputHash = "abc123";
    c.machine = {"AVX2+FMA", "AuthenticAMD", "0.1.0"};
    c.seed = 0xFFFFFFFFFFFFFFFFu;
    c.facts = {{"z last in the alphabet", "0.002"}, {"a first", ""}, {"grid", "32 32 32"}};
    c.frames = 11;
    c.energyFrames = 12;
    c.logBytes = 5'000'000'000;
    c.files = {{"trajectory", "m\xC3\xBC.h5md"}};
    c.averages = {3, 40, {1.5, 2.5}, {0.1, 0.2}};
    return c;
}

template <class T> bool sameBits(std::vector<math::Vec3<T>> const& a, std::vector<math::Vec3<T>> const& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

TEST(Crc64, MatchesThePublishedCheckValue)
{
    std::string const digits = "123456789";
    EXPECT_EQ(output::crc64(std::as_bytes(std::span(digits))), 0x995DC9BBDF1939FAu);
    EXPECT_EQ(output::crc64({}), 0u);
}

TEST_F(Checkpoint, GivesBackEveryBit)
{
    CheckpointContent const c = awkward(40);
    writeCheckpoint(at("md.cpt.h5"), c);
    output::CheckpointRead const read = readCheckpoint(at("md.cpt.h5"));
    CheckpointContent const& r = read.content;
    EXPECT_EQ(read.note, "");
    EXPECT_EQ(r.state.step, 40);
    EXPECT_TRUE(sameBits(r.state.positions, c.state.positions));
    EXPECT_TRUE(sameBits(r.state.velocities, c.state.velocities));
    EXPECT_TRUE(std::signbit(r.state.velocities[0].y));
    EXPECT_TRUE(r.state.box.a() == c.state.box.a() && r.state.box.b() == c.state.box.b() && r.state.box.c() == c.state.box.c());
    EXPECT_EQ(r.state.coupling.thermostatIntegral, c.state.coupling.thermostatIntegral);
    EXPECT_EQ(r.state.coupling.chainPosition, c.state.coupling.chainPosition);
    EXPECT_EQ(r.state.coupling.chainVelocity, c.state.coupling.chainVelocity);
    EXPECT_TRUE(r.state.coupling.boxVelocity == c.state.coupling.boxVelocity);
    EXPECT_EQ(r.state.coupling.barostatIntegral, c.state.coupling.barostatIntegral);
    EXPECT_EQ(r.time, c.time);
    EXPECT_EQ(r.inputHash, c.inputHash);
    EXPECT_EQ(r.machine.simd + r.machine.cpuMake + r.machine.buildVersion, "AVX2+FMAAuthenticAMD0.1.0");
    EXPECT_EQ(r.seed, c.seed);
    EXPECT_EQ(r.facts, c.facts);
    EXPECT_EQ(r.files, c.files);
    EXPECT_EQ(r.frames, 11);
    EXPECT_EQ(r.energyFrames, 12);
    EXPECT_EQ(r.logBytes, c.logBytes);
    EXPECT_EQ(r.averages.count, 3);
    EXPECT_EQ(r.averages.lastStep, 40);
    EXPECT_EQ(r.averages.mean, c.averages.mean);
    EXPECT_EQ(r.averages.squares, c.averages.squares);
}

TEST_F(Checkpoint, OneFlippedBitAnywhereIsFound)
{
    writeCheckpoint(at("md.cpt.h5"), awkward(1));
    std::string const whole = read(at("md.cpt.h5"));
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
        std::string damaged = whole;
        std::size_t const bit = random() % (8 * damaged.size());
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        write(at("md.cpt.h5"), damaged);
        EXPECT_THROW(readCheckpoint(at("md.cpt.h5")), std::runtime_error) << "bit " << bit;
    }
    for (std::size_t const length : {std::size_t{0}, std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
        write(at("md.cpt.h5"), whole.substr(0, length));
        EXPECT_THROW(readCheckpoint(at("md.cpt.h5")), base::InputRefused) << length;
    }
    write(at("md.cpt.h5"), "a log, or a trajectory: no checkpoint at all, and longer than its last bytes");
    EXPECT_THROW(readCheckpoint(at("md.cpt.h5")), base::InputRefused);
}

TEST_F(Checkpoint, TheOneBeforeServesWhereTheLastIsDamaged)
{
    for (std::int64_t step : {10, 20, 30}) writeCheckpoint(at("md.cpt.h5"), awkward(step));
    EXPECT_EQ(readCheckpoint(at("md.cpt.h5")).content.state.step, 30);
    EXPECT_EQ(output::readOneCheckpoint(at("md_prev.cpt.h5")).state.step, 20);
    std::string damaged = read(at("md.cpt.h5"));
    damaged[damaged.size() / 2] ^= 1;
    write(at("md.cpt.h5"), damaged);
    output::CheckpointRead const r = readCheckpoint(at("md.cpt.h5"));
    EXPECT_EQ(r.content.state.step, 20);
    EXPECT_EQ(r.path, at("md_prev.cpt.h5"));
    EXPECT_THAT(r.note, ::testing::AllOf(::testing::HasSubstr("checksum"), ::testing::HasSubstr("step 20"),
                                         ::testing::Not(::testing::HasSubstr("\n"))));
    std::filesystem::remove(at("md.cpt.h5"));
    EXPECT_EQ(readCheckpoint(at("md.cpt.h5")).content.state.step, 20);
}

TEST_F(Checkpoint, AFolderThatIsGoneIsARunFailureWithTheName)
{
    try {
        writeCheckpoint(at("gone/md.cpt.h5"), awkward(1));
        FAIL();
    } catch (base::RunFailed const& failure) {
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("gone/md.cpt.h5: cannot create: No such file or directory"));
    }
}

TEST_F(Checkpoint, AnotherInputIsRefused)
{
    writeCheckpoint(at("md.cpt.h5"), awkward(1));
    output::CheckpointRead const r = readCheckpoint(at("md.cpt.h5"));
    EXPECT_NO_THROW(output::requireSameInput(r, "abc123"));
    EXPECT_THROW(output::requireSameInput(r, "abc124"), base::InputRefused);
}

TEST_F(Checkpoint, GoingOnElsewhereIsSaidInOneLine)
{
    CheckpointContent const c = awkward(1);
    EXPECT_EQ(output::bitsChangeNote(c, c.machine, c.facts), "");
    EXPECT_THAT(output::bitsChangeNote(c, {"AVX-512", "AuthenticAMD", "0.1.0"}, c.facts),
                ::testing::AllOf(::testing::HasSubstr("AVX2+FMA -> AVX-512"), ::testing::Not(::testing::HasSubstr("AuthenticAMD"))));
    EXPECT_THAT(output::bitsChangeNote(c, c.machine, {{"grid", "36 32 32"}, {"new here", "1"}}),
                ::testing::HasSubstr("grid 32 32 32 -> 36 32 32"));
}

} // namespace
