#pragma once
// Files and figures of one start of a run, as rank 0 writes them.

#include "app/footprint.hpp"
#include "app/run_facts.hpp"
#include "app/run_names.hpp"
#include "app/run_start.hpp"
#include "loop/step_loop.hpp"
#include "observe/conserved_energy.hpp"
#include "output/h5md_writer.hpp"
#include "output/log_writer.hpp"
#include "output/progress_line.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace alder::app {

/// What all ranks know together of a run that has ended.
struct RunFigures {
    base::Clock clock; ///< of rank 0
    Footprint::Total footprint;
    output::Exchange exchange;
};

class RunOutputs {
public:
    /// `start` must outlive this. Goes on with the files of a run that is taken up again.
    RunOutputs(RunStart const& start, engine::Backend const& backend, std::optional<output::CheckpointRead> const& restart);

    std::vector<observe::Observer*> observers() { return {trajectory_.get(), log_.get(), &averages_, &conserved_, &progress_}; }
    void saveCheckpoint(system::State& state);
    void finish(loop::Outcome const& outcome, system::State const& state, RunFigures const& figures);
    /// For people and for programs; what ended the run is more than what keeps it from being written there.
    void noteFailure(std::string const& reason);

private:
    void goOnWith(output::CheckpointRead const& restart, output::H5mdInfo const& info);
    void writeConfiguration(system::State const& state);
    [[nodiscard]] output::Performance performanceOf(loop::Outcome const& outcome, RunFigures const& figures) const;

    RunNames names_;
    deck::Deck const& deck_;
    plan::RunPlan const& plan_;
    output::Machine machine_;
    output::RunRecord record_;
    observe::EnergyColumns columns_;
    observe::EnergyAverages averages_;
    observe::ConservedEnergy conserved_; ///< of this start
    output::ProgressLine progress_;
    std::unique_ptr<output::H5mdWriter> trajectory_;
    std::unique_ptr<output::LogWriter> log_;
};

} // namespace alder::app
