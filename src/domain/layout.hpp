#pragma once
// Which rank has which cells.

#include "domain/column_grid.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace alder::domain {

/// Domains along the box vectors, ranks in that order: rank = (ia b + ib) c + ic. Ranks beyond have no domain.
struct DomainCounts {
    int a = 1, b = 1, c = 1;
    [[nodiscard]] int count() const { return a * b * c; }
    [[nodiscard]] bool fit(CellGrid const& cells) const { return a <= cells.columns.a && b <= cells.columns.b && c <= cells.layers; }
};
/// "4 x 2", "4 x 2 x 3"
std::string describe(DomainCounts domains);
/// The largest number of domains along each vector: cells are not divided.
DomainCounts most(CellGrid const& cells);

/// Shapes domains so that they see few atoms of others; no domains where none fit.
DomainCounts chooseDomains(int ranks, CellGrid const& cells, physics::Box const& box, double listCutoff);

/// Owners of the cells by number: slabs along the first vector, cut along the second and then the third into domains, every one with its share
/// of the weight to within a cell or so, and with one cell at least. Domains must fit.
std::vector<std::int32_t> ownersOf(CellGrid const& grid, DomainCounts domains, std::span<std::int64_t const> weight);

} // namespace alder::domain
