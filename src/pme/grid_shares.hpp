#pragma once
// How ranks share a grid. Ranks stand in an array of parts[0] x parts[1]; rank (i, j) holds
//   before and after the transforms along y   planes i of x, whole lines of y, points j of z
//   during those along x                      waves i of y, whole lines of x, points j of z
//   during those along z                      waves i of y, rows j of x, whole lines of z
// so that a step to the next pass is an exchange among the ranks of one j, or of one i. All shares are in whole units that a transform
// takes together, and a line is never divided: its bits don't depend on who transforms it.

#include <array>
#include <vector>

namespace alder::pme {

struct Share {
    int first = 0, end = 0;
    [[nodiscard]] int count() const { return end - first; }
};

/// A part of n things in whole units, about equally divided.
Share shareOf(int n, int unit, int part, int parts);

std::vector<Share> sharesOf(int n, int unit, int parts);

/// By thing, whose it is.
std::vector<int> ownersOf(std::vector<Share> const& shares);

/// Points that lie beyond the end of a share, as far as a spline reaches, and at the same time in somebody's own share.
struct Margin {
    int owner;
    int beyond; ///< the first one's distance from the share's end
    int within; ///< its distance from the beginning of the owner's share
    int count;
};

/// Of a share that holds anything; the grid is periodic.
std::vector<Margin> marginsOf(std::vector<Share> const& shares, int share, int width);

struct GridShares {
    std::array<int, 2> parts{1, 1}; ///< ranks along x, and along z
    std::vector<Share> planes;      ///< of x, by i; none is empty
    std::vector<Share> points;      ///< of z, by j, in pairs of vectors; none is empty
    std::vector<Share> waves;       ///< along y, 0 to ny/2, by i
    std::vector<Share> rows;        ///< of x, by j, in vectors

    GridShares(std::array<int, 3> const& grid, int lanes, std::array<int, 2> wanted);
    [[nodiscard]] int ranks() const { return parts[0] * parts[1]; }
    [[nodiscard]] int rankOf(int i, int j) const { return i * parts[1] + j; }
    [[nodiscard]] int alongX(int rank) const { return rank / parts[1]; }
    [[nodiscard]] int alongZ(int rank) const { return rank % parts[1]; }
};

/// The array of at most so many ranks with the least work for the busiest one. Slabs, parts[1] = 1, save a transposition as long as there are
/// planes for all.
std::array<int, 2> choosePencils(std::array<int, 3> const& grid, int order, int lanes, int ranks);

} // namespace alder::pme
