#pragma once
// Moves atoms on the GPU: leap-frog with constraints, removal of the drift of the centre of mass, kinetic energies. The operations are those
// of the CPU, in double, so that equal forces, positions and velocities give the same bits.

#include "couple/group_noise.hpp"
#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/stream.hpp"
#include "domain/communicator.hpp"
#include "engine/backend.hpp"
#include "engine/group_factors.hpp"
#include "plan/run_plan.hpp"
#include "system/sums.hpp"
#include "system/topology.hpp"
#include "update/blame_board.hpp"
#include "update/couplings/collisions.hpp"
#include "update/couplings/thermostats.hpp"
#include "update/frozen_atoms.hpp"
#include "update/leap_frog_step.hpp"
#include "update/moved_atoms.hpp"
#include "update/update_tables.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace alder::cuda {

/// Where velocity Verlet has arrived: new positions and their forces, velocities half a step before.
struct Arrival {
    Moving moving;
    physics::Box box;
    bool first = false; ///< no step led here: velocities are those of this very step
};

class Motion {
public:
    /// The topology must outlive this, and so must the stream and the ranks (null: one). Throws base::RunFailed where constraints cannot
    /// exist. Sums are those of the topology's own atoms, but for the drift, which is the whole system's: for it the host waits.
    Motion(system::Topology const& topology, plan::DynamicsPlan const& dynamics, Stream& stream, domain::Communicator* ranks = nullptr);

    /// From now on the thermostats of the plan, if it has any that go by kinetic energies, act here: advance() makes its factors on steps
    /// that couple, and no scaling is given to it.
    void coupleHere();
    [[nodiscard]] bool couples() const { return thermostats_ != nullptr; }
    void adopt(system::CouplingState const& coupling);
    /// What thermostats remember by now. The host waits, but where the last call here has waited for sums already.
    void giveCoupling(system::CouplingState& coupling);

    /// Takes over what another has summed and not handed over yet.
    void goOnFrom(Motion const& before);

    /// One step of the integrator. The host waits, and looks for blame, only where sums are asked for: out.motion and out.heat are filled
    /// where plan.kinetic, out.constraintVirial where plan.virial(), and only then are they worth reading.
    void advance(Moving const& moving, physics::Box const& box, plan::StepPlan const& plan, engine::Scaling const& scaling,
                 engine::AdvanceSums& out);

    /// Velocity Verlet's second half kick, and velocities along constraints taken out; sums as in advance().
    void arrive(Arrival const& at, plan::StepPlan const& plan, engine::AdvanceSums& out);

    /// What constraints do to the virial in a leap-frog step by these forces, which is not taken. The host waits.
    [[nodiscard]] math::FixedTensor constraintVirial(Moving const& moving, physics::Box const& box);

    /// Kinetic energies by temperature group, and momentum. The host waits.
    [[nodiscard]] system::MotionSums motion(View<math::Vec3d const> velocities);

    /// Satisfies constraints: first the positions, then velocities v(-dt/2) such that the step back satisfies them too. Velocities may be
    /// left out. The host waits; throws base::RunFailed naming atoms where constraints cannot be satisfied.
    void constrainStart(Moving const& moving, physics::Box const& box);

    /// Takes away what velocities a start has along frozen axes.
    void stopFrozen(View<math::Vec3d> velocities);

    /// Multiplies velocities, as columns: what a barostat does at the end of a step.
    void changeVelocities(View<math::Vec3d> velocities, math::Mat3d const& factor);

    /// Throws base::RunFailed naming step, atom and size where in any step so far a force was not finite or a displacement beyond reason;
    /// positions and velocities since then are worthless. The host waits. To be called before anything of the atoms is shown or kept.
    void requireHealthy();
    /// What requireHealthy() looks at, and what it says of it where the host has it.
    [[nodiscard]] View<BlameKey const> flag() const { return first_.constView(); }
    void judge(BlameKey key);
    /// Nothing was wrong before this step: blame is told from here on by the steps since. Launches of two runs of steps that begin after the
    /// same number of steps from here are then the same.
    void countFrom(std::int64_t step) { firstStep_ = step; }
    /// The same for the temperatures of thermostats, at the times (ps) of the steps from this one on.
    void coupleFrom(std::int64_t step, std::vector<double> const& times);
    /// Puts what a step reads besides its launches' arguments where it reads it, so that there is nothing to send with steps that are
    /// recorded, nor before their graph runs again.
    void prepare(physics::Box const& box, std::int64_t step, engine::Scaling const& scaling);
    /// Whether prepare() for one step is good for all others that do not stand out, with the same box and scaling.
    [[nodiscard]] bool steady() const;
    /// A step that does what its neighbors do not: all atoms collide.
    [[nodiscard]] bool standsOut(std::int64_t step) const;

private:
    [[nodiscard]] StepConstants constantsOf(physics::Box const& box, std::int64_t step);
    [[nodiscard]] bool noisy() const;
    void setFactors(engine::GroupFactors factors);
    void setNoise(std::vector<couple::GroupNoise> noise);
    bool prepareCollisions(std::int64_t step);
    void takeDriftOut(View<math::Vec3d> velocities);
    [[nodiscard]] FactorViews factorsOf(Moving const& moving, plan::StepPlan const& plan, StepConstants const& step);
    void takeStep(Moving const& moving, FactorViews const& factors, StepConstants const& step, VirialWords virial);
    void sumsOf(Moving const& moving, plan::StepPlan const& plan, engine::AdvanceSums& out);
    [[nodiscard]] Moving felt(Moving const& moving);
    [[nodiscard]] VirialWords virialWords() { return sums_.view().from(motionWords_); }
    void fetch(plan::StepPlan const& plan, engine::AdvanceSums& out);
    void clearBlame();
    [[nodiscard]] BlameBoard board() { return {first_.view(), slots_.view()}; }
    [[nodiscard]] engine::Blame blameOf(BlameKey key);

    system::Topology const& topology_;
    plan::DynamicsPlan dynamics_;
    Stream& stream_;
    domain::Communicator* ranks_; ///< null: one
    std::size_t groupCount_ = 1, motionWords_ = 0;
    UpdateTables tables_;
    FrozenAtoms frozen_;
    DeviceValue<StepSetting> setting_;
    engine::GroupFactors factors_; ///< as they are on the device
    DeviceBuffer<double> lambda_, kick_;
    DeviceBuffer<std::int64_t> sums_, drift_; ///< motion, then the constraint virial; momentum for removing it
    std::vector<couple::GroupNoise> noise_;   ///< as it is on the device
    DeviceBuffer<couple::GroupNoise> noiseOnDevice_;
    std::vector<couple::Collisions> collisions_; ///< as they are on the device
    DeviceBuffer<couple::Collisions> collisionsOnDevice_;
    DeviceBuffer<std::int64_t> heat_; ///< by temperature group, since it was last handed over
    DeviceBuffer<BlameKey> first_;
    DeviceBuffer<BlameSlot> slots_;
    PinnedBuffer<std::int64_t> fetchedSums_, fetchedHeat_;
    PinnedBuffer<BlameKey> fetchedFirst_;
    std::int64_t firstStep_ = 0;               ///< what blame orders count from
    std::unique_ptr<Thermostats> thermostats_; ///< null where the host couples, or nobody
    std::int64_t coupledFrom_ = 0;             ///< what their times count from
    bool memoryFetched_ = false;               ///< what they remember by now is on the host
};

} // namespace alder::cuda
