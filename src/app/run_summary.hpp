#pragma once
// What a run prints at its end: energies, speed, and where the files are.

#include "app/run_names.hpp"
#include "observe/energy_averages.hpp"
#include "output/run_record.hpp"

namespace alder::app {

struct Summary {
    RunNames const& names;
    observe::EnergyAverages const& averages;
    output::Performance const& performance;
    output::RunEnd const& end;
    std::int64_t checkpointStep; ///< -1: none was written
};
/// Mean and fluctuation of each energy; nothing where none was seen.
void printAverages(observe::EnergyAverages const& averages);
void printSummary(Summary const& summary);

} // namespace alder::app
