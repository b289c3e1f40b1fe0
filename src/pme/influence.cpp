#include "pme/influence.hpp"

#include "pme/spline_moduli.hpp"

namespace alder::pme {

Influence::Influence(plan::PmePlan const& plan) : plan_(plan), law_(plan, physics::Box({1, 0, 0}, {0, 1, 0}, {0, 0, 1}))
{
    for (std::size_t d = 0; d < 3; ++d) moduli_[d] = splineModuli(plan.grid[d], plan.order);
}

void Influence::setBox(physics::Box const& box) { law_ = WaveLaw(plan_, box); }

} // namespace alder::pme
