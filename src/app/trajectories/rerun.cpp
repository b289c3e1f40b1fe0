#include "app/trajectories/rerun.hpp"

#include "app/commands/commands.hpp"
#include "app/run_facts.hpp"
#include "app/run_names.hpp"
#include "app/run_summary.hpp"
#include "app/single_point/single_point.hpp"
#include "app/trajectories/coordinates.hpp"
#include "domain/packing/fields.hpp"
#include "domain/packing/shared_run.hpp"
#include "loop/rerun.hpp"
#include "output/h5md_writer.hpp"
#include "output/json_reports.hpp"
#include "output/log_writer.hpp"
#include "plan/option_rules.hpp"
#include "plan/pairs/pair_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

/// A frame on all ranks: rank 0 holds its atoms, the others know of it.
struct SharedFrame {
    bool given = false; ///< false: there are no more
    double time = 0;
    system::State state;
};

void share(Ranks& ranks, SharedFrame& frame)
{
    if (ranks.size() == 1) return;
    auto const visit = [&frame](auto& archive) { archive(frame.given, frame.time, frame.state.step, frame.state.box); };
    std::vector<std::byte> bytes;
    if (ranks.first()) {
        domain::Packer pack;
        visit(pack);
        bytes = pack.take();
    }
    ranks.all().broadcast(bytes);
    if (ranks.first()) return;
    domain::Unpacker unpack(bytes);
    visit(unpack);
}

/// A back end for the box of each frame: another box may need coarser kernel coordinates, and no other frame may have a say in that.
class FrameBackend {
public:
    /// `plan` is changed.
    FrameBackend(RunStart const& start, plan::RunPlan& plan) : start_(start), plan_(plan) {}

    engine::Backend& forBox(physics::Box const& box)
    {
        int const bits = plan::finestLatticeBits(box);
        if (!backend_ || bits != plan_.pairs.latticeBits) {
            backend_.reset();
            plan_.pairs.latticeBits = bits;
            backend_ = makeBackend(start_.hardware, {start_.deck.topology, plan_, box}, {start_.ranks, start_.options.layout});
        }
        return *backend_;
    }

private:
    RunStart const& start_;
    plan::RunPlan& plan_;
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
    Outputs(RunStart const& start, engine::Backend const& backend, bool velocities)
        : names_(start.options.name),
          record_(makeRunRecord(start, backend)),
          averages_(velocities ? observe::EnergyColumns(start.deck.topology, start.plan)
                               : observe::EnergyColumns::ofConfigurations(start.deck.topology, start.plan))
    {
        auto const& [options, stop, hardware, deck, plan, ranks] = start;
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

SharedFrame frameOf(TrajectoryPoint const& point)
{
    SharedFrame frame{true, point.time, {}};
    system::State& state = frame.state;
    state.step = point.step;
    state.box = point.configuration.box;
    state.positions.reserve(point.configuration.size());
    for (math::Vec3d const r : point.configuration.positions) state.positions.push_back(state.box.toFraction(r));
    state.velocities = point.configuration.velocities;
    state.velocities.resize(state.positions.size());
    return frame;
}

/// The frames of a trajectory that fit the deck, read by rank 0.
class Frames {
public:
    /// Reads the first.
    Frames(std::string const& file, deck::Deck const& deck) : deck_(deck), source_(openFrames(file)), point_(source_->next())
    {
        if (!point_) base::refuseInput({file, 0}, "holds no frame", "give a trajectory with one at least");
    }
    [[nodiscard]] bool velocities() const { return velocities_; }

    /// The first frame, or the one after the last.
    SharedFrame next()
    {
        if (count_ > 0) point_ = source_->next();
        if (!point_) return {};
        if (count_ == 0) velocities_ = !point_->configuration.velocities.empty();
        requireFits(point_->configuration, deck_, count_, velocities_);
        // Files keep steps in order; a trajectory of several runs has each run's anew.
        if (count_ > 0) point_->step = std::max(point_->step, last_ + 1);
        last_ = point_->step;
        ++count_;
        return frameOf(*point_);
    }

private:
    deck::Deck const& deck_;
    std::unique_ptr<FrameSource> source_;
    std::optional<TrajectoryPoint> point_;
    bool velocities_ = false; ///< of the first frame
    std::int64_t count_ = 0, last_ = 0;
};

/// Computes all frames, on all ranks; `frames` and `outputs` are rank 0's.
int computeFrames(RunStart const& start, plan::RunPlan& plan, Frames* frames, SharedFrame frame)
{
    auto const& [options, stop, hardware, deck, constPlan, ranks] = start;
    double const began = base::now();
    share(ranks, frame);
    FrameBackend backend(start, plan);
    engine::Backend const& firsts = backend.forBox(frame.state.box);
    std::optional<Outputs> outputs;
    ranks.onFirst([&] { outputs.emplace(start, firsts, frames->velocities()); });
    std::vector<observe::Observer*> const observers = outputs ? outputs->observers() : std::vector<observe::Observer*>{};
    std::int64_t count = 0;
    output::RunEnd end{"done", 0, {}};
    bool done = true;
    try {
        while (frame.given && done) {
            std::vector<math::Vec3d> const forces =
                loop::rerun(backend.forBox(frame.state.box), plan, frame.state, {frame.time}, observers);
            end.step = frame.state.step;
            ++count;
            if (std::int64_t const code = ranks.agreedStop(stop.code()); code != 0) {
                end.how = "stopped early: " + stop.reasonOf(code);
                done = false;
            }
            ranks.onFirst([&] {
                refuseBlownUp(forces);
                frame = done ? frames->next() : SharedFrame{};
            });
            share(ranks, frame);
        }
    } catch (std::exception const& failed) {
        if (outputs) outputs->noteFailure(fmt::format("frame {}: {}", count, failed.what()));
        throw;
    }
    ranks.onFirst([&] { outputs->finish(end, count, base::now() - began); });
    return done ? exitDone : exitStopped;
}

} // namespace

int runRerun(MdrunOptions const& options, loop::StopRequest& stop, RunAccount& account, Ranks& ranks)
{
    Hardware hardware = chooseHardware(options.hardware, ranks);
    deck::Deck deck;
    plan::RunPlan plan;
    std::optional<Frames> frames;
    SharedFrame frame;
    ranks.onFirst([&] {
        requireWritable(options.name);
        deck = deck::readDeck(options.files, readCoordinates);
        printWarnings(deck.warnings);
        frames.emplace(options.rerun, deck);
        frame = frames->next();
        plan = planOf(deck, frames->velocities());
        printWarnings(plan.notes);
        settleHardware(hardware, {deck.topology, plan, deck.state.box}, ranks);
        account.admit(deck, hardware, stop);
    });
    domain::broadcast(ranks.all(), {deck.topology, plan, deck.state, deck.title}, domain::StateArrays::ofFirstRankAlone);
    RunStart const start{options, stop, hardware, deck, plan, ranks};
    return computeFrames(start, plan, frames ? &*frames : nullptr, std::move(frame));
}

} // namespace alder::app
