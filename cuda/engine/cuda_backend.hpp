#pragma once
// The GPU back end: the twin of cpu::CpuBackend over the same formulas, plans and rooms. State stays on the device; the host waits only where
// it asks for a number: at list builds, couplings and observations. On several ranks it also waits for messages, twice a step and in the
// reciprocal sums.

#include "device/buffers.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "domain/decomposition.hpp"
#include "domain/run_layout.hpp"
#include "engine/backend.hpp"
#include "engine/device_times.hpp"
#include "engine/frame_copy.hpp"
#include "engine/health.hpp"
#include "engine/local_work.hpp"
#include "engine/step_graphs.hpp"
#include "halo/device_halo.hpp"
#include "pairs/pair_forces.hpp"
#include "pme/pme_forces.hpp"
#include "pme/surface_term.hpp"

#include <memory>
#include <string>
#include <vector>

namespace alder::cuda {

class CudaBackend final : public engine::Backend {
public:
    /// `topology`, `plan` and the layout's ranks must outlive the back end; the device is the one current in this thread. On several ranks
    /// every method is called by all of them, and what they return is the whole system's; adopt() reads the atoms of rank 0, and collect()
    /// hands them to it.
    CudaBackend(system::Topology const& topology, plan::RunPlan const& plan, std::string deviceName, domain::RunLayout const& layout = {});

    void adopt(system::State const& state) override;
    void buildLists() override;
    bool listIsStale() override;
    void forces(plan::StepPlan const& plan) override;
    /// The host waits.
    system::ForceSums const& sums() override;
    /// On one rank; the sums of several meet on the host anyway.
    [[nodiscard]] bool couplesTemperature() const override { return work_ && work_->motion.couples(); }
    /// The host waits, but where the last call has brought sums.
    void collectThermostats(system::CouplingState& coupling) override { work_->motion.giveCoupling(coupling); }
    /// The host waits.
    system::MotionSums motion() override;
    engine::AdvanceSums const& arrive(plan::StepPlan const& plan) override;
    engine::AdvanceSums const& advance(plan::StepPlan const& plan, engine::Scaling const& scaling) override;
    void changeBox(physics::Box const& box, math::Mat3d const& velocityFactor) override;
    /// The host waits.
    void collect(engine::Wanted wanted, system::State& state, std::vector<math::Vec3d>& forces) override;
    bool startCollect(engine::Wanted wanted) override;
    /// The host waits for what startCollect() has taken, not for what came after it.
    void finishCollect(system::State& state, std::vector<math::Vec3d>& forces) override;
    void constrainStart() override;
    double sitesOutOfPlace() override;
    base::Clock& clock() override { return clock_; }
    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] int pmeRanks() const override { return layout_.pmeRanks; }

private:
    /// Ranks share the run, and each has a part of the atoms.
    [[nodiscard]] bool shared() const { return domains_ != nullptr; }
    [[nodiscard]] domain::Communicator* ranks() const { return shared() ? &domains_->ranks() : nullptr; }
    void takeShare(domain::HomeAtoms atoms);
    void takeAtoms(std::vector<math::FractionVec> const& positions, std::vector<math::Vec3d> const& velocities);
    void redistribute();
    void freshenHalo();
    void returnForces(DeviceBuffer<std::int64_t>& forces);
    void startGrids(plan::StepPlan const& plan);
    void sumAdvanced(plan::StepPlan const& plan);
    void makeLocalWork(system::Topology const& topology);
    void watchHealth();
    void adaptTo(physics::Box const& box);
    void beginList(std::int64_t step);
    void giveForces(plan::StepPlan const& plan);
    /// Whether forces that wait, or don't, are computed on this step.
    [[nodiscard]] bool act(bool waiting, plan::StepPlan const& plan) const { return !slow_.any() || !waiting || plan.slowForces; }
    /// Where they go then.
    [[nodiscard]] ForceTarget targetOf(bool waiting, plan::StepPlan const& plan);
    void addPairs(plan::StepPlan const& plan);
    void addGrids(plan::StepPlan const& plan);
    void addBonded(plan::StepPlan const& plan);
    [[nodiscard]] bool slowActs(plan::StepPlan const& plan) const { return slow_.any() && plan.slowForces; }
    void addDispersionCorrection();
    void takeFrame(engine::Wanted wanted);
    void arriveAll(plan::StepPlan const& plan);
    void advanceAll(plan::StepPlan const& plan, engine::Scaling const& scaling);
    [[nodiscard]] std::int64_t quietStepsFrom(plan::StepPlan const& plan) const;
    void runQuietSteps(std::int64_t first, std::int64_t count);
    /// Throws RunFailed for whatever has gone wrong on the device since this was last asked. The host waits.
    void requireHealthy();
    /// What pairs see: all positions, or the sites where the deck put them.
    [[nodiscard]] View<math::FractionVec const> pairPositions() const
    {
        return given_.size() == 0 ? positions_.constView() : given_.constView();
    }
    [[nodiscard]] Moving movingBy(DeviceBuffer<std::int64_t> const& forces)
    {
        return {positions_.view(), velocities_.view(), forces.constView()};
    }

    plan::RunPlan const& plan_;
    std::string deviceName_;
    base::Clock clock_;
    DeviceTimes times_; ///< on one rank

    domain::RunLayout layout_;
    std::unique_ptr<domain::Decomposition> domains_; ///< null on one rank
    std::unique_ptr<domain::PmeTeam> team_;          ///< the same
    std::unique_ptr<DeviceHalo> halo_;               ///< the same
    std::unique_ptr<system::Topology> part_;         ///< of the atoms that are here; null on one rank
    bool haloFresh_ = false;                         ///< borrowed atoms are where they are now

    plan::Schedule schedule_;
    Stream stream_, gridStream_;
    Event forcesClear_, pairsDone_, gridDone_;
    PairForces pairs_;
    plan::SlowForces slow_; ///< forces that wait, with multiple time steps
    std::unique_ptr<LocalWork> work_;
    std::vector<std::unique_ptr<PmeForces>> grids_; ///< of charges and of dispersion
    std::unique_ptr<SurfaceTerm> surface_;          ///< null in conducting surroundings
    Health health_;
    FrameCopy frame_;

    physics::Box box_;
    bool wholeStep_ = false; ///< velocities are those of the present step: system::State::wholeStep
    DeviceBuffer<math::FractionVec> positions_;
    DeviceBuffer<math::FractionVec> given_; ///< positions with sites as given; empty where these are in place, or made to be
    DeviceBuffer<math::Vec3d> velocities_;
    DeviceBuffer<std::int64_t> forces_; ///< all that is known on this step, each once
    DeviceBuffer<std::int64_t>
        impulse_; ///< on steps of the slow forces: with these times their interval; empty without multiple time steps
    DeviceBuffer<std::int64_t> sumUnits_;
    PinnedBuffer<std::int64_t> fetchedSums_;
    system::ForceSums sums_;
    engine::AdvanceSums advanced_;
    bool sumsFetched_ = true;

    bool graphsAllowed_ = false;
    StepGraphs graphs_;
    std::int64_t quietStepsLeft_ = 0; ///< that the device has been given already
    std::int64_t lookedAt_ = 0;       ///< the step that the host last waited before
};

} // namespace alder::cuda
