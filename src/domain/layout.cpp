#include "domain/layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace alder::domain {

namespace {

/// Cuts a row of weights into `parts` consecutive runs of about equal weight and at least `least` long: where each begins, and the end.
std::vector<int> cutEvenly(std::span<std::int64_t const> weight, int parts, int least)
{
    auto const count = static_cast<int>(weight.size());
    std::int64_t const total = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
    std::vector<int> starts{0};
    std::int64_t before = 0;
    int at = 0;
    for (int part = 1; part < parts; ++part) {
        // as many as come nearest to the share of all parts so far
        int const first = starts.back() + least, last = count - least * (parts - part);
        std::int64_t const share = total / parts * part + total % parts * part / parts;
        while (at < first || (at < last && before + weight[static_cast<std::size_t>(at)] / 2 < share))
            before += weight[static_cast<std::size_t>(at++)];
        starts.push_back(at);
    }
    starts.push_back(count);
    return starts;
}

} // namespace

DomainCounts chooseDomains(int ranks, ColumnGrid fits, physics::Box const& box)
{
    math::Vec3d const faces = faceDistances(box);
    DomainCounts best{0, 0};
    double least = std::numeric_limits<double>::max();
    for (int a = 1; a <= ranks; ++a) {
        int const b = ranks / a;
        if (a * b != ranks || a > fits.a || b > fits.b) continue;
        // A domain sees what lies ahead along the first vector, and both sides along the second (docs/scaling.md).
        double const border = (a > 1 ? faces.y / b : 0) + (b > 1 ? 2 * faces.x / a : 0);
        if (border <= least * (1 + 1e-9)) {
            least = border;
            best = {a, b};
        }
    }
    return best;
}

std::vector<std::int32_t> ownersOf(ColumnGrid grid, DomainCounts domains, std::span<std::int64_t const> weight)
{
    // Borders have steps of a column: a row of them is some percent of a domain, a column is not to be felt.
    std::vector<std::int32_t> owners(static_cast<std::size_t>(grid.count()));
    std::vector<int> const slabs = cutEvenly(weight, domains.a, domains.b);
    for (int da = 0; da < domains.a; ++da) {
        std::vector<int> columns(static_cast<std::size_t>(slabs[static_cast<std::size_t>(da) + 1] - slabs[static_cast<std::size_t>(da)]));
        std::iota(columns.begin(), columns.end(), slabs[static_cast<std::size_t>(da)]);
        std::stable_sort(columns.begin(), columns.end(), [&](int left, int right) { return left % grid.b < right % grid.b; });
        std::vector<std::int64_t> inTurn;
        inTurn.reserve(columns.size());
        for (int const column : columns) inTurn.push_back(weight[static_cast<std::size_t>(column)]);
        std::vector<int> const starts = cutEvenly(inTurn, domains.b, 1);
        for (int db = 0; db < domains.b; ++db)
            for (int n = starts[static_cast<std::size_t>(db)]; n < starts[static_cast<std::size_t>(db) + 1]; ++n)
                owners[static_cast<std::size_t>(columns[static_cast<std::size_t>(n)])] = da * domains.b + db;
    }
    return owners;
}

} // namespace alder::domain
