#include "observe/conserved_energy.hpp"

namespace alder::observe {

void ConservedEnergy::seeEnergies(Energies const& energies)
{
    if (!energies.energyFrame || seen_++ % stride_ != 0) return;
    times_.push_back(energies.time);
    values_.push_back(energies.conserved);
    if (times_.size() < mostRecords) return;
    for (std::size_t i = 0; 2 * i < times_.size(); ++i) {
        times_[i] = times_[2 * i];
        values_[i] = values_[2 * i];
    }
    times_.resize(mostRecords / 2);
    values_.resize(mostRecords / 2);
    stride_ *= 2;
}

} // namespace alder::observe
