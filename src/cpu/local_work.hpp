#pragma once
// All that is made from the topology of the atoms that are here, and made anew where atoms change hands.

#include "cpu/bonded/bonded_forces.hpp"
#include "cpu/bonded/distance_restraints.hpp"
#include "cpu/bonded/electric_field.hpp"
#include "cpu/bonded/virtual_sites.hpp"
#include "cpu/update/frozen_atoms.hpp"
#include "cpu/update/motion.hpp"
#include "plan/multiple_time_steps.hpp"

namespace alder::cpu {

struct LocalWork {
    BondedForces bonded, slowBonded; ///< of every step, and those that wait with multiple time steps
    DistanceRestraints distances;
    ElectricField field;
    VirtualSites sites;
    Motion motion;
    FrozenAtoms frozen;

    /// Topology, plan and ranks (null: one) must outlive this.
    LocalWork(system::Topology const& topology, plan::RunPlan const& plan, int threads, domain::Communicator* ranks)
        : bonded(topology, plan, threads, plan::kindsThatWait(plan.dynamics.slow, false)),
          slowBonded(topology, plan, threads, plan::kindsThatWait(plan.dynamics.slow, true)),
          distances(topology, plan.distanceRestraints),
          field(topology, plan.electricField, threads),
          sites(topology, threads),
          motion(topology, plan.dynamics, threads, ranks),
          frozen(topology, plan.dynamics)
    {}
};

} // namespace alder::cpu
