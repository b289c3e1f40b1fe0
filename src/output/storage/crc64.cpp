#include "output/storage/crc64.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace alder::output {

namespace {

using Tables = std::array<std::array<std::uint64_t, 256>, 8>;

/// tables[k][b]: what byte b does to the remainder when k more bytes follow it.
constexpr Tables makeTables()
{
    constexpr std::uint64_t polynomial = 0xC96C5795D7870F42u; // bits of 42F0E1EBA9EA3693 in reverse
    Tables tables{};
    for (std::uint64_t b = 0; b < 256; ++b) {
        std::uint64_t r = b;
        for (int bit = 0; bit < 8; ++bit) r = (r & 1) ? (r >> 1) ^ polynomial : r >> 1;
        tables[0][b] = r;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
    return tables;
}

} // namespace

std::uint64_t crc64(std::span<std::byte const> bytes)
{
    static_assert(std::endian::native == std::endian::little);
    static constexpr Tables tables = makeTables();
    std::uint64_t r = ~std::uint64_t{0};
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        word ^= r;
        r = 0;
        for (std::size_t k = 0; k < 8; ++k) r ^= tables[7 - k][(word >> (8 * k)) & 0xff];
        bytes = bytes.subspan(8);
    }
    for (std::byte b : bytes) r = (r >> 8) ^ tables[0][(r ^ static_cast<std::uint64_t>(b)) & 0xff];
    return ~r;
}

} // namespace alder::output
