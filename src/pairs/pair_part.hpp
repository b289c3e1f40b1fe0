#pragma once
// The atoms of one rank, for their pairs.

#include "domain/column_grid.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace alder::pairs {

struct PairPart {
    system::PartOfSystem const* atoms = nullptr;
    std::vector<domain::ColumnRole> roles; ///< by column
    bool first = false;                    ///< adds what belongs to the system as a whole
    /// Called by all ranks together: each value becomes its sum over them.
    std::function<void(std::span<std::int64_t>)> sumOverRanks;
};

} // namespace alder::pairs
