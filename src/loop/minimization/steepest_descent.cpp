#include "loop/minimization/steepest_descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alder::loop {

namespace {

/// Steps grow by this after a success and shrink after a failure, as GROMACS has them.
constexpr double growth = 1.2, shrinkage = 0.5;

/// Every atom along its force, the one with the largest force by `size` nm. Out of an overlap, every atom with a force beyond
/// `severe` goes by `size`: in proportion, one clamped pair would keep all others where they are.
std::vector<math::FractionVec> moved(Configuration const& from, double size, physics::Box const& box)
{
    constexpr double severe = 1e5; // kJ/mol/nm
    bool const overlapping = !std::isfinite(from.potential);
    double const whole = overlapping ? std::min(severe, from.largestForce) : from.largestForce;
    std::vector<math::FractionVec> positions = from.positions;
    for (std::size_t i = 0; i < positions.size() && whole > 0; ++i) {
        double const force = overlapping ? std::max(whole, norm(from.forces[i])) : whole;
        positions[i] = wrappingSum(positions[i], box.toFractionStep((size / force) * from.forces[i]));
    }
    return positions;
}

/// Downhill; and where neither energy is finite, on along the forces: clamped, they tell directions, not which of two starts is worse.
bool better(Configuration const& next, Configuration const& best)
{
    if (std::isfinite(next.potential) || std::isfinite(best.potential)) return next.potential < best.potential;
    return true;
}

/// One trial by `size`, and the size of the next.
double step(Course& course, double size)
{
    Configuration next = course.at(moved(course.best(), size, course.box()));
    bool const accepted = better(next, course.best());
    course.finishStep(std::move(next), size, accepted);
    // Out of an overlap steps keep their first length: no energy says yet that longer ones are safe.
    if (!std::isfinite(course.best().potential)) return size;
    return std::min(size * (accepted ? growth : shrinkage), course.longestStep());
}

} // namespace

void descendSteepest(Course& course)
{
    double size = course.dynamics().emstep;
    while (course.goesOn(size < smallestStep)) size = step(course, size);
}

bool leaveOverlaps(Course& course)
{
    double size = course.dynamics().emstep;
    while (!std::isfinite(course.best().potential)) {
        if (!course.goesOn(size < smallestStep)) return false;
        size = step(course, size);
    }
    return true;
}

} // namespace alder::loop
