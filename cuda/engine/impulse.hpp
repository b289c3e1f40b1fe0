#pragma once
// Multiple time steps: what acts on steps of the forces that wait.

#include "device/stream.hpp"
#include "device/view.hpp"

#include <cstddef>
#include <cstdint>

namespace alder::cuda {

/// From what acts every step (`sum`) and what has waited (`waiting`): their sum, and with the latter `times` over the impulse of a step on
/// which all are known, for so many steps pass until its next turn (Verlet-I, H. Grubmueller et al., Mol. Simul. 6, 121 (1991); r-RESPA,
/// M. Tuckerman et al., J. Chem. Phys. 97, 1990 (1992)).
void makeImpulse(View<std::int64_t> sum, View<std::int64_t> waiting, std::size_t count, std::int64_t times, Stream& stream);

} // namespace alder::cuda
