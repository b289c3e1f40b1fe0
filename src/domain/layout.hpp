#pragma once
// Which rank has which columns.

#include "domain/column_grid.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace alder::domain {

/// Domains along the first and the second box vector, ranks in that order: rank = ia b + ib. Ranks beyond have no domain.
struct DomainCounts {
    int a = 1, b = 1;
    [[nodiscard]] int count() const { return a * b; }
};

/// Shapes domains so that they see few atoms of others. `fits` says the largest number of domains along each
/// vector: columns are not divided.
DomainCounts chooseDomains(int ranks, ColumnGrid fits, physics::Box const& box);

/// Owners of the columns by number: slabs along the first vector, cut along the second into domains, every one with its share of the weight
/// to within a column or so, and with one column at least. Domains must fit.
std::vector<std::int32_t> ownersOf(ColumnGrid grid, DomainCounts domains, std::span<std::int64_t const> weight);

} // namespace alder::domain
