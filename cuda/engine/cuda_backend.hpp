#pragma once
// The GPU back end: the twin of cpu::CpuBackend over the same formulas, plans and rooms. State stays on the device; the host waits only where
// it asks for a number: at list builds, couplings and observations.

#include "bonded/bonded_forces.hpp"
#include "bonded/distance_restraints.hpp"
#include "bonded/electric_field.hpp"
#include "bonded/virtual_sites.hpp"
#include "device/buffers.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "engine/backend.hpp"
#include "engine/frame_copy.hpp"
#include "engine/health.hpp"
#include "engine/step_graphs.hpp"
#include "pairs/pair_forces.hpp"
#include "pme/pme_forces.hpp"
#include "pme/surface_term.hpp"
#include "update/motion.hpp"

#include <memory>
#include <string>
#include <vector>

namespace alder::cuda {

class CudaBackend final : public engine::Backend {
public:
    /// `topology` and `plan` must outlive the back end; the device is the one current in this thread.
    CudaBackend(system::Topology const& topology, plan::RunPlan const& plan, std::string deviceName);

    void adopt(system::State const& state) override;
    void buildLists() override;
    bool listIsStale() override;
    void forces(plan::StepPlan const& plan) override;
    /// The host waits.
    system::ForceSums const& sums() override;
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
    [[nodiscard]] std::string describe() const override { return deviceName_; }

private:
    void watchHealth();
    void adaptTo(physics::Box const& box);
    void beginList(std::int64_t step);
    void giveForces(plan::StepPlan const& plan);
    /// Where forces go that act every step, or that wait; without a place: nowhere, for they are not computed on this step.
    [[nodiscard]] ForceTarget targetOf(bool waiting, plan::StepPlan const& plan);
    void addPairs(plan::StepPlan const& plan);
    void addGrids(plan::StepPlan const& plan);
    void addBonded(plan::StepPlan const& plan);
    [[nodiscard]] bool slowActs(plan::StepPlan const& plan) const { return slow_.any() && plan.slowForces; }
    void addDispersionCorrection();
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

    plan::Schedule schedule_;
    Stream stream_, gridStream_;
    Event forcesClear_, pairsDone_, gridDone_;
    PairForces pairs_;
    plan::SlowForces slow_; ///< forces that wait, with multiple time steps
    BondedForces bonded_, slowBonded_;
    DistanceRestraints distances_;
    ElectricField field_;
    VirtualSites sites_;
    std::vector<std::unique_ptr<PmeForces>> grids_; ///< of charges and of dispersion
    std::unique_ptr<SurfaceTerm> surface_;          ///< null in conducting surroundings
    Motion motion_;
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

    bool graphsAllowed_;
    StepGraphs graphs_;
    std::int64_t quietStepsLeft_ = 0; ///< that the device has been given already
    std::int64_t lookedAt_ = 0;       ///< the step that the host last waited before
};

} // namespace alder::cuda
