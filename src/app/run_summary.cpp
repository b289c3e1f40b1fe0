#include "app/run_summary.hpp"

#include <fmt/format.h>

namespace alder::app {

void printAverages(observe::EnergyAverages const& averages)
{
    if (averages.count() == 0) return;
    fmt::print("\n  {:<20} {:>16} {:>14}   (means over {} records)\n", "energy", "mean", "fluctuation", averages.count());
    for (std::size_t c = 0; c < averages.columns().size(); ++c) {
        observe::EnergyColumn const& column = averages.columns().columns()[c];
        fmt::print("  {:<20} {:>16.6g} {:>14.4g}   {}\n", column.name, averages.mean(c), averages.fluctuation(c), column.unit);
    }
}

void printSummary(Summary const& summary)
{
    output::Performance const& performance = summary.performance;
    fmt::print("step {}: {}\n", summary.end.step, summary.end.how);
    printAverages(summary.averages);
    if (performance.measured())
        fmt::print("\n  speed       {:.3f} ns/day, {:.3f} hours/ns ({} steps timed in {:.2f} s)\n", performance.nsPerDay(),
                   performance.hoursPerNs(), performance.timedSteps, performance.timedSeconds);
    else
        fmt::print("\n  speed       not given: {} steps were timed, and {} are the fewest that tell\n", performance.timedSteps,
                   output::Performance::fewestSteps);
    output::Exchange const& exchange = performance.exchange;
    if (exchange.ranks > 1)
        fmt::print("  sent        {:.1f} messages and {:.1f} kB a step between {} ranks ({:.1f} and {:.1f} kB by one rank at most)\n",
                   exchange.messages, exchange.bytes / 1000, exchange.ranks, exchange.mostMessages, exchange.mostBytes / 1000);
    fmt::print("  trajectory  {}\n  log         {}\n  report      {}\n  last frame  {}\n", summary.names.trajectory, summary.names.log,
               summary.names.json, summary.names.configuration);
    if (summary.checkpointStep >= 0) fmt::print("  checkpoint  {} (step {})\n", summary.names.checkpoint, summary.checkpointStep);
}

} // namespace alder::app
