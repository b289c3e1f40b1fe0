#pragma once
// The force of an external field on every charge. It has no energy among the terms and no place in the virial: what makes the field is not
// part of the system.

#include "math/fixed_sum.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <vector>

namespace alder::cpu {

class ElectricField {
public:
    ElectricField(system::Topology const& topology, plan::ElectricFieldPlan const& plan, int threads);
    [[nodiscard]] bool active() const { return plan_.active; }
    /// Adds the forces at `time` (ps).
    void add(double time, std::vector<math::ForceUnits>& forces) const;

private:
    plan::ElectricFieldPlan plan_;
    std::vector<double> charges_; ///< e; empty without a field
    int threads_;
};

} // namespace alder::cpu
