#include "observe/block_means.hpp"

#include <numeric>

namespace alder::observe {

double meanOf(std::span<double const> numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

std::vector<double> blockMeans(std::span<double const> records, std::size_t blocks)
{
    std::vector<double> means(blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
        std::size_t const first = b * records.size() / blocks, end = (b + 1) * records.size() / blocks;
        means[b] = meanOf(records.subspan(first, end - first));
    }
    return means;
}

} // namespace alder::observe
