#pragma once
// Mean and fluctuation of every reported energy over a run, through any number of stops and restarts.

#include "observe/energy_columns.hpp"

#include <vector>

namespace alder::observe {

class EnergyAverages : public Observer {
public:
    /// What a checkpoint keeps, so that a run that went on averages over all of itself.
    struct Memory {
        std::int64_t count = 0;
        std::int64_t lastStep = -1;
        std::vector<double> mean;    ///< by column
        std::vector<double> squares; ///< by column: sum of squared deviations from the mean
    };

    explicit EnergyAverages(EnergyColumns columns);
    EnergyAverages(EnergyColumns columns, Memory memory);

    /// A step that was seen already (the first one after a restart) is not counted twice.
    void seeEnergies(Energies const& energies) override;

    [[nodiscard]] EnergyColumns const& columns() const { return columns_; }
    [[nodiscard]] std::int64_t count() const { return memory_.count; }
    [[nodiscard]] double mean(std::size_t column) const { return memory_.mean[column]; }
    /// Root mean square deviation from the mean.
    [[nodiscard]] double fluctuation(std::size_t column) const;
    [[nodiscard]] Memory const& memory() const { return memory_; }

private:
    EnergyColumns columns_;
    Memory memory_;
};

} // namespace alder::observe
