#include "app/mdrun.hpp"

#include "app/commands/commands.hpp"
#include "app/footprint.hpp"
#include "app/minimization.hpp"
#include "app/run_names.hpp"
#include "app/run_outputs.hpp"
#include "app/run_start.hpp"
#include "app/spending/run_account.hpp"
#include "app/trajectories/coordinates.hpp"
#include "app/trajectories/rerun.hpp"
#include "couple/velocities.hpp"
#include "domain/packing/shared_run.hpp"
#include "loop/step_loop.hpp"
#include "plan/integrator_rules.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <random>
#include <span>
#include <vector>

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

/// Positions as given, velocities as given, generated or zero.
void prepareStart(deck::Deck& deck, plan::RunPlan const& plan)
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
}

void noteWhereNothingIsLeft(output::CheckpointRead const& restart, plan::DynamicsPlan const& dynamics)
{
    if (dynamics.steps < 0 || restart.content.state.step < dynamics.initStep + dynamics.steps) return;
    fmt::print(stderr, "note: {} is at step {}, and the run ends at step {}: no steps are left; more with a larger -nsteps\n", restart.path,
               restart.content.state.step, dynamics.initStep + dynamics.steps);
}

/// The first positions of a run, once constraints hold.
void constrainStart(RunStart const& start, engine::Backend& backend)
{
    std::vector<math::Vec3d> none;
    backend.adopt(start.deck.state);
    backend.constrainStart();
    backend.collect({true, true, false}, start.deck.state, none);
}

/// What ranks have sent since `before`, a step.
output::Exchange exchangeSince(domain::Traffic const& before, loop::Outcome const& outcome, Ranks& ranks)
{
    output::Exchange exchange;
    exchange.ranks = ranks.size();
    std::int64_t const steps = outcome.lastStep - outcome.firstStep;
    if (ranks.size() == 1 || steps == 0) return exchange;
    domain::Traffic const sent = ranks.all().traffic() - before;
    std::array<std::int64_t, 2> all{sent.messages, sent.bytes}, most = all;
    ranks.all().sum(all);
    ranks.all().largest(most);
    auto const aStep = [&](std::int64_t count) { return static_cast<double>(count) / static_cast<double>(steps); };
    exchange.messages = aStep(all[0]);
    exchange.bytes = aStep(all[1]);
    exchange.mostMessages = aStep(most[0]);
    exchange.mostBytes = aStep(most[1]);
    exchange.reductions = aStep(sent.reductions);
    return exchange;
}

int runDynamics(RunStart const& start, std::optional<output::CheckpointRead> const& restart, bool goesOn, RunAccount& account)
{
    auto const& [options, stop, hardware, deck, plan, ranks] = start;
    std::optional<system::Topology> frictions; // of Brownian dynamics, which has no masses
    if (plan.dynamics.integrator == plan::Integrator::bd) frictions = plan::brownianTopology(deck.topology, plan.dynamics);
    RunToPlace const run{frictions ? *frictions : deck.topology, plan, deck.state.box};
    std::unique_ptr<engine::Backend> backend = makeBackend(hardware, run, {ranks, options.layout});
    if (!goesOn && plan.dynamics.constrainStart) constrainStart(start, *backend);

    std::optional<RunOutputs> outputs; // of rank 0; nobody else writes
    ranks.onFirst([&] { outputs.emplace(start, *backend, restart); });
    loop::LoopParts parts{plan, stop, {}, {}, 60.0 * options.checkpointMinutes, {}, options.timing, {}};
    Footprint footprint(hardware);
    parts.timingBegins = [&footprint] { footprint.timingBegins(); };
    if (outputs) parts.observers = outputs->observers();
    parts.saveCheckpoint = [&, &plan = plan, firstStep = deck.state.step](system::State& state) {
        if (outputs) outputs->saveCheckpoint(state);
        account.keptSteps(state.step - firstStep, plan.dynamics.dt);
    };
    if (ranks.size() > 1)
        parts.agree = [&ranks = ranks](std::span<std::int64_t> wishes) {
            ranks.all().largest(wishes);
            if (wishes[loop::LoopParts::stopWish] != 0) ranks.heedStop();
        };
    domain::Traffic const before = ranks.all().traffic();
    try {
        loop::Outcome const outcome = loop::StepLoop(*backend, parts).run(deck.state);
        RunFigures const figures{backend->clock(), footprint.total(ranks), exchangeSince(before, outcome, ranks)};
        backend.reset(); // lists and buffers are some 400 bytes an atom, and the last files are made without them
        ranks.onFirst([&, &deck = deck] { outputs->finish(outcome, deck.state, figures); });
        account.keptSteps(outcome.lastStep - outcome.firstStep, plan.dynamics.dt);
        account.stoppedBy(outcome.stoppedBy);
        return outcome.stoppedBy.empty() ? exitDone : exitStopped;
    } catch (base::RunFailed const& failed) {
        if (outputs) outputs->noteFailure(failed.what());
        throw;
    }
}

