#pragma once
// The linear equations that couple the bonds of a group: (1 - A) solution = side, with A of physics/distance_constraint.hpp in
// work.coupling. Both use up work.side.

#include "constraints/group_work.hpp"

namespace alder::constraints {

/// solution = (1 + A + A^2 + ...) side, `order` powers of A; `order` more among the sides of triangles.
template <class Shape, class Work, class Team = Alone>
ALDER_HD void expandSeries(Shape const& shape, Work& work, int order, Team const& team = {})
{
    std::size_t const count = shape.bonds.size();
    double *side = &work.side[0], *next = &work.nextSide[0];
    team.forEach(count, [&](std::size_t i) { work.solution[i] = side[i]; });
    if (shape.couplings.empty()) return;
    for (int term = 0; term < order; ++term) {
        team.forEach(count, [&](std::size_t i) {
            double sum = 0;
            for (auto c = static_cast<std::size_t>(shape.couplingStart[i]); c < static_cast<std::size_t>(shape.couplingStart[i + 1]); ++c)
                sum += work.coupling[c] * side[shape.couplings[c].other];
            next[i] = sum;
            work.solution[i] += sum;
        });
        double* const used = side;
        side = next;
        next = used;
    }
    // The sides of a triangle lean on each other so strongly that the series converges slowly: as many terms more among them alone.
    for (int term = 0; term < order && !shape.triangleBonds.empty(); ++term) {
        team.forEach(shape.triangleBonds.size(), [&](std::size_t t) {
            double sum = 0;
            for (auto k = static_cast<std::size_t>(shape.triangleStart[t]); k < static_cast<std::size_t>(shape.triangleStart[t + 1]); ++k) {
                auto const c = static_cast<std::size_t>(shape.triangleCouplings[k]);
                sum += work.coupling[c] * side[shape.couplings[c].other];
            }
            auto const i = static_cast<std::size_t>(shape.triangleBonds[t]);
            next[i] = sum;
            work.solution[i] += sum;
        });
        double* const used = side;
        side = next;
        next = used;
    }
}

/// (1 - A) vector, for one bond.
template <class Shape, class Work, class Vector>
ALDER_HD double withoutCoupling(Shape const& shape, Work const& work, Vector const& vector, std::size_t i)
{
    double sum = vector[i];
    for (auto c = static_cast<std::size_t>(shape.couplingStart[i]); c < static_cast<std::size_t>(shape.couplingStart[i + 1]); ++c)
        sum -= work.coupling[c] * vector[static_cast<std::size_t>(shape.couplings[c].other)];
    return sum;
}

/// To rounding, by conjugate gradients. The matrix has a diagonal of 1 and no negative eigenvalue, whatever the bonds form: where they are
/// more than they need be some are 0, and the side, which comes of motions of atoms, has no part there.
template <class Shape, class Work, class Team = Alone> ALDER_HD void solveExactly(Shape const& shape, Work& work, Team const& team = {})
{
    constexpr double enough = 1e-28; // of the square of the first residual
    std::size_t const count = shape.bonds.size();
    auto &residual = work.side, &direction = work.search, &image = work.nextSide;
    auto const residualSquare = [&](std::size_t i) { return residual[i] * residual[i]; };
    team.forEach(count, [&](std::size_t i) {
        work.solution[i] = 0;
        direction[i] = residual[i];
    });
    double square = team.sum(count, residualSquare);
    double const target = enough * square;
    // as many steps as unknowns in exact arithmetic; rounding asks for a few more
    for (std::size_t step = 0; step < 2 * count + 10 && square > target; ++step) {
        team.forEach(count, [&](std::size_t i) { image[i] = withoutCoupling(shape, work, direction, i); });
        double const curvature = team.sum(count, [&](std::size_t i) { return direction[i] * image[i]; });
        if (!(curvature > 0)) break;
        double const length = square / curvature;
        team.forEach(count, [&](std::size_t i) {
            work.solution[i] += length * direction[i];
            residual[i] -= length * image[i];
        });
        double const next = team.sum(count, residualSquare);
        team.forEach(count, [&](std::size_t i) { direction[i] = residual[i] + (next / square) * direction[i]; });
        square = next;
    }
}

} // namespace alder::constraints
