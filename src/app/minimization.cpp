#include "app/minimization.hpp"

#include "app/commands/commands.hpp"
#include "app/run_facts.hpp"
#include "app/run_names.hpp"
#include "app/whole_molecules.hpp"
#include "base/clock.hpp"
#include "loop/minimization.hpp"
#include "output/gro_writer.hpp"
#include "output/json_reports.hpp"
#include "output/log_writer.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <unistd.h>
#include <vector>

namespace alder::app {

namespace {

char const* textOf(loop::MinimizationEnd end)
{
    switch (end) {
    case loop::MinimizationEnd::converged: return "converged: the largest force is below emtol";
    case loop::MinimizationEnd::machinePrecision: return "converged to machine precision: steps have become too small to change the energy";
    case loop::MinimizationEnd::stepLimit: return "all steps were done before the largest force fell below emtol";
    case loop::MinimizationEnd::asked: return "stopped early, as asked (go on from the configuration below)";
    }
    return "";
}

char const* nameOf(plan::Integrator integrator)
{
    switch (integrator) {
    case plan::Integrator::cg: return "Conjugate gradients";
    case plan::Integrator::lbfgs: return "L-BFGS";
    default: return "Steepest descent";
    }
}

void writeConfiguration(RunNames const& names, deck::Deck const& deck)
{
    std::vector<math::Vec3d> const positions = wholeMolecules(deck.topology, deck.state);
    output::GroFrame frame;
    frame.title = deck.title;
    frame.box = deck.state.box;
    frame.positions = positions;
    frame.decimals = 6; // a minimum is lost in three decimals: 0.0005 nm moves a bond's force by some 200 kJ/mol/nm
    output::writeGro(names.configuration, deck.topology, frame);
}

void writeReport(RunStart const& start, output::RunRecord const& record, output::Performance const& performance, output::RunEnd const& end)
{
    observe::EnergyAverages const none{observe::EnergyColumns(start.deck.topology, start.plan)};
    output::writeRunJson(RunNames(start.options.name).json, record, performance, none, end);
}

/// The log of a minimization: one line for each step that was kept.
std::unique_ptr<output::LogWriter> beginLog(RunStart const& start, output::RunRecord const& record)
{
    RunNames const names(start.options.name);
    auto log = output::LogWriter::create(names.log, observe::EnergyColumns(start.deck.topology, start.plan));
    moveOlderRunAside(names);
    log->writeHeader(record);
    log->writeLine(fmt::format("{:>10} {:>12} {:>20} {:>14} {:>10}", "Step", "Size (nm)", "Potential", "Fmax", "Atom"));
    return log;
}

/// All that a minimization leaves, and what it prints.
void writeResult(RunStart const& start, output::RunRecord const& record, output::LogWriter& log, loop::MinimizationResult const& result,
                 output::Performance const& performance)
{
    RunNames const names(start.options.name);
    writeConfiguration(names, start.deck);
    std::string const summary =
        fmt::format("{} {} after {} steps ({} energies)\n  potential      {:.10g} kJ/mol\n  largest force  {:.6g} kJ/mol/nm on atom {}",
                    nameOf(start.plan.dynamics.integrator), textOf(result.end), result.steps, result.evaluations, result.potential,
                    result.largestForce, result.atom + 1);
    log.writeLine(summary);
    log.sync();
    writeReport(start, record, performance, {textOf(result.end), start.deck.state.step, stateDigest(start.deck.state)});
    fmt::print("{}\n  configuration  {}\n  log            {}\n  report         {}\n", summary, names.configuration, names.log, names.json);
}

} // namespace

int runMinimization(RunStart const& start)
{
    auto const& [options, stop, hardware, deck, plan, ranks] = start;
    double const began = base::now();
    RunNames const names(options.name);
    RunToPlace const run{deck.topology, plan, deck.state.box};
    std::unique_ptr<engine::Backend> const backend = makeBackend(hardware, run, {ranks, options.layout});
    constraints::ForceProjection constraints(deck.topology, plan.dynamics.frozenAxes);
    output::RunRecord record;
    std::unique_ptr<output::LogWriter> log; // of rank 0; the others compute the same and are silent
    ranks.onFirst([&] {
        record = makeRunRecord(start, *backend);
        std::erase_if(record.files, [](auto const& file) { return file.first == "trajectory" || file.first == "checkpoint"; });
        log = beginLog(start, record);
    });

    bool const terminal = ranks.first() && isatty(STDERR_FILENO) != 0;
    auto const watch = [&, &stop = stop, &ranks = ranks](loop::MinimizationStep const& step) {
        if (log && step.accepted)
            log->writeLine(fmt::format("{:>10} {:>12.4e} {:>20.10e} {:>14.6e} {:>10}", step.step, step.stepSize, step.potential,
                                       step.largestForce, step.atom + 1));
        if (terminal)
            fmt::print(stderr, "\rstep {}, potential {:.6e} kJ/mol, Fmax {:.4e} kJ/mol/nm   ", step.step, step.potential,
                       step.largestForce);
        return !ranks.agreedStop(stop.code());
    };
    loop::MinimizationResult result;
    try {
        result = loop::minimize(*backend, plan.dynamics, constraints, deck.state, watch);
    } catch (base::RunFailed const& failed) {
        if (log) log->writeLine(fmt::format("\nFailed: {}", failed.what()));
        if (log) writeReport(start, record, {}, {fmt::format("failed: {}", failed.what()), 0, {}});
        throw;
    }
    if (terminal) fmt::print(stderr, "\n");
    output::Performance performance;
    performance.steps = result.steps;
    performance.wallSeconds = base::now() - began;
    ranks.onFirst([&] { writeResult(start, record, *log, result, performance); });
    return result.end == loop::MinimizationEnd::asked ? exitStopped : exitDone;
}

} // namespace alder::app
