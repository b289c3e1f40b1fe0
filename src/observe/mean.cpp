#include "observe/mean.hpp"

#include "observe/block_means.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace alder::observe {

namespace {

double squaredDeviations(std::span<double const> numbers, double mean)
{
    double sum = 0;
    for (double number : numbers) sum += (number - mean) * (number - mean);
    return sum;
}

} // namespace

std::optional<Mean> meanWithError(std::span<double const> records)
{
    if (records.empty() || !std::all_of(records.begin(), records.end(), [](double x) { return std::isfinite(x); })) return {};
    // About the first: energies of a large system are much larger than their fluctuation.
    std::vector<double> deviations(records.begin(), records.end());
    for (double& d : deviations) d -= records.front();
    double const about = meanOf(deviations);
    Mean mean;
    mean.value = records.front() + about;
    mean.fluctuation = std::sqrt(squaredDeviations(deviations, about) / static_cast<double>(records.size()));
    for (std::size_t blocks = records.size(); blocks >= fewestBlocks; blocks /= 2) {
        std::vector<double> const means = blockMeans(deviations, blocks);
        auto const n = static_cast<double>(blocks);
        double const error = std::sqrt(squaredDeviations(means, meanOf(means)) / (n - 1) / n);
        mean.standardError = std::max(mean.standardError.value_or(0), error);
    }
    return mean;
}

} // namespace alder::observe
