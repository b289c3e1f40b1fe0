#include "observe/energy_averages.hpp"

#include <cmath>

namespace alder::observe {

EnergyAverages::EnergyAverages(EnergyColumns columns) : EnergyAverages(std::move(columns), {}) {}

EnergyAverages::EnergyAverages(EnergyColumns columns, Memory memory) : columns_(std::move(columns)), memory_(std::move(memory))
{
    if (memory_.mean.size() != columns_.size() || memory_.squares.size() != columns_.size()) {
        memory_ = {};
        memory_.mean.assign(columns_.size(), 0);
        memory_.squares.assign(columns_.size(), 0);
    }
}

// Welford's update: the textbook sum of squares minus square of sums loses all digits of a total energy of -1e6 that fluctuates by 1.
void EnergyAverages::seeEnergies(Energies const& energies)
{
    if (memory_.count > 0 && energies.step <= memory_.lastStep) return;
    memory_.lastStep = energies.step;
    memory_.count += 1;
    std::vector<double> const values = columns_.valuesOf(energies);
    for (std::size_t c = 0; c < values.size(); ++c) {
        double const before = values[c] - memory_.mean[c];
        memory_.mean[c] += before / static_cast<double>(memory_.count);
        memory_.squares[c] += before * (values[c] - memory_.mean[c]);
    }
}

double EnergyAverages::fluctuation(std::size_t column) const
{
    return memory_.count > 0 ? std::sqrt(memory_.squares[column] / static_cast<double>(memory_.count)) : 0;
}

} // namespace alder::observe
