#pragma once
// From the number of an atom in the whole system to its place here, and to its molecule.

#include "system/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace alder::domain {

/// The block of molecules that an atom belongs to. Blocks without atoms are allowed.
inline system::MoleculeBlock const& blockOf(std::vector<system::MoleculeBlock> const& blocks, std::int64_t atom)
{
    std::size_t low = 0, high = blocks.size();
    while (high - low > 1) {
        std::size_t const middle = low + (high - low) / 2;
        (blocks[middle].firstAtom <= atom ? low : high) = middle;
    }
    return blocks[low];
}

/// Finds atoms by number: a table of twice their number at least, searched from the number's own place on.
class AtomIndex {
public:
    AtomIndex() = default;
    explicit AtomIndex(std::span<std::int32_t const> numbers)
    {
        std::size_t size = 16;
        while (size < 2 * numbers.size()) size *= 2;
        mask_ = size - 1;
        entries_.assign(size, {-1, -1});
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            std::size_t at = placeOf(numbers[i]);
            while (entries_[at].number >= 0) at = (at + 1) & mask_;
            entries_[at] = {numbers[i], static_cast<std::int32_t>(i)};
        }
    }
    /// Where the atom stands among the numbers; -1: nowhere.
    [[nodiscard]] std::int32_t find(std::int32_t number) const
    {
        if (entries_.empty()) return -1;
        for (std::size_t at = placeOf(number);; at = (at + 1) & mask_) {
            if (entries_[at].number == number) return entries_[at].atom;
            if (entries_[at].number < 0) return -1;
        }
    }

private:
    struct Entry {
        std::int32_t number, atom;
    };
    /// Numbers of one molecule stay together, so a search for its atoms reads few lines of the cache.
    [[nodiscard]] std::size_t placeOf(std::int32_t number) const
    {
        std::uint32_t const n = static_cast<std::uint32_t>(number);
        return ((n >> 3U) * 0x9E3779B1U * 8U + (n & 7U)) & mask_;
    }
    std::vector<Entry> entries_;
    std::size_t mask_ = 0;
};

} // namespace alder::domain
