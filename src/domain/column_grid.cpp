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

math::Vec3d faceDistances(physics::Box const& box)
{
    double const volume = box.volume();
    return {volume / math::norm(math::cross(box.b(), box.c())), volume / math::norm(math::cross(box.c(), box.a())),
            volume / math::norm(math::cross(box.a(), box.b()))};
}

ColumnReach::ColumnReach(ColumnGrid grid, physics::Box const& box, double listCutoff) : grid_(grid)
{
    // A little more than the search itself goes by (pairs/list_search), which asks that every column it meets is whole.
    math::Vec3d const faces = faceDistances(box);
    double const slop = 2e-6 * (box.a().x + box.b().y + box.c().z + std::fabs(box.b().x) + std::fabs(box.c().x) + std::fabs(box.c().y));
    wideA_ = static_cast<int>(std::ceil(((listCutoff + slop) / faces.x + 4e-6) * grid.a));
    wideB_ = static_cast<int>(std::ceil(((listCutoff + slop) / faces.y + 4e-6) * grid.b));
}

std::vector<int> ColumnReach::searchedFrom(int column) const
{
    int const a = column / grid_.b, b = column % grid_.b;
    std::vector<int> from;
    for (int ia = a - wideA_; ia <= a + wideA_; ++ia)
        for (int ib = b - wideB_; ib <= b + wideB_; ++ib) {
            // the cell that the searching column lies in, seen from this one
            int const cellA = ia >= 0 ? ia / grid_.a : -((grid_.a - 1 - ia) / grid_.a);
            int const cellB = ib >= 0 ? ib / grid_.b : -((grid_.b - 1 - ib) / grid_.b);
            bool const behind = cellA < 0 || (cellA == 0 && cellB < 0);
            int const other = (ia - cellA * grid_.a) * grid_.b + (ib - cellB * grid_.b);
            bool const below = cellA == 0 && cellB == 0 && other <= column;
            if (behind || below) from.push_back(other);
        }
    std::sort(from.begin(), from.end());
    from.erase(std::unique(from.begin(), from.end()), from.end());
    return from;
}

} // namespace alder::domain
