#pragma once
// Moves atoms: leap-frog, SETTLE, removal of the drift of the centre of mass, kinetic energies. One pass over memory a step.

#include "constraints/settle_set.hpp"
#include "engine/backend.hpp"
#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/sums.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace alder::cpu {

struct WaterLanes;

class Motion {
public:
    /// The topology must outlive this. Throws base::RunFailed where SETTLE's triangles cannot exist.
    Motion(system::Topology const& topology, plan::DynamicsPlan const& dynamics, int threads);

    /// One leap-frog step with constraints; forces in units of 2^-24 kJ/mol/nm. Fills out.motion where plan.kinetic and
    /// out.constraintVirial where plan.energies. Throws base::RunFailed where a force is not finite or a displacement is beyond
    /// reason, naming step, atom and size; positions and velocities are then worthless.
    void advance(std::vector<math::FractionVec>& positions, std::vector<math::Vec3d>& velocities, physics::Box const& box,
                 std::vector<math::ForceUnits> const& forces, plan::StepPlan const& plan, engine::Scaling const& scaling,
                 engine::AdvanceSums& out);

    /// Kinetic energies by temperature group, and momentum.
    [[nodiscard]] system::MotionSums motion(std::vector<math::Vec3d> const& velocities) const;

    /// Makes waters rigid: first the positions, then velocities v(-dt/2) such that the step back keeps them rigid. `velocities` may be
    /// empty.
    void constrainStart(std::vector<math::FractionVec>& positions, std::vector<math::Vec3d>& velocities, physics::Box const& box) const;

private:
    struct Blame;
    struct Tally;
    struct Pass;
    struct Placed {
        std::vector<math::FractionVec> const& positions;
        physics::Box const& box;
    };
    void advanceFree(Pass const& pass, Tally& tally, int thread) const;
    void advanceWaters(Pass const& pass, Tally& tally, int thread) const;
    void loadWater(Pass const& pass, constraints::WaterAtoms const& water, WaterLanes& lanes, std::size_t lane) const;
    static void storeWater(Pass const& pass, constraints::WaterAtoms const& water, WaterLanes const& lanes, std::size_t lane);
    static Blame blameOf(Pass const& pass, constraints::WaterAtoms const& water, WaterLanes const& lanes, std::size_t lane);
    void constrainVelocities(physics::WaterGeometry<double> const& geometry, constraints::WaterAtoms const& water, Placed placed,
                             std::vector<math::Vec3d>& velocities) const;
    void removeDrift(std::vector<math::Vec3d>& velocities) const;
    [[nodiscard]] std::string nameOf(std::int64_t atom) const;
    [[noreturn]] void fail(std::int64_t step, Blame const& blame) const;

    system::Topology const& topology_;
    plan::DynamicsPlan dynamics_;
    int threads_ = 1;
    constraints::SettleSet waters_;
    std::vector<std::int32_t> free_;     ///< atoms outside any water
    std::vector<double> mass_, inverse_; ///< amu, 1/amu; 0 for both where there is no mass
    double totalMass_ = 0;
    std::size_t groupCount_ = 1;
};

} // namespace alder::cpu
