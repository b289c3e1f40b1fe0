#include "loop/minimization/limited_memory_bfgs.hpp"

#include "loop/minimization/line_search.hpp"
#include "loop/minimization/steepest_descent.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace alder::loop {

namespace {

/// A step s and the change y of the gradient that came of it.
struct Correction {
    Direction step, change;
    double product = 0; ///< s y
};

/// H F by the two loops of Nocedal, starting from H = s y / (y y) of the last step.
Direction newtonStep(std::deque<Correction> const& memory, Direction direction)
{
    std::vector<double> parts;
    for (auto c = memory.rbegin(); c != memory.rend(); ++c) {
        parts.push_back(dotProduct(c->step, direction) / c->product);
        addScaled(direction, -parts.back(), c->change);
    }
    if (!memory.empty()) {
        Correction const& last = memory.back();
        double const scale = last.product / dotProduct(last.change, last.change);
        for (math::Vec3d& v : direction) v = scale * v;
    }
    for (Correction const& c : memory) {
        double const part = dotProduct(c.change, direction) / c.product;
        addScaled(direction, parts.back() - part, c.step);
        parts.pop_back();
    }
    return direction;
}

Direction scaled(Direction direction, double factor)
{
    for (math::Vec3d& v : direction) v = factor * v;
    return direction;
}

} // namespace

void descendQuasiNewton(Course& course)
{
    if (!leaveOverlaps(course)) return;
    plan::DynamicsPlan const& dynamics = course.dynamics();
    constexpr LineSearchRule rule{0.9, 20}; // the length 1 is nearly always the right one
    std::deque<Correction> memory;
    bool exhausted = false;
    while (course.goesOn(exhausted)) {
        Direction const direction = newtonStep(memory, course.best().forces);
        double const wanted = memory.empty() ? dynamics.emstep : std::min(longest(direction), 10 * dynamics.emstep);
        auto end = searchLine(course, direction, wanted / std::max(longest(direction), 1e-300), rule);
        if (!end) {
            exhausted = memory.empty(); // not even along the forces
            memory.clear();
            continue;
        }
        Correction correction{scaled(direction, end->length), course.best().forces, 0};
        addScaled(correction.change, -1, end->configuration.forces);
        correction.product = dotProduct(correction.step, correction.change);
        double const size = longest(correction.step);
        exhausted = size < smallestStep;
        course.finishStep(std::move(end->configuration), size, true);
        if (!(correction.product > 0)) continue; // no minimum lies along such a step, and H would lose its sign
        memory.push_back(std::move(correction));
        if (memory.size() > static_cast<std::size_t>(dynamics.bfgsCorrections)) memory.pop_front();
    }
}

} // namespace alder::loop
