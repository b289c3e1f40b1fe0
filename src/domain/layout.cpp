#include "domain/layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace alder::domain {

namespace {

/// Cuts a row of weights into `parts` consecutive runs, none empty, of about equal weight: where each begins, and the end.
std::vector<int> cutEvenly(std::vector<std::int64_t> const& weight, int parts)
{
    auto const count = static_cast<int>(weight.size());
    std::int64_t const total = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
    std::vector<int> starts{0};
    std::int64_t before = 0;
    int at = 0;
    for (int part = 1; part < parts; ++part) {
        // as many as come nearest to the share of all parts so far, but one for each part
        int const least = starts.back() + 1, most = count - (parts - part);
        std::int64_t const share = total / parts * part + total % parts * part / parts;
        while (at < least || (at < most && before + weight[static_cast<std::size_t>(at)] / 2 < share))
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
    std::vector<std::int32_t> owners(static_cast<std::size_t>(grid.count()));
    std::vector<std::int64_t> slabs;
    for (int ia = 0; ia < grid.a; ++ia) {
        auto const row = weight.subspan(static_cast<std::size_t>(ia * grid.b), static_cast<std::size_t>(grid.b));
        slabs.push_back(std::accumulate(row.begin(), row.end(), std::int64_t{0}));
    }
    std::vector<int> const startA = cutEvenly(slabs, domains.a);
    for (int da = 0; da < domains.a; ++da) {
        std::vector<std::int64_t> rows(static_cast<std::size_t>(grid.b), 0);
        int const begin = startA[static_cast<std::size_t>(da)], end = startA[static_cast<std::size_t>(da) + 1];
        for (int ia = begin; ia < end; ++ia)
            for (int ib = 0; ib < grid.b; ++ib) rows[static_cast<std::size_t>(ib)] += weight[static_cast<std::size_t>(ia * grid.b + ib)];
        std::vector<int> const startB = cutEvenly(rows, domains.b);
        for (int db = 0; db < domains.b; ++db)
            for (int ib = startB[static_cast<std::size_t>(db)]; ib < startB[static_cast<std::size_t>(db) + 1]; ++ib)
                for (int ia = begin; ia < end; ++ia) owners[static_cast<std::size_t>(ia * grid.b + ib)] = da * domains.b + db;
    }
    return owners;
}

} // namespace alder::domain
