#include "domain/layout.hpp"

#include <fmt/format.h>

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

std::string describe(DomainCounts domains)
{
    std::string const flat = fmt::format("{} x {}", domains.a, domains.b);
    return domains.c == 1 ? flat : fmt::format("{} x {}", flat, domains.c);
}

DomainCounts most(CellGrid const& cells) { return {cells.columns.a, cells.columns.b, cells.layers}; }

DomainCounts chooseDomains(int ranks, CellGrid const& cells, physics::Box const& box, double listCutoff)
{
    math::Vec3d const faces = faceDistances(box);
    double const layer = faces.z / cells.layers;
    DomainCounts best{0, 0, 0};
    double least = std::numeric_limits<double>::max();
    for (int a = 1; a <= ranks; ++a)
        for (int b = 1; b <= ranks / a; ++b) {
            DomainCounts const domains{a, b, ranks / (a * b)};
            if (domains.count() != ranks || !domains.fit(cells)) continue;
            // A domain sees what lies ahead along the first vector, and both sides along the second; along the third whole layers, of these
            // both sides and of its own columns one (docs/scaling.md).
            double const wa = faces.x / a, wb = faces.y / b, wc = faces.z / domains.c;
            double const border = listCutoff * ((a > 1 ? wb : 0) + (b > 1 ? 2 * wa : 0));
            double const seen = domains.c == 1 ? border * wc : border * std::min(faces.z, wc + 2 * layer) + wa * wb * layer;
            if (seen <= least * (1 + 1e-9)) {
                least = seen;
                best = domains;
            }
        }
    return best;
}

std::vector<std::int32_t> ownersOf(CellGrid const& grid, DomainCounts domains, std::span<std::int64_t const> weight)
{
    // Borders have steps of a cell: a row of columns is some percent of a domain, a column is not to be felt.
    std::vector<std::int32_t> owners(static_cast<std::size_t>(grid.count()));
    // Cuts cells into runs of about equal weight in the order of `place`, after which they go by number.
    auto const cut = [&](std::vector<int> cells, int parts, int least, auto&& place) {
        std::stable_sort(cells.begin(), cells.end(), [&](int left, int right) { return place(left) < place(right); });
        std::vector<std::int64_t> inTurn;
        inTurn.reserve(cells.size());
        for (int const cell : cells) inTurn.push_back(weight[static_cast<std::size_t>(cell)]);
        std::vector<int> const starts = cutEvenly(inTurn, parts, least);
        std::vector<std::vector<int>> runs;
        for (std::size_t part = 0; part + 1 < starts.size(); ++part)
            runs.emplace_back(cells.begin() + starts[part], cells.begin() + starts[part + 1]);
        return runs;
    };
    std::vector<int> all(owners.size());
    std::iota(all.begin(), all.end(), 0);
    std::int32_t owner = 0;
    for (std::vector<int> const& slab : cut(std::move(all), domains.a, domains.b * domains.c, [](int cell) { return cell; }))
        for (std::vector<int> const& bar : cut(slab, domains.b, domains.c, [&](int cell) { return cell / grid.layers % grid.columns.b; }))
            for (std::vector<int> const& block : cut(bar, domains.c, 1, [&](int cell) { return cell % grid.layers; })) {
                for (int const cell : block) owners[static_cast<std::size_t>(cell)] = owner;
                ++owner;
            }
    return owners;
}

} // namespace alder::domain
