#pragma once
// Means of blocks of records that follow each other, for errors that know such records to be alike (observe/drift.hpp).

#include <cstddef>
#include <span>
#include <vector>

namespace alder::observe {

/// Fewer blocks tell their own scatter too poorly.
inline constexpr std::size_t fewestBlocks = 8;

/// Of at least one number.
double meanOf(std::span<double const> numbers);

/// Means of `blocks` runs of records whose lengths differ by one at most. There must not be more blocks than records.
std::vector<double> blockMeans(std::span<double const> records, std::size_t blocks);

} // namespace alder::observe
