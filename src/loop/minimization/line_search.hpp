#pragma once
// Vectors of the size of the system, and the search for a lower energy along one of them.

#include "loop/minimization/course.hpp"

#include <optional>
#include <vector>

namespace alder::loop {

/// One vector an atom.
using Direction = std::vector<math::Vec3d>;

/// Added in the order of the atoms by one thread, so that it has the same bits on any number of them: a thousandth of what the forces cost.
double dotProduct(Direction const& a, Direction const& b);
/// The length of the longest of its vectors.
double longest(Direction const& direction);
/// to + factor * from
void addScaled(Direction& to, double factor, Direction const& from);

/// How exactly the least energy on the line is to be found: the slope there as a part of the slope at the start.
struct LineSearchRule {
    double slopePart = 0.1;
    int mostTrials = 20;
};

struct LineSearchEnd {
    Configuration configuration;
    double length = 0;     ///< in units of the direction
    double startSlope = 0; ///< of the energy along the direction, kJ/mol per unit of it
};

/// From the course's best along `direction`, which must lead downhill, beginning with a trial at `length`. An end has a lower energy than
/// the start, or, where the two differ by no more than what rounding leaves uncertain, a smaller slope. Nothing where there is none.
std::optional<LineSearchEnd> searchLine(Course& course, Direction const& direction, double length, LineSearchRule rule);

} // namespace alder::loop
