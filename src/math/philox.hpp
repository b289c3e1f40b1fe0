#pragma once
// Random numbers that depend on what they are for, not on who asks or when: Philox 4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror and
// D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011). The key is the seed; the counter is made of purpose, step, id
// (an atom, a temperature group) and draw, so any rank, thread or restart finds the same number without a state to carry along.

#include "math/host_device.hpp"

#include <cstdint>

namespace alder::math {

struct RandomWords {
    std::uint32_t w0 = 0, w1 = 0, w2 = 0, w3 = 0;
    friend ALDER_HD bool operator==(RandomWords a, RandomWords b) { return a.w0 == b.w0 && a.w1 == b.w1 && a.w2 == b.w2 && a.w3 == b.w3; }
};

struct PhiloxKey {
    std::uint32_t k0 = 0, k1 = 0;
};

/// Ten rounds. Each round multiplies two words to 64 bits and crosses the halves over; the key moves on by a Weyl sequence.
ALDER_HD RandomWords philox(RandomWords counter, PhiloxKey key)
{
    constexpr std::uint32_t multiplier0 = 0xD2511F53u, multiplier1 = 0xCD9E8D57u;
    constexpr std::uint32_t weyl0 = 0x9E3779B9u, weyl1 = 0xBB67AE85u; // golden ratio, sqrt(3) - 1
    RandomWords c = counter;
    for (int round = 0; round < 10; ++round) {
        std::uint64_t const p0 = static_cast<std::uint64_t>(multiplier0) * c.w0;
        std::uint64_t const p1 = static_cast<std::uint64_t>(multiplier1) * c.w2;
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c.w1 ^ key.k0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ c.w3 ^ key.k1, static_cast<std::uint32_t>(p0)};
        key = {key.k0 + weyl0, key.k1 + weyl1};
    }
    return c;
}

/// What a random number is drawn for. Numbers of different purposes never meet, so a purpose keeps its value for good: changing one
/// changes trajectories.
enum class RandomPurpose : std::uint8_t {
    velocities = 1,
    velocityRescaling = 2,
    cellRescaling = 3,
    andersen = 4,
    langevin = 5,
    brownian = 6,
    test = 255
};

/// The numbers of one purpose, step and id, drawn one after the other.
class RandomStream {
public:
    /// Steps below 2^56 and ids below 2^40 give streams that share no counter; a stream holds 2^24 draws.
    ALDER_HD RandomStream(std::uint64_t seed, RandomPurpose purpose, std::int64_t step, std::int64_t id)
        : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
          counter_{static_cast<std::uint32_t>(step),
                   (static_cast<std::uint32_t>(step >> 32) & 0x00ffffffu) | static_cast<std::uint32_t>(purpose) << 24,
                   static_cast<std::uint32_t>(id), (static_cast<std::uint32_t>(id >> 32) & 0xffu) << 24}
    {}
    /// The next 128 random bits.
    ALDER_HD RandomWords words()
    {
        RandomWords const drawn = philox(counter_, key_);
        counter_.w3 += 1;
        return drawn;
    }

private:
    PhiloxKey key_;
    RandomWords counter_;
};

/// 53 random bits as a number in (0, 1]: never 0, so that its logarithm exists.
ALDER_HD double openUniform(std::uint32_t high, std::uint32_t low)
{
    std::uint64_t const bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 11;
    return static_cast<double>(bits + 1) * (1.0 / 9007199254740992.0);
}

} // namespace alder::math
