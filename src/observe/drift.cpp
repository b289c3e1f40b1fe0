#include "observe/drift.hpp"

#include "observe/block_means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace alder::observe {

namespace {

constexpr double psPerNs = 1000;

using Numbers = std::vector<double>;

/// The same about the mean: energies of a large system are a million times their drift.
Numbers centered(std::span<double const> numbers)
{
    double const mean = meanOf(numbers);
    Numbers result(numbers.begin(), numbers.end());
    for (double& number : result) number -= mean;
    return result;
}

/// Slope and error as of independent points, in the unit of the values by that of the times.
std::optional<Drift> lineThrough(std::span<double const> times, std::span<double const> values)
{
    Numbers const t = centered(times), v = centered(values);
    double const spread = std::inner_product(t.begin(), t.end(), t.begin(), 0.0);
    if (spread <= 0) return {};
    Drift line;
    line.slope = std::inner_product(t.begin(), t.end(), v.begin(), 0.0) / spread;
    double squares = 0;
    for (std::size_t i = 0; i < t.size(); ++i) squares += std::pow(v[i] - line.slope * t[i], 2);
    line.standardError = std::sqrt(squares / static_cast<double>(t.size() - 2) / spread);
    return line;
}

} // namespace

std::optional<Drift> driftOf(std::span<double const> times, std::span<double const> values)
{
    auto const finite = [](double x) { return std::isfinite(x); };
    if (times.size() != values.size() || times.size() < fewestDriftRecords) return {};
    if (!std::all_of(times.begin(), times.end(), finite) || !std::all_of(values.begin(), values.end(), finite)) return {};
    Numbers const t = centered(times), v = centered(values);
    std::optional<Drift> drift = lineThrough(t, v);
    if (!drift) return {};
    for (std::size_t blocks = t.size() / 2; blocks >= fewestBlocks; blocks /= 2)
        if (std::optional<Drift> const coarse = lineThrough(blockMeans(t, blocks), blockMeans(v, blocks)))
            drift->standardError = std::max(drift->standardError, coarse->standardError);
    drift->slope *= psPerNs;
    drift->standardError *= psPerNs;
    return drift;
}

} // namespace alder::observe
