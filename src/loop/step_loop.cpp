#include "loop/step_loop.hpp"

#include "base/error.hpp"
#include "couple/barostat.hpp"
#include "couple/thermostat.hpp"
#include "loop/energy_assembly.hpp"
#include "plan/option_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace alder::loop {

namespace {

std::int64_t lastStepOf(plan::DynamicsPlan const& dynamics)
{
    return dynamics.steps < 0 ? std::numeric_limits<std::int64_t>::max() : dynamics.initStep + dynamics.steps;
}

std::vector<math::Vec3f> single(std::vector<math::Vec3d> const& values)
{
    std::vector<math::Vec3f> out;
    out.reserve(values.size());
    for (math::Vec3d const v : values) out.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    return out;
}

} // namespace

StepLoop::StepLoop(engine::Backend& backend, LoopParts parts)
    : backend_(backend),
      parts_(std::move(parts)),
      schedule_(parts_.plan, backend.couplesTemperature() ? plan::CoupledBy::backend : plan::CoupledBy::loop),
      finalStep_(lastStepOf(parts_.plan.dynamics)),
      verlet_(parts_.plan.dynamics.integrator == plan::Integrator::mdVv),
      timer_(parts_.timing, {}, base::now)
{}

Outcome StepLoop::run(system::State& state)
{
    Outcome outcome;
    outcome.firstStep = state.step;
    started_ = lastCheckpoint_ = base::now();
    timer_ = RunTimer(parts_.timing, {state.step, finalStep_, parts_.plan.pairs.listInterval}, base::now);
    timer_.begin();
    backend_.adopt(state);
    dropArraysOf(state);
    try {
        takeSteps(state, outcome);
    } catch (base::RunFailed const&) {
        // A frame that was whole before a step failed is not lost with it.
        try {
            showStartedFrame(state);
        } catch (base::RunFailed const&) {
            frameUnderWay_.reset(); // it was not whole, and what failed first is said
        }
        throw;
    }
    outcome.lastStep = state.step;
    outcome.wallSeconds = base::now() - started_;
    outcome.timing = timer_.finish(state.step);
    return outcome;
}

void StepLoop::takeSteps(system::State& state, Outcome& outcome)
{
    for (std::int64_t step = state.step;; ++step) {
        plan::StepPlan plan = schedule_.at(step);
        state.step = step;
        if (!startStep(plan, state, outcome)) return;

        if (plan.prune || plan.buildList) ++outcome.listPrunings;
        backend_.forces(plan);
        showStartedFrame(state); // now that the back end has steps to do meanwhile
        observe::Energies energies;
        bool const wanted = plan.energyFrame || plan.logLine || plan.couplePressure;
        if (verlet_) {
            engine::AdvanceSums const& arrived = backend_.arrive(plan);
            state.wholeStep = false;
            if (plan.kinetic) before_ = arrived.motion;
            if (wanted) backend_.collectThermostats(state.coupling);
            if (wanted) energies = assembleEnergies(parts_.plan, {backend_.sums(), before_, before_, arrived.constraintVirial}, state);
        }
        if (plan.frame) startFrame(plan, state);
        if (plan.last) {
            showStartedFrame(state);
            backend_.collect({true, true, false}, state, forces_);
        }
        if (plan.virial() && !verlet_ && !beforeKnown_) before_ = backend_.motion();

        engine::Scaling const scaling = couple(plan, state);
        engine::AdvanceSums const& advanced = backend_.advance(plan, scaling);
        // Half of a step's heat belongs to the energies at its start, half to those at its end. Where energies are wanted, the step before
        // handed over all that came before this one; elsewhere the sum of many steps is taken at once, to the same bits: heat comes in
        // units of 2^-24 kJ/mol, whose halves a double adds without rounding.
        if ((wanted && !verlet_) || plan.last) backend_.collectThermostats(state.coupling);
        takeHeat(advanced, state);
        if (wanted && !verlet_)
            energies = assembleEnergies(parts_.plan, {backend_.sums(), before_, advanced.motion, advanced.constraintVirial}, state);
        takeHeat(advanced, state);
        if (plan.energyFrame || plan.logLine) showEnergies(plan, energies);
        if (plan.kinetic) before_ = advanced.motion;
        beforeKnown_ = plan.kinetic;
        if (plan.last) return;
        if (plan.couplePressure) changeBox(energies, state);
        showProgress(step, outcome);
    }
}

