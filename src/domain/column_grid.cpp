#include "domain/column_grid.hpp"

#include <algorithm>
#include <cmath>

namespace alder::domain {

ColumnGrid chooseColumns(physics::Box const& box, ColumnNeeds const& needs)
{
    // On the CPU the edge of a cube that holds eight atoms makes clusters compact (water, cutoff 0.9 nm: 368 listed pairs an atom; 378 with
    // edges 7 % shorter, 377 with 8 % longer). Where matter is thin, columns no wider than 0.6 list radii keep the atoms of a cluster
    // together.
    double const density = static_cast<double>(std::max<std::int64_t>(needs.atomCount, 1)) / box.volume();
    double const edge = std::min(std::cbrt(needs.rule.atoms / density), needs.rule.mostRadii * needs.listCutoff);
    double const b = std::hypot(box.b().x, box.b().y);
    // However wide, clusters stay short.
    double const most = 1024 + needs.rule.mostAnAtom * static_cast<double>(needs.atomCount);
    double const wanted = (box.a().x / edge) * (b / edge);
    double const width = wanted > most ? edge * std::sqrt(wanted / most) : edge;
    return {std::max(1, static_cast<int>(std::lround(box.a().x / width))), std::max(1, static_cast<int>(std::lround(b / width)))};
}

CellGrid chooseCells(physics::Box const& box, ColumnNeeds const& needs)
{
    CellGrid cells{chooseColumns(box, needs), 1};
    if (needs.rule.leastLayer > 0)
        cells.layers = std::max(1, static_cast<int>(faceDistances(box).z / std::max(needs.rule.leastLayer, 4 * needs.listCutoff)));
    return cells;
}

math::Vec3d faceDistances(physics::Box const& box)
{
    double const volume = box.volume();
    return {volume / math::norm(math::cross(box.b(), box.c())), volume / math::norm(math::cross(box.c(), box.a())),
            volume / math::norm(math::cross(box.a(), box.b()))};
}

CellReach::CellReach(CellGrid grid, physics::Box const& box, double listCutoff) : grid_(grid)
{
    // A little more than the search itself goes by (pairs/list_search), which asks that every cell it meets is whole.
    math::Vec3d const faces = faceDistances(box);
    double const slop = 2e-6 * (box.a().x + box.b().y + box.c().z + std::fabs(box.b().x) + std::fabs(box.c().x) + std::fabs(box.c().y));
    auto const wide = [&](double face, int n) { return static_cast<int>(std::ceil(((listCutoff + slop) / face + 4e-6) * n)); };
    wideA_ = wide(faces.x, grid.columns.a);
    wideB_ = wide(faces.y, grid.columns.b);
    wideC_ = wide(faces.z, grid.layers);
}

std::vector<int> CellReach::searchedFrom(int cell) const
{
    // the box that the searching cell lies in, seen from this one
    auto const boxOf = [](int i, int n) { return i >= 0 ? i / n : -((n - 1 - i) / n); };
    ColumnGrid const& columns = grid_.columns;
    int const layer = cell % grid_.layers, column = cell / grid_.layers, a = column / columns.b, b = column % columns.b;
    std::vector<int> from;
    for (int ia = a - wideA_; ia <= a + wideA_; ++ia)
        for (int ib = b - wideB_; ib <= b + wideB_; ++ib) {
            int const boxA = boxOf(ia, columns.a), boxB = boxOf(ib, columns.b);
            bool const across = boxA < 0 || (boxA == 0 && boxB < 0), beside = boxA == 0 && boxB == 0;
            int const other = (ia - boxA * columns.a) * columns.b + (ib - boxB * columns.b);
            if (!across && !(beside && other <= column)) continue;
            for (int ic = layer - wideC_; ic <= layer + wideC_; ++ic) {
                int const boxC = boxOf(ic, grid_.layers), otherLayer = ic - boxC * grid_.layers;
                if (beside && other == column && boxC >= 0 && (boxC > 0 || otherLayer > layer)) continue;
                from.push_back(other * grid_.layers + otherLayer);
            }
        }
    std::sort(from.begin(), from.end());
    from.erase(std::unique(from.begin(), from.end()), from.end());
    return from;
}

} // namespace alder::domain
