#pragma once
// Steepest descent: every atom along its force, by steps that grow after a success and shrink after a failure.

#include "loop/minimization/course.hpp"

namespace alder::loop {

void descendSteepest(Course& course);

/// Steepest descent as far as energies are finite, for minimizers that compare them. False where the course ended on the way.
bool leaveOverlaps(Course& course);

} // namespace alder::loop
