#pragma once
// The order of a step, once, for every back end.

#include "engine/backend.hpp"
#include "loop/run_timer.hpp"
#include "loop/stop_request.hpp"
#include "observe/frame.hpp"
#include "plan/run_plan.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace alder::loop {

/// What the loop needs besides the back end.
struct LoopParts {
    plan::RunPlan const& plan;
    StopRequest const& stop;
    std::vector<observe::Observer*> observers;
    /// Saves the state; called on list steps only, from which a run goes on with the same bits. The state is lent, so that it need not be
    /// copied, and must come back as it was.
    std::function<void(system::State&)> saveCheckpoint;
    double checkpointSeconds = 900; ///< wall time between checkpoints; 0: at every list step
    /// Makes of each number the largest of all ranks', once a list step: what clocks and signals decide, all decide alike. Empty: one rank.
    std::function<void(std::span<std::int64_t>)> agree;
    static constexpr std::size_t stopWish = 0; ///< which of the numbers is StopRequest::code()
    TimingWish timing;
    std::function<void()> timingBegins; ///< called on every rank where the warm-up ends; empty: nobody wants to know
};

/// How a run ended.
struct Outcome {
    std::string stoppedBy; ///< empty where all steps were done
    std::int64_t firstStep = 0, lastStep = 0;
    std::int64_t checkpointStep = -1; ///< step of the last checkpoint; -1: none was written
    Timing timing;
    double wallSeconds = 0;
    std::int64_t listBuilds = 0, listPrunings = 0;
};

/// What a frame has besides its arrays.
struct FrameInfo {
    std::int64_t step = 0;
    double time = 0;
    physics::Box box;
};

class StepLoop {
public:
    StepLoop(engine::Backend& backend, LoopParts parts);
    /// Runs from state.step to the last step of the plan, or to the list step after a stop is asked for. On return `state` holds the
    /// last step's positions and the velocities half a step before.
    Outcome run(system::State& state);

private:
    void takeSteps(system::State& state, Outcome& outcome);
    /// False: the run ends before the step.
    bool startStep(plan::StepPlan& plan, system::State& state, Outcome& outcome);
    /// What clock and signals ask for at a list step.
    struct Asked {
        std::int64_t stopCode = 0;
        bool checkpoint = false;
        std::int64_t timing = 0; ///< what RunTimer takes
    };
    [[nodiscard]] Asked askAll(std::int64_t step, Outcome const& outcome);
    /// Whether the run ends here.
    bool meetListStep(std::int64_t step, system::State& state, Outcome& outcome);
    void saveCheckpoint(std::int64_t step, system::State& state, Outcome& outcome);
    [[nodiscard]] bool endsBeforeNextListStep(std::int64_t step) const;
    void startFrame(plan::StepPlan const& plan, system::State& state);
    void showStartedFrame(system::State& state);
    void showFrame(FrameInfo const& info, system::State& state);
    void dropArraysOf(system::State& state) const;
    void showEnergies(plan::StepPlan const& plan, observe::Energies& energies);
    void changeBox(observe::Energies const& energies, system::State& state);
    engine::Scaling couple(plan::StepPlan const& plan, system::State& state);
    void takeHeat(engine::AdvanceSums const& advanced, system::State& state) const;
    void showProgress(std::int64_t step, Outcome const& outcome);

    engine::Backend& backend_;
    LoopParts parts_;
    plan::Schedule schedule_;
    std::int64_t finalStep_;
    bool verlet_;               ///< velocity Verlet: kinetic energies are those of whole steps
    system::MotionSums before_; ///< kinetic energies of v(t - dt/2)
    bool beforeKnown_ = false;
    double started_ = 0, lastCheckpoint_ = 0, lastProgress_ = 0;
    RunTimer timer_;
    bool listFresh_ = false;
    std::vector<math::Vec3d> forces_;
    std::optional<FrameInfo> frameUnderWay_; ///< whose arrays are still on their way
};

} // namespace alder::loop
