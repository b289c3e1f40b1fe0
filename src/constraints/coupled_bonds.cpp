#include "constraints/coupled_bonds.hpp"

#include <algorithm>

namespace alder::constraints {

void expandSeries(ConstraintShape const& shape, GroupWork& work, int order)
{
    std::size_t const count = shape.bonds.size();
    std::copy_n(work.side.begin(), count, work.solution.begin());
    if (shape.couplings.empty()) return;
    for (int term = 0; term < order; ++term) {
        for (std::size_t i = 0; i < count; ++i) {
            double sum = 0;
            for (auto c = static_cast<std::size_t>(shape.couplingStart[i]); c < static_cast<std::size_t>(shape.couplingStart[i + 1]); ++c)
                sum += work.coupling[c] * work.side[static_cast<std::size_t>(shape.couplings[c].other)];
            work.nextSide[i] = sum;
            work.solution[i] += sum;
        }
        work.side.swap(work.nextSide);
    }
    // The sides of a triangle lean on each other so strongly that the series converges slowly: as many terms more among them alone.
    for (int term = 0; term < order && !shape.triangleBonds.empty(); ++term) {
        for (std::size_t t = 0; t < shape.triangleBonds.size(); ++t) {
            double sum = 0;
            for (auto k = static_cast<std::size_t>(shape.triangleStart[t]); k < static_cast<std::size_t>(shape.triangleStart[t + 1]); ++k) {
                auto const c = static_cast<std::size_t>(shape.triangleCouplings[k]);
                sum += work.coupling[c] * work.side[static_cast<std::size_t>(shape.couplings[c].other)];
            }
            auto const i = static_cast<std::size_t>(shape.triangleBonds[t]);
            work.nextSide[i] = sum;
            work.solution[i] += sum;
        }
        work.side.swap(work.nextSide);
    }
}

namespace {

/// (1 - A) vector, for one bond.
double applied(ConstraintShape const& shape, GroupWork const& work, std::vector<double> const& vector, std::size_t i)
{
    double sum = vector[i];
    for (auto c = static_cast<std::size_t>(shape.couplingStart[i]); c < static_cast<std::size_t>(shape.couplingStart[i + 1]); ++c)
        sum -= work.coupling[c] * vector[static_cast<std::size_t>(shape.couplings[c].other)];
    return sum;
}

} // namespace

void solveExactly(ConstraintShape const& shape, GroupWork& work)
{
    constexpr double enough = 1e-28; // of the square of the first residual
    std::size_t const count = shape.bonds.size();
    std::vector<double>&residual = work.side, &direction = work.search, &image = work.nextSide;
    double square = 0;
    for (std::size_t i = 0; i < count; ++i) {
        work.solution[i] = 0;
        direction[i] = residual[i];
        square += residual[i] * residual[i];
    }
    double const target = enough * square;
    // as many steps as unknowns in exact arithmetic; rounding asks for a few more
    for (std::size_t step = 0; step < 2 * count + 10 && square > target; ++step) {
        double curvature = 0;
        for (std::size_t i = 0; i < count; ++i) {
            image[i] = applied(shape, work, direction, i);
            curvature += direction[i] * image[i];
        }
        if (!(curvature > 0)) break;
        double const length = square / curvature;
        double next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            work.solution[i] += length * direction[i];
            residual[i] -= length * image[i];
            next += residual[i] * residual[i];
        }
        for (std::size_t i = 0; i < count; ++i) direction[i] = residual[i] + (next / square) * direction[i];
        square = next;
    }
}

} // namespace alder::constraints
