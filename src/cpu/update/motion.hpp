#pragma once
// Moves atoms: leap-frog with constraints, removal of the drift of the centre of mass, kinetic energies.

#include "cpu/update/constraint_solver.hpp"
#include "cpu/update/leap_frog_step.hpp"
#include "cpu/update/stochastic_step.hpp"
#include "cpu/update/work_shares.hpp"
#include "domain/communicator.hpp"
#include "engine/backend.hpp"
#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/sums.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace alder::cpu {

/// Where velocity Verlet has arrived: new positions and their forces, velocities half a step before.
struct Arrival {
    std::vector<math::FractionVec> const& positions;
    std::vector<math::Vec3d>& velocities;
    physics::Box const& box;
    std::vector<math::ForceUnits> const& forces;
    bool first = false; ///< no step led here: velocities are those of this very step
};

class Motion {
public:
    /// The topology must outlive this; with a part of a system the ranks that have the others too, and every call is made by all of them.
    /// Throws base::RunFailed where constraints cannot exist.
    Motion(system::Topology const& topology, plan::DynamicsPlan const& dynamics, int threads, domain::Communicator* ranks = nullptr);
    /// Goes on from another that moved other atoms of the same system.
    void goOnFrom(Motion const& before);

    /// One leap-frog step with constraints; forces in units of 2^-24 kJ/mol/nm. Fills out.motion where plan.kinetic and
    /// out.constraintVirial where plan.virial(). Throws base::RunFailed where a force is not finite or a displacement is beyond
    /// reason, naming step, atom and size; positions and velocities are then worthless.
    void advance(std::vector<math::FractionVec>& positions, std::vector<math::Vec3d>& velocities, physics::Box const& box,
                 std::vector<math::ForceUnits> const& forces, plan::StepPlan const& plan, engine::Scaling const& scaling,
                 engine::AdvanceSums& out);

    /// Velocity Verlet's second half kick, and velocities along constraints taken out. Fills out.constraintVirial where plan.energies, and
    /// out.motion where plan.kinetic.
    void arrive(Arrival const& at, plan::StepPlan const& plan, engine::AdvanceSums& out);

    /// What constraints do to the virial in a leap-frog step by these forces, which is not taken.
    [[nodiscard]] math::FixedTensor constraintVirial(constraints::Placed const& at, std::vector<math::Vec3d> velocities,
                                                     std::vector<math::ForceUnits> const& forces);

    /// Kinetic energies by temperature group, and momentum, of the atoms that are here.
    [[nodiscard]] system::MotionSums motion(std::vector<math::Vec3d> const& velocities) const;

    /// Satisfies constraints: first the positions, then velocities v(-dt/2) such that the step back satisfies them too. `velocities` may
    /// be empty.
    void constrainStart(std::vector<math::FractionVec>& positions, std::vector<math::Vec3d>& velocities, physics::Box const& box);

    /// For integrators that move atoms in parts.
    [[nodiscard]] ConstraintSolver& constraintSolver() { return solver_; }

private:
    Blame advanceAll(LeapFrogPass const& pass, engine::AdvanceSums& out);
    void kick(std::vector<math::Vec3d>& velocities, std::vector<math::ForceUnits> const& forces, double time) const;
    void drawAnew(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::int64_t step,
                  std::vector<math::Vec3d>& velocities);
    void removeDrift(std::vector<math::Vec3d>& velocities) const;

    system::Topology const& topology_;
    plan::DynamicsPlan dynamics_;
    domain::Communicator* ranks_;
    int threads_ = 1;
    std::vector<double> mass_, inverse_; ///< amu, 1/amu; 0 for both where there is no mass
    double totalMass_ = 0;
    std::size_t groupCount_ = 1;
    ConstraintSolver solver_;
    LeapFrogStep step_;
    std::unique_ptr<StochasticStep> stochastic_; ///< of stochastic and Brownian dynamics; else null
    std::vector<ThreadShare> shares_;
};

} // namespace alder::cpu
