#pragma once
// Distance restraints, each on one pair of atoms or on the r^-6 average of several.

#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/sums.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace alder::cpu {

/// There are few, and a restraint needs all its pairs before it knows any force, so one thread takes them all.
class DistanceRestraints {
public:
    /// The topology must outlive this.
    DistanceRestraints(system::Topology const& topology, plan::DistanceRestraintPlan const& plan);
    [[nodiscard]] bool empty() const { return restraints_.empty(); }
    /// Adds to `forces`; to `sums` too unless null. Throws RunFailed where the atoms of a pair coincide.
    void add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
             system::ForceSums* sums) const;

private:
    struct Restraint {
        double low, up1, up2, k;
        bool equalWeights;
        std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    };
    system::Topology const& topology_;
    std::vector<Restraint> restraints_;
};

} // namespace alder::cpu
