#pragma once
// The cluster pair list: for each i cluster (4 atoms) and image shift, the j clusters (8 atoms), or halves of them, within reach; each
// pair of atoms once.

#include <array>
#include <cstdint>
#include <vector>

namespace alder::pairs {

inline constexpr int clusterWidth = 8; ///< atoms of a j cluster
inline constexpr int rowCount = 4;     ///< atoms of an i cluster: half a j cluster

/// A tile is an i cluster against a part of a j cluster: all of it, or one half for registers of four. Parts are numbered through:
/// jPart = parts * cluster + part.

/// Bit 8 * row + lane of a mask: the pair of that i row and j lane interacts (is neither excluded nor a pair met elsewhere).
struct MaskedTile {
    std::int32_t jPart;
    std::uint32_t interacts; ///< 0: excluded pairs, which keep their Coulomb correction
    std::uint32_t exists;    ///< 0: pairs of a cluster with itself that are met with i and j swapped
};

struct ListEntry {
    std::int32_t iCluster;
    std::int32_t shift;                 ///< index into PairList::shifts
    std::uint32_t tilesBegin, tilesEnd; ///< mask-free tiles
    std::uint32_t maskedBegin, maskedEnd;
    std::int16_t ljRows;     ///< 0, 2 or 4 rows to compute Lennard-Jones for
    std::int16_t filledRows; ///< rows that hold an atom
};

/// The list of a contiguous range of i clusters: the unit of work that threads share out.
struct ListSegment {
    std::vector<ListEntry> entries;
    std::vector<std::int32_t> tiles;
    std::vector<MaskedTile> masked;
    void clear()
    {
        entries.clear();
        tiles.clear();
        masked.clear();
    }
    [[nodiscard]] std::size_t tileCount() const { return tiles.size() + masked.size(); }
};

/// A whole number of box vectors, added to the i side.
using ImageShift = std::array<std::int8_t, 3>;

} // namespace alder::pairs
