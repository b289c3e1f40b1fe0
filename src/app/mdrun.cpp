#include "app/mdrun.hpp"

#include "app/commands/commands.hpp"
#include "app/minimization.hpp"
#include "app/one_rank.hpp"
#include "app/run_facts.hpp"
#include "app/run_names.hpp"
#include "app/run_start.hpp"
#include "app/run_summary.hpp"
#include "app/trajectories/coordinates.hpp"
#include "app/trajectories/rerun.hpp"
#include "app/whole_molecules.hpp"
#include "couple/velocities.hpp"
#include "loop/step_loop.hpp"
#include "output/gro_writer.hpp"
#include "output/h5md_writer.hpp"
#include "output/json_reports.hpp"
#include "output/log_writer.hpp"
#include "output/progress_line.hpp"
#include "plan/integrator_rules.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <random>

namespace alder::app {

namespace {

/// Seeds that the deck leaves to chance are drawn once and then belong to the run: the log names them, the checkpoint keeps them.
void drawSeeds(plan::RunOptions& options, std::optional<output::CheckpointRead> const& restart)
{
    std::random_device device;
    auto const draw = [&] { return static_cast<std::int64_t>(device() & 0x7fffffffU); };
    if (options.ldSeed < 0) options.ldSeed = restart ? static_cast<std::int64_t>(restart->content.seed) : draw();
    if (options.genSeed < 0) options.genSeed = draw();
}

std::optional<output::CheckpointRead> readRestart(MdrunOptions const& options, deck::Deck const& deck)
{
    if (!options.goOn) return {};
    std::string const path = options.checkpoint.empty() ? RunNames(options.name).checkpoint : options.checkpoint;
    if (!std::filesystem::exists(path) && !std::filesystem::exists(output::previousCheckpoint(path))) {
        if (!options.checkpoint.empty()) base::refuseInput({path, 0}, "there is no such checkpoint", "leave -cpi out to start anew");
        fmt::print(stderr, "note: there is no {}: starting anew\n", path);
        return {};
    }
    output::CheckpointRead read = output::readCheckpoint(path);
    if (!read.note.empty()) fmt::print(stderr, "note: {}\n", read.note);
    if (!options.force) output::requireSameInput(read, deck.inputHash);
    if (read.content.state.positions.size() != deck.state.positions.size())
        base::refuseInput({read.path, 0},
                          fmt::format("holds {} atoms, the deck {}", read.content.state.positions.size(), deck.state.positions.size()),
                          "give the deck that the checkpoint was made with");
    return read;
}

/// Positions as given, velocities as given, generated or zero, and rigid molecules made rigid unless the deck says it continues a run.
void prepareStart(deck::Deck& deck, plan::RunPlan const& plan, engine::Backend& backend)
{
    system::State& state = deck.state;
    state.step = plan.dynamics.initStep;
    state.wholeStep = plan.dynamics.integrator == plan::Integrator::mdVv;
    state.coupling.thermostatIntegral.assign(plan.dynamics.groups.size(), 0.0);
    if (deck.options.genVel)
        state.velocities =
            couple::generateVelocities(deck.topology, deck.options.genTemp, static_cast<std::uint64_t>(deck.options.genSeed));
    if (state.velocities.empty()) state.velocities.assign(state.positions.size(), {});
    if (plan.dynamics.removeComm && plan.dynamics.constrainStart) couple::removeCentreOfMassMotion(deck.topology, state.velocities);
    if (!plan.dynamics.constrainStart) return;
    std::vector<math::Vec3d> none;
    backend.adopt(state);
    backend.constrainStart();
    backend.collect({true, true, false}, state, none);
}

/// Files and figures of one start of a run.
class Outputs {
public:
    Outputs(MdrunOptions const& options, deck::Deck const& deck, plan::RunPlan const& plan, Hardware const& hardware,
            std::optional<output::CheckpointRead> const& restart)
        : names_(options.name),
          deck_(deck),
          plan_(plan),
          machine_(thisMachine(hardware)),
          record_(makeRunRecord(options, deck, plan, hardware)),
          columns_(deck.topology, plan),
          averages_(columns_)
    {
        output::H5mdInfo info;
        info.atoms = deck.topology.atomCount;
        info.creatorVersion = record_.version;
        info.velocities = plan.output.velocities;
        info.forces = plan.output.forces;
        info.energies = columns_;
        info.describeAtoms(deck.topology);
        if (restart) {
            output::CheckpointContent const& content = restart->content;
            averages_ = observe::EnergyAverages(columns_, content.averages);
            trajectory_ =
                output::H5mdWriter::openForAppend(names_.trajectory, info, {content.state.step, content.frames, content.energyFrames});
            log_ = output::LogWriter::openForAppend(names_.log, columns_, content.logBytes);
            log_->writeLine(fmt::format("\nGoing on from step {} ({})", content.state.step, restart->path));
            if (std::string const note = output::bitsChangeNote(content, machine_, restartFacts(plan)); !note.empty()) {
                fmt::print(stderr, "note: {}\n", note);
                log_->writeLine(note);
            }
        } else {
            trajectory_ = output::H5mdWriter::create(names_.trajectory, info); // first: it refuses where another run holds the name
            moveOlderRunAside(names_);
            log_ = output::LogWriter::create(names_.log, columns_);
        }
        log_->writeHeader(record_);
        trajectory_->onFrameOnDisk([this](std::int64_t step) { log_->frameOnDisk(step); });
    }

