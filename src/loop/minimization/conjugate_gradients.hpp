#pragma once
// Nonlinear conjugate gradients.

#include "loop/minimization/course.hpp"

namespace alder::loop {

/// Each direction is the force plus a part of the direction before it (E. Polak and G. Ribiere, Rev. Fr. Inform. Rech. Oper. 16-R1, 35
/// (1969)):
///     p' = F' + beta p,   beta = max(0, F' (F' - F) / F F)
/// and every nstcgsteep steps the force alone.
void descendConjugate(Course& course);

} // namespace alder::loop
