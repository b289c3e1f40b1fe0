#include "app/trajectories/rerun.hpp"

#include "app/commands/commands.hpp"
#include "app/run_facts.hpp"
#include "app/run_names.hpp"
#include "app/run_summary.hpp"
#include "app/single_point/single_point.hpp"
#include "app/trajectories/coordinates.hpp"
#include "loop/rerun.hpp"
#include "output/h5md_writer.hpp"
#include "output/json_reports.hpp"
#include "output/log_writer.hpp"
#include "plan/option_rules.hpp"
#include "plan/pairs/pair_plan.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace alder::app {

namespace {

plan::RunPlan planOf(deck::Deck const& deck, bool velocities)
{
    plan::RunRequest request;
    request.purpose = plan::Purpose::energy; // what is only dynamics is no matter here
    plan::RunPlan plan = plan::makePlan(deck.options, deck.topology, deck.state.box, request);
    plan.pairs.sitesAsGiven = false;
    plan.output.velocities = plan.output.velocities && velocities;
    return plan;
}

/// A back end for the box of each frame: another box may need coarser kernel coordinates, and no other frame may have a say in that.
class FrameBackend {
public:
    FrameBackend(deck::Deck const& deck, plan::RunPlan& plan, Hardware const& hardware) : deck_(deck), plan_(plan), hardware_(hardware) {}

    engine::Backend& forBox(physics::Box const& box)
    {
        int const bits = plan::finestLatticeBits(box);
        if (!backend_ || bits != plan_.pairs.latticeBits) {
            backend_.reset();
            plan_.pairs.latticeBits = bits;
            backend_ = makeBackend(hardware_, deck_.topology, plan_);
        }
        return *backend_;
    }

private:
    deck::Deck const& deck_;
    plan::RunPlan& plan_;
    Hardware const& hardware_;
    std::unique_ptr<engine::Backend> backend_;
};

/// What the deck and the first frame say of all others.
void requireFits(deck::Configuration const& frame, deck::Deck const& deck, std::int64_t index, bool velocities)
{
    base::FaultList faults;
    base::Place const place{frame.file, frame.boxLine};
    if (static_cast<std::int64_t>(frame.size()) != deck.topology.atomCount)
        faults.refuse(place, fmt::format("frame {} has {} atoms and the topology {}", index, frame.size(), deck.topology.atomCount),
                      "give the trajectory that belongs to it");
    if (frame.velocities.empty() == velocities)
        faults.refuse(place, fmt::format("frame {} has {} velocities, unlike the first", index, velocities ? "no" : ""),
                      "give velocities in all frames or in none");
    plan::checkCutoffInBox(deck.options, frame.box, place, faults);
    faults.throwIfAny();
}

/// Files and figures of a rerun.
class Outputs {
public:
    Outputs(MdrunOptions const& options, deck::Deck const& deck, plan::RunPlan const& plan, Hardware const& hardware, bool velocities)
        : names_(options.name),
          record_(makeRunRecord(options, deck, plan, hardware)),
          averages_(velocities ? observe::EnergyColumns(deck.topology, plan)
                               : observe::EnergyColumns::ofConfigurations(deck.topology, plan))
    {
        std::erase_if(record_.files, [](auto const& file) { return file.first == "checkpoint" || file.first == "final configuration"; });
        record_.files.emplace_back("rerun of", options.rerun);
        output::H5mdInfo info;
        info.atoms = deck.topology.atomCount;
        info.creatorVersion = record_.version;
        info.velocities = plan.output.velocities;
        info.forces = plan.output.forces;
        info.pressure = velocities;
        info.energies = averages_.columns();
        info.describeAtoms(deck.topology);
        trajectory_ = output::H5mdWriter::create(names_.trajectory, info); // first: it refuses where another run holds the name
        moveOlderRunAside(names_);
        log_ = output::LogWriter::create(names_.log, averages_.columns());
        log_->writeHeader(record_);
        trajectory_->onFrameOnDisk([this](std::int64_t step) { log_->frameOnDisk(step); });
    }