bool StepLoop::startStep(plan::StepPlan& plan, system::State& state, Outcome& outcome)
{
    // In exact mode a list dies of age, like any other, or of a displacement; either way no pair is missed, so no bit changes.
    if (parts_.plan.pairs.exactLists && !plan.buildList && listFresh_) plan.buildList = backend_.listIsStale();
    // The host waits for the last step where lists are built and the state is saved.
    if (schedule_.listStep(plan.step) || plan.buildList) showStartedFrame(state);
    if (schedule_.listStep(plan.step) && meetListStep(plan.step, state, outcome)) return false;
    if (plan.buildList || !listFresh_) {
        backend_.buildLists();
        plan.buildList = true;
        listFresh_ = true;
        ++outcome.listBuilds;
    }
    return true;
}

bool StepLoop::meetListStep(std::int64_t step, system::State& state, Outcome& outcome)
{
    Asked const asked = askAll(step, outcome);
    bool const timing = timer_.timing();
    timer_.take(asked.timing, step);
    outcome.stoppedBy = parts_.stop.reasonOf(asked.stopCode);
    bool const ends = !outcome.stoppedBy.empty() || timer_.ended();
    if (asked.checkpoint || ends || endsBeforeNextListStep(step)) {
        saveCheckpoint(step, state, outcome);
        if (!ends) dropArraysOf(state);
    }
    if (!timing && timer_.timing() && parts_.timingBegins) parts_.timingBegins();
    return ends;
}

/// A run that ends between list steps leaves its checkpoint at the list step before, so that going on repeats those few steps with
/// the lists they had, and with the same bits.
bool StepLoop::endsBeforeNextListStep(std::int64_t step) const
{
    return finalStep_ != std::numeric_limits<std::int64_t>::max() && finalStep_ - step < parts_.plan.pairs.listInterval;
}

StepLoop::Asked StepLoop::askAll(std::int64_t step, Outcome const& outcome)
{
    std::array<std::int64_t, 3> wishes{0, 0, timer_.due(step)};
    if (step > outcome.firstStep) {
        wishes[LoopParts::stopWish] = parts_.stop.code();
        wishes[1] = base::now() - lastCheckpoint_ >= parts_.checkpointSeconds ? 1 : 0;
    }
    if (parts_.agree) parts_.agree(wishes);
    return {wishes[LoopParts::stopWish], wishes[1] != 0, wishes[2]};
}

void StepLoop::saveCheckpoint(std::int64_t step, system::State& state, Outcome& outcome)
{
    base::Timed const timed(backend_.clock(), base::Part::checkpoint);
    backend_.collect({true, true, false}, state, forces_);
    backend_.collectThermostats(state.coupling);
    parts_.saveCheckpoint(state);
    outcome.checkpointStep = step;
    lastCheckpoint_ = base::now();
}

/// The back end holds positions and velocities; between observations the state does without, which saves 36 bytes an atom.
void StepLoop::dropArraysOf(system::State& state) const
{
    std::vector<math::FractionVec>().swap(state.positions);
    std::vector<math::Vec3d>().swap(state.velocities);
}

void StepLoop::takeHeat(engine::AdvanceSums const& advanced, system::State& state) const
{
    std::vector<double>& taken = state.coupling.thermostatIntegral;
    taken.resize(std::max(taken.size(), advanced.heat.size()), 0.0);
    for (std::size_t g = 0; g < advanced.heat.size(); ++g) taken[g] -= 0.5 * advanced.heat[g].value();
}

engine::Scaling StepLoop::couple(plan::StepPlan const& plan, system::State& state)
{
    if (!plan.couple || backend_.couplesTemperature()) return {};
    if (verlet_ && parts_.plan.dynamics.thermostat == plan::Thermostat::noseHoover)
        return {couple::chainFactors(parts_.plan.dynamics, before_, plan.step, state.coupling), {}};
    if (!verlet_ && !beforeKnown_ && !plan.virial()) before_ = backend_.motion();
    return {couple::thermostatFactors(parts_.plan.dynamics, before_, plan.step, state.coupling),
            couple::noseHooverDrags(parts_.plan.dynamics, before_, plan.step, state.coupling)};
}