    std::vector<observe::Observer*> observers() { return {trajectory_.get(), log_.get(), &averages_, &progress_}; }

    void saveCheckpoint(system::State& state)
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

    void finish(loop::Outcome const& outcome, system::State const& state, base::Clock const& clock)
    {
        progress_.finish();
        trajectory_->finish();
        writeConfiguration(state);
        output::Performance performance;
        performance.dt = plan_.dynamics.dt;
        performance.steps = outcome.lastStep - outcome.firstStep;
        performance.timedSteps = outcome.timedSteps;
        performance.timedSeconds = outcome.timedSeconds;
        performance.wallSeconds = outcome.wallSeconds;
        performance.listBuilds = outcome.listBuilds;
        performance.listPrunings = outcome.listPrunings;
        performance.clock = clock;
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

    /// For people and for programs; what ended the run is more than what keeps it from being written there.
    void noteFailure(std::string const& reason)
    {
        progress_.finish();
        try {
            log_->writeLine(fmt::format("\nFailed: {}", reason));
            output::writeRunJson(names_.json, record_, {}, averages_, {"failed: " + reason, 0, {}});
        } catch (base::RunFailed const&) {
            return;
        }
    }

private:
    void writeConfiguration(system::State const& state)
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

    RunNames names_;
    deck::Deck const& deck_;
    plan::RunPlan const& plan_;
    output::Machine machine_;
    output::RunRecord record_;
    observe::EnergyColumns columns_;
    observe::EnergyAverages averages_;
    output::ProgressLine progress_;
    std::unique_ptr<output::H5mdWriter> trajectory_;
    std::unique_ptr<output::LogWriter> log_;
};

void noteWhereNothingIsLeft(output::CheckpointRead const& restart, plan::DynamicsPlan const& dynamics)
{
    if (dynamics.steps < 0 || restart.content.state.step < dynamics.initStep + dynamics.steps) return;
    fmt::print(stderr, "note: {} is at step {}, and the run ends at step {}: no steps are left; more with a larger -nsteps\n", restart.path,
               restart.content.state.step, dynamics.initStep + dynamics.steps);
}

int runDynamics(RunStart const& start, std::optional<output::CheckpointRead>& restart)
{
    auto const& [options, stop, hardware, deck, plan] = start;
    std::optional<system::Topology> frictions; // of Brownian dynamics, which has no masses
    if (plan.dynamics.integrator == plan::Integrator::bd) frictions = plan::brownianTopology(deck.topology, plan.dynamics);
    std::unique_ptr<engine::Backend> backend = makeBackend(hardware, frictions ? *frictions : deck.topology, plan);
    if (restart) {
        noteWhereNothingIsLeft(*restart, plan.dynamics);
        deck.state = std::move(restart->content.state); // its step stays readable
    } else {
        prepareStart(deck, plan, *backend);
    }

    Outputs outputs(options, deck, plan, hardware, restart);
    loop::LoopParts parts{plan,
                          stop,
                          outputs.observers(),
                          [&](system::State& state) { outputs.saveCheckpoint(state); },
                          60.0 * options.checkpointMinutes,
                          options.resetHalfway};
    try {
        loop::Outcome const outcome = loop::StepLoop(*backend, parts).run(deck.state);
        base::Clock const clock = backend->clock();
        backend.reset(); // lists and buffers are some 400 bytes an atom, and the last files are made without them
        outputs.finish(outcome, deck.state, clock);
        return outcome.stoppedBy.empty() ? exitDone : exitStopped;
    } catch (base::RunFailed const& failed) {
        outputs.noteFailure(failed.what());
        throw;
    }
}

} // namespace

int runMdrun(MdrunOptions const& options)
{
    OneRank const world;
    if (world.refused()) return exitRefused;
    loop::StopRequest const stop(options.maxHours); // before the deck is read: a large one takes long enough to be stopped in
    requireWritable(options.name);
    if (!options.rerun.empty()) return runRerun(options, stop);
    Hardware hardware = chooseHardware(options.hardware);
    deck::Deck deck = deck::readDeck(options.files, readCoordinates);
    printWarnings(deck.warnings);
    bool const minimizing = plan::minimizes(deck.options.integrator);
    if (minimizing && options.goOn)
        fmt::print(stderr, "note: a minimization keeps no checkpoint; it starts from {}\n", options.files.coordinates);
    std::optional<output::CheckpointRead> restart = minimizing ? std::nullopt : readRestart(options, deck);
    drawSeeds(deck.options, restart);

    plan::RunRequest request;
    request.exactLists = options.exactLists;
    request.steps = options.steps;
    request.nstlist = options.nstlist;
    plan::RunPlan const plan = plan::makePlan(deck.options, deck.topology, deck.state.box, request);
    printWarnings(plan.notes);
    settleHardware(hardware, {deck.topology, plan, deck.state.box, request.purpose});
    RunStart const start{options, stop, hardware, deck, plan};
    return minimizing ? runMinimization(start) : runDynamics(start, restart);
}

} // namespace alder::app
