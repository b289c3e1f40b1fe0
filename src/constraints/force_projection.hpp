#pragma once
// Forces that constraints leave: what a minimizer follows, and what vanishes at a constrained minimum.

#include "constraints/constraint_set.hpp"
#include "constraints/group_work.hpp"
#include "constraints/settle_set.hpp"
#include "physics/box.hpp"

#include <array>
#include <vector>

namespace alder::constraints {

class ForceProjection {
public:
    /// `frozenAxes` by freeze group of the topology; empty where nothing is frozen.
    explicit ForceProjection(system::Topology const& topology, std::vector<std::array<bool, 3>> frozenAxes = {});

    /// True where nothing is constrained.
    [[nodiscard]] bool empty() const { return waters_.empty() && set_.empty(); }
    /// Takes out of `forces` all that pushes along constrained distances or frozen axes.
    void apply(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::Vec3d>& forces);

private:
    void stopFrozen(std::vector<math::Vec3d>& forces) const;

    system::Topology const& topology_;
    std::vector<std::array<bool, 3>> frozenAxes_;
    SettleSet waters_;
    ConstraintSet set_;
    GroupWork work_;
};

} // namespace alder::constraints
