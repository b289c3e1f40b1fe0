#include "app/minimization.hpp"

#include "app/commands/commands.hpp"
#include "app/run_facts.hpp"
#include "app/whole_molecules.hpp"
#include "base/clock.hpp"
#include "loop/steepest_descent.hpp"
#include "loop/stop_request.hpp"
#include "output/gro_writer.hpp"
#include "output/log_writer.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace alder::app {

namespace {

char const* textOf(loop::DescentEnd end)
{
    switch (end) {
    case loop::DescentEnd::converged: return "converged: the largest force is below emtol";
    case loop::DescentEnd::machinePrecision: return "converged to machine precision: steps have become too small to change the energy";
    case loop::DescentEnd::stepLimit: return "all steps were done before the largest force fell below emtol";
    case loop::DescentEnd::asked: return "stopped early, as asked";
    }
    return "";
}

void writeResult(RunNames const& names, deck::Deck const& deck)
{
    std::vector<math::Vec3d> const positions = wholeMolecules(deck.topology, deck.state);
    output::GroFrame frame;
    frame.title = deck.title;
    frame.box = deck.state.box;
    frame.positions = positions;
    frame.decimals = 6; // a minimum is lost in three decimals: 0.0005 nm moves a bond's force by some 200 kJ/mol/nm
    output::writeGro(names.configuration, deck.topology, frame);
}

} // namespace

int runMinimization(MdrunOptions const& options, deck::Deck& deck, plan::RunPlan const& plan, cpu::CpuChoice choice)
{
    RunNames const names(options.name);
    cpu::CpuBackend backend(deck.topology, plan, choice);
    constraints::SettleSet const waters(deck.topology);
    loop::StopRequest const stop(options.maxHours);
    auto const log = output::LogWriter::create(names.log, observe::EnergyColumns(deck.topology, plan));
    log->writeHeader(makeRunRecord(options, deck, plan, choice));
    log->writeLine(fmt::format("{:>10} {:>12} {:>20} {:>14} {:>10}", "Step", "Size (nm)", "Potential", "Fmax", "Atom"));

    bool const terminal = isatty(STDERR_FILENO) != 0;
    auto const watch = [&](loop::DescentStep const& step) {
        if (step.accepted)
            log->writeLine(fmt::format("{:>10} {:>12.4e} {:>20.10e} {:>14.6e} {:>10}", step.step, step.stepSize, step.potential,
                                       step.largestForce, step.atom + 1));
        if (terminal)
            fmt::print(stderr, "\rstep {}, potential {:.6e} kJ/mol, Fmax {:.4e} kJ/mol/nm   ", step.step, step.potential,
                       step.largestForce);
        return stop.reason().empty();
    };
    loop::DescentResult const result = loop::descendSteepest(backend, plan.dynamics, waters, deck.state, watch);
    if (terminal) fmt::print(stderr, "\n");
    writeResult(names, deck);
    std::string const summary =
        fmt::format("Steepest descent {} after {} steps\n  potential      {:.10g} kJ/mol\n  largest force  {:.6g} kJ/mol/nm on atom {}",
                    textOf(result.end), result.steps, result.potential, result.largestForce, result.atom + 1);
    log->writeLine(summary);
    log->sync();
    fmt::print("{}\n  configuration  {}\n  log            {}\n", summary, names.configuration, names.log);
    return result.end == loop::DescentEnd::asked ? exitStopped : exitDone;
}

} // namespace alder::app
