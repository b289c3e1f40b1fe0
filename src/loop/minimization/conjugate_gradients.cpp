#include "loop/minimization/conjugate_gradients.hpp"

#include "loop/minimization/line_search.hpp"
#include "loop/minimization/steepest_descent.hpp"

#include <algorithm>
#include <utility>

namespace alder::loop {

void descendConjugate(Course& course)
{
    if (!leaveOverlaps(course)) return;
    plan::DynamicsPlan const& dynamics = course.dynamics();
    Direction direction = course.best().forces;
    bool steepest = true, exhausted = false;
    double length = dynamics.emstep / std::max(longest(direction), 1e-300);
    for (std::int64_t step = 1; course.goesOn(exhausted); ++step) {
        auto end = searchLine(course, direction, length, {});
        if (!end) {
            exhausted = steepest; // not even along the forces
            steepest = true;
            direction = course.best().forces;
            length = dynamics.emstep / std::max(longest(direction), 1e-300);
            continue;
        }
        Direction const before = course.best().forces;
        double const size = end->length * longest(direction), expected = end->length * end->startSlope;
        exhausted = size < smallestStep;
        course.finishStep(std::move(end->configuration), size, true);

        Direction const& forces = course.best().forces;
        double const change = dotProduct(forces, forces) - dotProduct(forces, before);
        double const part = std::max(0.0, change / dotProduct(before, before));
        steepest = part == 0 || (dynamics.steepestInterval > 0 && step % dynamics.steepestInterval == 0);
        Direction next = forces;
        if (!steepest) addScaled(next, part, direction);
        direction = std::move(next);
        if (double slope = -dotProduct(forces, direction); slope < 0) {
            length = expected / slope; // as much energy gained to first order as by the step before
        } else {
            steepest = true;
            direction = forces;
            slope = -dotProduct(forces, forces);
            length = slope < 0 ? expected / slope : length;
        }
    }
}

} // namespace alder::loop
