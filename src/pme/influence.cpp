#include "pme/influence.hpp"

#include "pme/spline_moduli.hpp"

namespace alder::pme {

Influence::Influence(plan::PmePlan const& plan)
    : sum_(plan.sum),
      grid_(plan.grid),
      beta_(plan.beta),
      electricFactor_(plan.electricFactor),
      reciprocal_(physics::Box({1, 0, 0}, {0, 1, 0}, {0, 0, 1}))
{
    for (std::size_t d = 0; d < 3; ++d) moduli_[d] = splineModuli(grid_[d], plan.order);
}

void Influence::setBox(physics::Box const& box)
{
    volume_ = box.volume();
    reciprocal_ = physics::ReciprocalCell(box);
}

} // namespace alder::pme
