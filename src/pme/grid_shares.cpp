#include "pme/grid_shares.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace alder::pme {
namespace {

int unitsOf(int n, int unit) { return (n + unit - 1) / unit; }

} // namespace

Share shareOf(int n, int unit, int part, int parts)
{
    std::int64_t const units = unitsOf(n, unit);
    auto const bound = [&](std::int64_t p) { return static_cast<int>(std::min<std::int64_t>(n, units * p / parts * unit)); };
    return {bound(part), bound(part + 1)};
}

std::vector<Share> sharesOf(int n, int unit, int parts)
{
    std::vector<Share> shares;
    shares.reserve(static_cast<std::size_t>(parts));
    for (int part = 0; part < parts; ++part) shares.push_back(shareOf(n, unit, part, parts));
    return shares;
}

std::vector<int> ownersOf(std::vector<Share> const& shares)
{
    std::vector<int> owners;
    for (std::size_t s = 0; s < shares.size(); ++s)
        owners.insert(owners.end(), static_cast<std::size_t>(shares[s].count()), static_cast<int>(s));
    return owners;
}

std::vector<Margin> marginsOf(std::vector<Share> const& shares, int share, int width)
{
    std::vector<int> const owners = ownersOf(shares);
    auto const n = static_cast<int>(owners.size());
    std::vector<Margin> margins;
    for (int beyond = 0; beyond < width; ++beyond) {
        int const at = (shares[static_cast<std::size_t>(share)].end + beyond) % n, owner = owners[static_cast<std::size_t>(at)];
        int const within = at - shares[static_cast<std::size_t>(owner)].first;
        if (!margins.empty() && margins.back().owner == owner && margins.back().within + margins.back().count == within)
            ++margins.back().count;
        else
            margins.push_back({owner, beyond, within, 1});
    }
    return margins;
}

GridShares::GridShares(std::array<int, 3> const& grid, int lanes, std::array<int, 2> wanted)
    : parts{std::clamp(wanted[0], 1, grid[0]), std::clamp(wanted[1], 1, unitsOf(grid[2], 2 * lanes))},
      planes(sharesOf(grid[0], 1, parts[0])),
      points(sharesOf(grid[2], 2 * lanes, parts[1])),
      waves(sharesOf(grid[1] / 2 + 1, 1, parts[0])),
      rows(sharesOf(grid[0], lanes, parts[1]))
{}

std::array<int, 2> choosePencils(std::array<int, 3> const& grid, int order, int lanes, int ranks)
{
    double const ny = grid[1], nz = grid[2];
    std::array<int, 2> best{1, 1};
    double least = 0;
    for (int alongZ = 1; alongZ <= std::min(ranks, unitsOf(grid[2], 2 * lanes)); ++alongZ) {
        int const alongX = std::min(ranks / alongZ, grid[0]);
        double const planes = unitsOf(grid[0], alongX), points = 2.0 * lanes * unitsOf(unitsOf(grid[2], 2 * lanes), alongZ);
        double const waves = unitsOf(grid[1] / 2 + 1, alongX), rows = static_cast<double>(lanes) * unitsOf(unitsOf(grid[0], lanes), alongZ);
        double const margin = alongX > 1 ? order - 1 : 0;
        // Points handled by the busiest rank: complex waves count twice, a transposition as much as a pass, a margin half as much.
        double const work = (planes + margin / 2) * ny * points + 2 * waves * grid[0] * points * (alongZ > 1 ? 2 : 1) +
                            2 * waves * rows * nz * (alongZ > 1 ? 2 : 1);
        if (alongZ > 1 && work >= least) continue;
        least = work;
        best = {alongX, alongZ};
    }
    return best;
}

} // namespace alder::pme