/// The barostat acts at the end of a step: on the box of t, positions of t + dt and velocities of t + dt/2, by the pressure of t.
void StepLoop::changeBox(observe::Energies const& energies, system::State& state)
{
    couple::PressureNow const now{energies.step, energies.pressureTensor, energies.virial, kineticTensor(before_)};
    couple::BoxChange const change = couple::couplePressure(parts_.plan.dynamics, now, state.box, state.coupling);
    double const greatest = plan::greatestCutoff(change.box), cutoff = std::max(parts_.plan.pairs.rcoulomb, parts_.plan.pairs.rvdw);
    if (cutoff >= greatest)
        throw base::RunFailed(
            fmt::format("step {}: the barostat has shrunk the box ({:.4f} x {:.4f} x {:.4f} nm) until the cutoff of {} nm "
                        "no longer fits into it: start from a larger system, or shorten the cutoff",
                        energies.step, change.box.a().x, change.box.b().y, change.box.c().z, cutoff));
    backend_.changeBox(change.box, change.velocityFactor);
    state.box = change.box;
    beforeKnown_ = beforeKnown_ && !change.scalesVelocities;
}

/// A back end that need not stop for it goes on meanwhile; its frame is shown when the next steps are given to it.
void StepLoop::startFrame(plan::StepPlan const& plan, system::State& state)
{
    base::Timed const timed(backend_.clock(), base::Part::output);
    plan::OutputPlan const& output = parts_.plan.output;
    engine::Wanted const wanted{true, output.velocities, output.forces};
    FrameInfo const info{plan.step, parts_.plan.dynamics.tinit + static_cast<double>(plan.step) * parts_.plan.dynamics.dt, state.box};
    if (backend_.startCollect(wanted)) {
        frameUnderWay_ = info;
        return;
    }
    backend_.collect(wanted, state, forces_);
    showFrame(info, state);
}

void StepLoop::showStartedFrame(system::State& state)
{
    if (!frameUnderWay_) return;
    base::Timed const timed(backend_.clock(), base::Part::output);
    FrameInfo const info = *std::exchange(frameUnderWay_, std::nullopt);
    backend_.finishCollect(state, forces_);
    showFrame(info, state);
}

void StepLoop::showFrame(FrameInfo const& info, system::State& state)
{
    plan::OutputPlan const& output = parts_.plan.output;
    observe::Frame frame;
    frame.step = info.step;
    frame.time = info.time;
    frame.box = info.box;
    frame.positions.reserve(state.positions.size());
    for (math::FractionVec const f : state.positions) {
        math::Vec3d const r = info.box.toPosition(f);
        frame.positions.push_back({static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)});
    }
    if (output.velocities) frame.velocities = single(state.velocities);
    if (output.forces) frame.forces = single(forces_);
    dropArraysOf(state);
    std::vector<math::Vec3d>().swap(forces_);
    for (observe::Observer* observer : parts_.observers) observer->seeFrame(frame);
}

void StepLoop::showEnergies(plan::StepPlan const& plan, observe::Energies& energies)
{
    base::Timed const timed(backend_.clock(), base::Part::output);
    energies.energyFrame = plan.energyFrame;
    energies.logLine = plan.logLine;
    for (observe::Observer* observer : parts_.observers) observer->seeEnergies(energies);
}

void StepLoop::showProgress(std::int64_t step, Outcome const& outcome)
{
    constexpr double secondsBetween = 0.5;
    double const time = base::now();
    if (time - lastProgress_ < secondsBetween || step <= outcome.firstStep) return;
    lastProgress_ = time;
    Stretch const soFar = timer_.soFar(step);
    if (soFar.steps == 0) return;
    double const perStep = soFar.seconds / static_cast<double>(soFar.steps);
    observe::Progress progress;
    progress.step = step;
    progress.lastStep = finalStep_;
    progress.time = parts_.plan.dynamics.tinit + static_cast<double>(step) * parts_.plan.dynamics.dt;
    progress.nsPerDay = parts_.plan.dynamics.dt * 1e-3 / perStep * 86400.0;
    progress.secondsLeft = perStep * static_cast<double>(finalStep_ - step);
    for (observe::Observer* observer : parts_.observers) observer->seeProgress(progress);
}

} // namespace alder::loop
