#include "loop/minimization/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alder::loop {

namespace {

/// A point of the line: energy and slope against the length gone.
struct Point {
    double length = 0, potential = 0, slope = 0;
};

/// Two points with the least energy between them, as far as it is known.
struct Bracket {
    Point low;                ///< the farthest that still leads down
    std::optional<Point> far; ///< beyond the least energy
};

std::vector<math::FractionVec> displaced(Configuration const& from, Direction const& direction, double length, physics::Box const& box)
{
    std::vector<math::FractionVec> positions = from.positions;
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = wrappingSum(positions[i], box.toFractionStep(length * direction[i]));
    return positions;
}

/// Where a straight line through two slopes is zero.
double secant(Point const& a, Point const& b) { return a.length - a.slope * (b.length - a.length) / (b.slope - a.slope); }

/// The next length to try. Inside a bracket, where a parabola has its least energy, kept away from both ends; without one, onward.
double nextLength(Bracket const& bracket, Point const& before)
{
    Point const& low = bracket.low;
    if (!bracket.far) {
        double const on = low.slope > before.slope ? secant(before, low) : 0;
        return std::clamp(on, 1.5 * low.length, 5 * low.length);
    }
    Point const& far = *bracket.far;
    double const width = far.length - low.length;
    if (!std::isfinite(far.potential)) return low.length + 0.2 * width;
    double guess = low.length + 0.5 * width;
    if (far.slope > 0) {
        guess = secant(low, far);
    } else if (double const bend = far.potential - low.potential - low.slope * width; bend > 0) {
        guess = low.length - 0.5 * low.slope * width * width / bend;
    }
    return std::clamp(guess, low.length + 0.1 * width, low.length + 0.9 * width);
}

} // namespace

double dotProduct(Direction const& a, Direction const& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum;
}

double longest(Direction const& direction)
{
    double square = 0;
    for (math::Vec3d const v : direction) square = std::max(square, norm2(v));
    return std::sqrt(square);
}

void addScaled(Direction& to, double factor, Direction const& from)
{
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

std::optional<LineSearchEnd> searchLine(Course& course, Direction const& direction, double length, LineSearchRule rule)
{
    // Where energies differ by less than what is uncertain of them, slopes decide (W. W. Hager and H. Zhang, SIAM J. Optim. 16, 170 (2005),
    // "approximate Wolfe conditions").
    constexpr double descent = 1e-3;
    Configuration const& start = course.best();
    Point const origin{0, start.potential, -dotProduct(start.forces, direction)};
    double const most = course.longestStep() / longest(direction);
    if (!(origin.slope < 0) || !std::isfinite(most)) return {};

    Bracket bracket{origin, {}};
    Point before = origin;
    std::optional<LineSearchEnd> best;
    length = std::min(length, most);
    for (int trial = 0; trial < rule.mostTrials; ++trial) {
        Configuration next = course.at(displaced(start, direction, length, course.box()));
        Point const point{length, next.potential, -dotProduct(next.forces, direction)};
        bool const lower = point.potential <= origin.potential + descent * length * origin.slope;
        bool const alike = point.potential <= origin.potential + start.uncertainty;
        bool const flat = std::fabs(point.slope) <= -rule.slopePart * origin.slope;
        if (point.potential < (best ? best->configuration.potential : origin.potential) || (alike && flat))
            best = LineSearchEnd{std::move(next), length, origin.slope};
        if (flat && (lower || alike)) return best;
        if (!(lower || alike) || point.slope > 0) {
            bracket.far = point;
        } else {
            before = bracket.low;
            bracket.low = point;
            if (length >= most) break;
        }
        length = std::min(nextLength(bracket, before), most);
        if (length * longest(direction) < smallestStep) break;
    }
    return best;
}

} // namespace alder::loop
