#pragma once
// Forces that constraints leave: what a minimizer follows, and what vanishes at a constrained minimum.

#include "constraints/constraint_set.hpp"
#include "constraints/group_work.hpp"
#include "constraints/settle_set.hpp"
#include "physics/box.hpp"

#include <vector>

namespace alder::constraints {

class ForceProjection {
public:
    explicit ForceProjection(system::Topology const& topology);

    /// True where nothing is constrained.
    [[nodiscard]] bool empty() const { return waters_.empty() && set_.empty(); }
    /// Takes out of `forces` all that pushes along constrained distances.
    void apply(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::Vec3d>& forces);

private:
    SettleSet waters_;
    ConstraintSet set_;
    GroupWork work_;
};

} // namespace alder::constraints
