#pragma once
// One leap-frog step: a thread takes its free atoms, waters and groups of constraints from old positions and velocities to new ones, each
// atom touched once.

#include "cpu/update/constraint_solver.hpp"
#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "physics/leap_frog.hpp"
#include "system/topology.hpp"

#include <vector>

namespace alder::cpu {

struct WaterLanes;

/// What all threads share in one step.
struct LeapFrogPass {
    std::vector<math::FractionVec>& positions;
    std::vector<math::Vec3d>& velocities;
    std::vector<math::ForceUnits> const& forces;
    physics::Box const& box;
    physics::FractionSteps fractions;
    std::vector<double> lambda, kick; ///< by temperature group: physics::draggedLambda() and draggedKick()
    double squareLimit = 0;           ///< nm^2: no atom moves farther in a step of a run that makes sense
    bool virial = false;
};

/// What one thread adds up; a cache line of its own.
struct alignas(128) LeapFrogTally {
    Blame blame;
    math::FixedTensor constraintVirial;
};

class LeapFrogStep {
public:
    /// `inverseMass` by atom, 1/amu. All three must outlive this.
    LeapFrogStep(system::Topology const& topology, ConstraintSolver const& solver, std::vector<double> const& inverseMass, double dt);

    [[nodiscard]] std::int64_t freeAtomCount() const { return static_cast<std::int64_t>(freeAtoms_.size()); }
    /// One thread's share.
    void run(LeapFrogPass const& pass, LeapFrogTally& tally, ThreadShare const& share, constraints::GroupWork& work) const;

private:
    [[nodiscard]] math::Vec3d kickedVelocity(LeapFrogPass const& pass, std::size_t atom) const;
    void stepFree(LeapFrogPass const& pass, LeapFrogTally& tally, ItemRange range) const;
    void stepGroups(LeapFrogPass const& pass, LeapFrogTally& tally, ItemRange range, constraints::GroupWork& work) const;
    [[nodiscard]] Blame storeGroup(LeapFrogPass const& pass, constraints::ConstraintGroup group, constraints::GroupWork const& work) const;
    void stepWaters(LeapFrogPass const& pass, LeapFrogTally& tally, std::vector<ItemRange> const& blocks) const;
    void loadWater(LeapFrogPass const& pass, constraints::WaterAtoms const& water, WaterLanes& lanes, std::size_t lane) const;

    system::Topology const& topology_;
    ConstraintSolver const& solver_;
    std::vector<double> const& inverseMass_;
    double dt_ = 0;
    std::vector<std::int32_t> freeAtoms_;
};

} // namespace alder::cpu
