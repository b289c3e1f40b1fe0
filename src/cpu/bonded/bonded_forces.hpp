#pragma once
// Forces, energies and virial of all bonded terms, over threads.

#include "bonded/bonded_lists.hpp"
#include "cpu/bonded/term_lanes.hpp"
#include "plan/run_plan.hpp"
#include "system/sums.hpp"

#include <memory>
#include <vector>

namespace alder::cpu {

/// Each thread sums its share of the terms into integers over the atoms they touch; then each adds all sums of its own atoms to the
/// forces. Terms are evaluated in double from integer position differences, so molecules may cross the box anyhow, and as nothing but
/// integers is summed, the bits do not depend on the number of threads.
class BondedForces {
public:
    /// Terms of `kinds` only. The topology must outlive this.
    BondedForces(system::Topology const& topology, plan::RunPlan const& plan, int threads,
                 bonded::KindSet const& kinds = bonded::KindSet().set());
    ~BondedForces();

    /// Adds to `forces`; to `sums` too unless null. Throws RunFailed, naming kind and atoms, where the force of a term is not finite, or
    /// too large to be summed.
    void add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
             system::ForceSums* sums);
    [[nodiscard]] bool empty() const { return lists_.empty(); }

private:
    struct Worker;
    system::Topology const& topology_;
    TermKernels kernels_;
    bonded::BondedLists lists_;
    std::vector<Worker> workers_;
};

} // namespace alder::cpu
