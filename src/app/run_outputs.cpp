#include "app/run_outputs.hpp"

#include "app/run_summary.hpp"
#include "app/whole_molecules.hpp"
#include "output/gro_writer.hpp"
#include "output/json_reports.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace alder::app {

RunOutputs::RunOutputs(RunStart const& start, engine::Backend const& backend, std::optional<output::CheckpointRead> const& restart)
    : names_(start.options.name),
      deck_(start.deck),
      plan_(start.plan),
      machine_(thisMachine(start.hardware)),
      record_(makeRunRecord(start, backend)),
      columns_(deck_.topology, plan_),
      averages_(columns_)
{
    output::H5mdInfo info;
    info.atoms = deck_.topology.atomCount;
    info.creatorVersion = record_.version;
    info.velocities = plan_.output.velocities;
    info.forces = plan_.output.forces;
    info.energies = columns_;
    info.describeAtoms(deck_.topology);
    if (restart) {
        goOnWith(*restart, info);
    } else {
        trajectory_ = output::H5mdWriter::create(names_.trajectory, info); // first: it refuses where another run holds the name
        moveOlderRunAside(names_);
        log_ = output::LogWriter::create(names_.log, columns_);
    }
    log_->writeHeader(record_);
    trajectory_->onFrameOnDisk([this](std::int64_t step) { log_->frameOnDisk(step); });
}

void RunOutputs::goOnWith(output::CheckpointRead const& restart, output::H5mdInfo const& info)
{
    output::CheckpointContent const& content = restart.content;
    averages_ = observe::EnergyAverages(columns_, content.averages);
    trajectory_ = output::H5mdWriter::openForAppend(names_.trajectory, info, {content.state.step, content.frames, content.energyFrames});
    log_ = output::LogWriter::openForAppend(names_.log, columns_, content.logBytes);
    log_->writeLine(fmt::format("\nGoing on from step {} ({})", content.state.step, restart.path));
    std::string const note = output::bitsChangeNote(content, machine_, restartFacts(plan_));
    if (note.empty()) return;
    fmt::print(stderr, "note: {}\n", note);
    log_->writeLine(note);
}

void RunOutputs::saveCheckpoint(system::State& state)
{
    trajectory_->sync();
    log_->sync();
    output::CheckpointContent content;
    std::int64_t const step = state.step;
    content.state = std::move(state);
    content.time = plan_.dynamics.tinit + static_cast<double>(step) * plan_.dynamics.dt;
    content.inputHash = deck_.inputHash;
    content.machine = machine_;
    content.seed = plan_.dynamics.seed;
    content.facts = restartFacts(plan_);
    content.frames = trajectory_->frames();
    content.energyFrames = trajectory_->energyFrames();
    content.logBytes = log_->bytes();
    content.files = record_.files;
    content.averages = averages_.memory();
    output::writeCheckpoint(names_.checkpoint, content);
    state = std::move(content.state);
}

void RunOutputs::finish(loop::Outcome const& outcome, system::State const& state, RunFigures const& figures)
{
    progress_.finish();
    trajectory_->finish();
    writeConfiguration(state);
    output::Performance const performance = performanceOf(outcome, figures);
    output::RunEnd end;
    end.how = outcome.stoppedBy.empty() ? "done" : "stopped early: " + outcome.stoppedBy + "; go on with -cpi";
    end.step = state.step;
    end.stateSha256 = stateDigest(state);
    log_->writeAverages(averages_);
    log_->writePerformance(performance);
    log_->writeLine(fmt::format("Ended at step {}: {}", end.step, end.how));
    log_->writeLine(fmt::format("State at step {}: SHA-256 {}", end.step, end.stateSha256));
    log_->sync();
    output::writeRunJson(names_.json, record_, performance, averages_, end);
    printSummary({names_, averages_, performance, end, outcome.checkpointStep});
}

output::Performance RunOutputs::performanceOf(loop::Outcome const& outcome, RunFigures const& figures) const
{
    loop::Timing const& timing = outcome.timing;
    output::Performance performance;
    performance.dt = plan_.dynamics.dt;
    performance.steps = outcome.lastStep - outcome.firstStep;
    performance.timedSteps = timing.steps;
    performance.timedSeconds = timing.seconds;
    performance.wallSeconds = outcome.wallSeconds;
    performance.listBuilds = outcome.listBuilds;
    performance.listPrunings = outcome.listPrunings;
    performance.clock = figures.clock;
    performance.exchange = figures.exchange;
    for (loop::Stretch const& window : timing.windows) performance.windows.push_back({window.steps, window.seconds});
    if (timing.windows.empty() && timing.steps > 0 && !timing.steady) performance.windows = {{timing.steps, timing.seconds}};
    performance.steady = timing.steady;
    for (std::size_t i = 1; i < timing.milestones.size(); ++i) {
        loop::Timing::Milestone const &from = timing.milestones[i - 1], &to = timing.milestones[i];
        performance.rates.push_back({to.step, performance.rateOf({to.step - from.step, to.seconds - from.seconds})});
    }
    auto const atoms = static_cast<double>(deck_.topology.atomCount);
    if (auto const drift = conserved_.drift()) performance.drift = {drift->slope / atoms, drift->standardError / atoms};
    performance.began = figures.footprint.began;
    performance.hostMemory = figures.footprint.hostMemory;
    performance.deviceMemory = figures.footprint.deviceMemory;
    performance.power = figures.footprint.power;
    return performance;
}

void RunOutputs::noteFailure(std::string const& reason)
{
    progress_.finish();
    try {
        log_->writeLine(fmt::format("\nFailed: {}", reason));
        output::writeRunJson(names_.json, record_, {}, averages_, {"failed: " + reason, 0, {}});
    } catch (base::RunFailed const&) {
        return;
    }
}

void RunOutputs::writeConfiguration(system::State const& state)
{
    std::vector<math::Vec3d> const positions = wholeMolecules(deck_.topology, state);
    output::GroFrame frame;
    frame.title = deck_.title;
    frame.time = plan_.dynamics.tinit + static_cast<double>(state.step) * plan_.dynamics.dt;
    frame.box = state.box;
    frame.positions = positions;
    frame.velocities = state.velocities;
    output::writeGro(names_.configuration, deck_.topology, frame);
}

} // namespace alder::app
