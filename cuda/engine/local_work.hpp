#pragma once
// All that is made from the topology of the atoms that are here, and made anew where atoms change hands.

#include "bonded/bonded_forces.hpp"
#include "bonded/distance_restraints.hpp"
#include "bonded/electric_field.hpp"
#include "bonded/virtual_sites.hpp"
#include "plan/multiple_time_steps.hpp"
#include "update/motion.hpp"

namespace alder::cuda {

struct LocalWork {
    BondedForces bonded, slowBonded; ///< of every step, and those that wait with multiple time steps
    DistanceRestraints distances;
    ElectricField field;
    VirtualSites sites;
    Motion motion;

    /// Topology, plan, stream and ranks (null: one) must outlive this.
    LocalWork(system::Topology const& topology, plan::RunPlan const& plan, Stream& stream, domain::Communicator* ranks)
        : bonded(topology, plan, stream, plan::kindsThatWait(plan.dynamics.slow, false)),
          slowBonded(topology, plan, stream, plan::kindsThatWait(plan.dynamics.slow, true)),
          distances(topology, plan.distanceRestraints, stream),
          field(topology, plan.electricField, stream),
          sites(topology, stream),
          motion(topology, plan.dynamics, stream, ranks)
    {}
};

} // namespace alder::cuda