    std::vector<observe::Observer*> observers() { return {trajectory_.get(), log_.get(), &averages_}; }

    void finish(output::RunEnd const& end, std::int64_t frames, double seconds)
    {
        trajectory_->finish();
        output::Performance performance;
        performance.steps = performance.listBuilds = frames;
        performance.wallSeconds = seconds;
        log_->writeAverages(averages_);
        log_->writeLine(fmt::format("Rerun of {} frames: {}", frames, end.how));
        log_->sync();
        output::writeRunJson(names_.json, record_, performance, averages_, end);
        fmt::print("{} frames: {}\n", frames, end.how);
        printAverages(averages_);
        fmt::print("\n  trajectory  {}\n  log         {}\n  report      {}\n", names_.trajectory, names_.log, names_.json);
    }

    /// Log and report say what ended the rerun; what keeps them from being written is less than that.
    void noteFailure(std::string const& reason)
    {
        try {
            log_->writeLine(fmt::format("\nFailed: {}", reason));
            output::writeRunJson(names_.json, record_, {}, averages_, {"failed: " + reason, 0, {}});
        } catch (base::RunFailed const&) {
            return;
        }
    }

private:
    RunNames names_;
    output::RunRecord record_;
    observe::EnergyAverages averages_;
    std::unique_ptr<output::H5mdWriter> trajectory_;
    std::unique_ptr<output::LogWriter> log_;
};

system::State stateOf(TrajectoryPoint const& point)
{
    system::State state;
    state.step = point.step;
    state.box = point.configuration.box;
    state.positions.reserve(point.configuration.size());
    for (math::Vec3d const r : point.configuration.positions) state.positions.push_back(state.box.toFraction(r));
    state.velocities = point.configuration.velocities;
    state.velocities.resize(state.positions.size());
    return state;
}

} // namespace

int runRerun(MdrunOptions const& options, loop::StopRequest const& stop)
{
    double const began = base::now();
    Hardware hardware = chooseHardware(options.hardware);
    deck::Deck const deck = deck::readDeck(options.files, readCoordinates);
    printWarnings(deck.warnings);
    std::unique_ptr<FrameSource> const source = openFrames(options.rerun);
    std::optional<TrajectoryPoint> point = source->next();
    if (!point) base::refuseInput({options.rerun, 0}, "holds no frame", "give a trajectory with one at least");
    bool const velocities = !point->configuration.velocities.empty();
    plan::RunPlan plan = planOf(deck, velocities);
    printWarnings(plan.notes);
    requireFits(point->configuration, deck, 0, velocities);

    settleHardware(hardware, {deck.topology, plan, deck.state.box, plan::Purpose::energy});
    Outputs outputs(options, deck, plan, hardware, velocities);
    FrameBackend backend(deck, plan, hardware);
    std::int64_t frames = 0, last = 0;
    output::RunEnd end{"done", 0, {}};
    try {
        for (; point; point = source->next()) {
            requireFits(point->configuration, deck, frames, velocities);
            // Files keep steps in order; a trajectory of several runs has each run's anew.
            if (frames > 0) point->step = std::max(point->step, last + 1);
            system::State state = stateOf(*point);
            refuseBlownUp(loop::rerun(backend.forBox(state.box), plan, state, {point->time, velocities}, outputs.observers()));
            last = point->step;
            ++frames;
            if (end.how = stop.reason(); !end.how.empty()) break;
            end.how = "done";
        }
    } catch (std::exception const& failed) {
        outputs.noteFailure(fmt::format("frame {}: {}", frames, failed.what()));
        throw;
    }
    bool const done = end.how == "done";
    if (!done) end.how = "stopped early: " + end.how;
    end.step = last;
    outputs.finish(end, frames, base::now() - began);
    return done ? exitDone : exitStopped;
}

} // namespace alder::app
