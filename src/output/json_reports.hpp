#pragma once
// md.json and the report of `alder energy`: the same facts as the log, for programs.

#include "observe/energy_averages.hpp"
#include "output/run_record.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alder::output {

/// md.json.
void writeRunJson(std::string const& path, RunRecord const& record, Performance const& performance, observe::EnergyAverages const& averages,
                  RunEnd const& end);

/// One configuration's energies. `energies.terms`, `.potential` and `.virial` are given always; the rest where velocities were.
struct EnergyReport {
    std::int64_t atoms = 0;
    std::vector<system::Term> terms; ///< those the deck uses (observe::termsUsed)
    observe::Energies energies;
    std::vector<std::pair<std::string, double>> groupTerms; ///< pair energies by energy groups
    bool velocities = false;                                ///< kinetic energy, temperature and pressure have a meaning
    /// "Kinetic En." as the first step of a leap-frog run reports it; empty where it has no meaning.
    std::optional<double> leapFrogKinetic;
    std::optional<double> forceError; ///< rms of the difference from exact forces over theirs; empty: not asked for
};
std::string energyJson(EnergyReport const& report);
void writeEnergyJson(std::string const& path, EnergyReport const& report);

} // namespace alder::output
