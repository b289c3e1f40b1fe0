#pragma once
// The quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno with limited memory.

#include "loop/minimization/course.hpp"

namespace alder::loop {

/// Directions -H g, where H, the inverse of the second derivatives, is known by the last nbfgscorr steps and what they did to the forces
/// (J. Nocedal, Math. Comput. 35, 773 (1980); D. C. Liu and J. Nocedal, Math. Program. 45, 503 (1989)).
void descendQuasiNewton(Course& course);

} // namespace alder::loop