/// What rank 0 has read and decided.
struct Decided {
    deck::Deck deck;
    plan::RunPlan plan;
    std::optional<output::CheckpointRead> restart; ///< without its state, which has become the deck's
};

Decided readAndDecide(MdrunOptions const& options, Hardware& hardware, Ranks const& ranks)
{
    Decided decided;
    auto& [deck, plan, restart] = decided;
    requireWritable(options.name);
    deck = deck::readDeck(options.files, readCoordinates);
    printWarnings(deck.warnings);
    bool const minimizing = plan::minimizes(deck.options.integrator);
    if (minimizing && options.timing.windows > 0)
        base::refuseInput({options.files.mdp, 0}, "asks for a minimization, which has no speed to time in windows",
                          "leave -windows out, or set integrator = md");
    if (minimizing && options.goOn)
        fmt::print(stderr, "note: a minimization keeps no checkpoint; it starts from {}\n", options.files.coordinates);
    if (!minimizing) restart = readRestart(options, deck);
    drawSeeds(deck.options, restart);

    plan::RunRequest request;
    request.exactLists = options.exactLists;
    request.steps = options.steps;
    request.nstlist = options.nstlist;
    plan = plan::makePlan(deck.options, deck.topology, deck.state.box, request);
    printWarnings(plan.notes);
    settleHardware(hardware, {deck.topology, plan, deck.state.box}, ranks);
    if (restart) {
        noteWhereNothingIsLeft(*restart, plan.dynamics);
        deck.state = std::move(restart->content.state); // its step stays readable
    } else if (!minimizing) {
        prepareStart(deck, plan);
    }
    return decided;
}

int decideAndRun(MdrunOptions const& options, loop::StopRequest& stop, RunAccount& account, Ranks& ranks)
{
    Hardware hardware = chooseHardware(options.hardware, ranks);
    Decided decided;
    auto& [deck, plan, restart] = decided;
    ranks.onFirst([&] {
        decided = readAndDecide(options, hardware, ranks);
        account.admit(decided.deck, hardware, stop);
    });
    bool const minimizing = ranks.all().largest(ranks.first() && plan::minimizes(plan.dynamics.integrator) ? 1 : 0) != 0;
    // A minimizer's decisions are made of all positions and forces, by every rank for itself.
    domain::broadcast(ranks.all(), {deck.topology, plan, deck.state, deck.title},
                      minimizing ? domain::StateArrays::everywhere : domain::StateArrays::ofFirstRankAlone);
    bool const goesOn = ranks.all().largest(restart ? 1 : 0) != 0;
    RunStart const start{options, stop, hardware, deck, plan, ranks};
    return minimizing ? runMinimization(start) : runDynamics(start, restart, goesOn, account);
}

} // namespace

int runMdrun(MdrunOptions const& options, Ranks& ranks)
{
    loop::StopRequest stop(options.maxHours); // before the deck is read: a large one takes long enough to be stopped in
    ranks.mindStops([&stop] { return stop.mustEnd(); });
    RunAccount account(options);
    return account.keep(ranks, [&] {
        return options.rerun.empty() ? decideAndRun(options, stop, account, ranks) : runRerun(options, stop, account, ranks);
    });
}

} // namespace alder::app
