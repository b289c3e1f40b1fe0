#pragma once
// Steps of stochastic and Brownian dynamics (physics/langevin.hpp), in passes over all atoms with the constraints between them. Noise is
// drawn by seed, step and atom, so it is the same on any number of threads and after any restart.

#include "couple/group_noise.hpp"
#include "cpu/update/constraint_solver.hpp"
#include "cpu/update/leap_frog_step.hpp"
#include "engine/backend.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::cpu {

class StochasticStep {
public:
    /// `inverseMass` by atom, 1/amu; in Brownian dynamics the topology's masses are friction times dt / 2. All three must outlive this.
    StochasticStep(system::Topology const& topology, ConstraintSolver& solver, std::vector<double> const& inverseMass,
                   plan::DynamicsPlan const& dynamics, int threads);

    /// The heat that another has not handed over yet, of other atoms of the same system, is this one's to hand over.
    void goOnFrom(StochasticStep const& before) { heat_ = before.heat_; }
    /// One step; fills out.constraintVirial, and out.heat where plan.kinetic; returns the first atom for which something is off.
    Blame run(LeapFrogPass const& pass, plan::StepPlan const& plan, engine::AdvanceSums& out);

private:
    Blame kick(LeapFrogPass const& pass, std::int64_t step);
    void takeConstraintsIntoVelocities(LeapFrogPass const& pass);
    void addImpulses(LeapFrogPass const& pass, std::int64_t step);
    Blame commit(LeapFrogPass const& pass, double velocityPart);
    [[nodiscard]] std::size_t groupOf(std::size_t atom) const
    {
        return static_cast<std::size_t>(topology_.temperatureGroups.of(static_cast<std::int64_t>(atom)));
    }

    system::Topology const& topology_;
    ConstraintSolver& solver_;
    std::vector<double> const& inverseMass_;
    plan::DynamicsPlan dynamics_;
    int threads_ = 1;
    bool brownian_ = false;
    std::vector<double> inverseRootMass_;
    std::vector<couple::GroupNoise> noise_; ///< by temperature group, of the present step
    std::vector<math::Vec3d> displacement_; ///< nm
    std::vector<math::Vec3d> undisturbed_;  ///< velocities before friction and noise, nm/ps
    std::vector<math::FixedSum> heat_;      ///< by temperature group, since it was last handed over
};

} // namespace alder::cpu
