#pragma once
// How fast a conserved quantity drifts: the slope of a line through its records, and how well they tell it.

#include <optional>
#include <span>

namespace alder::observe {

struct Drift {
    double slope = 0;         ///< kJ/mol/ns
    double standardError = 0; ///< kJ/mol/ns
};

/// The slope of the least-squares line through `values` (kJ/mol) at `times` (ps), with its standard error; divide both by the number of
/// atoms for a drift by atom. Nothing for fewer than fewestDriftRecords, where a value is not finite, or all times are one.
///
/// The line: with t and v about their means, slope = sum(t v) / sum(t^2).
///
/// The error: were the deviations e from the line independent, with variance s^2 = sum(e^2) / (n - 2), the slope's variance would be
/// s^2 / sum(t^2). Deviations of records that follow each other closely are alike, and that formula then promises too much: n records tell
/// no more than the n / (2 tau) that are independent. So the same is done with means of blocks of consecutive records: n blocks of one
/// record, n / 2 of two, and so on down to 8. In blocks longer than the correlation lasts the means are independent, and the estimate
/// settles at the true error; in shorter ones it is too small. Each estimate is uncertain itself, by 1 / sqrt(2 (blocks - 2)) of its size,
/// 29 % at 8 blocks. The largest is given: where nothing is correlated it errs on the careful side, by 10 % on average.
std::optional<Drift> driftOf(std::span<double const> times, std::span<double const> values);

/// What driftOf needs at least.
inline constexpr std::size_t fewestDriftRecords = 10;

} // namespace alder::observe
