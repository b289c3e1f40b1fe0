#pragma once
// The conserved energy of a run, kept for its drift.

#include "observe/drift.hpp"
#include "observe/frame.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace alder::observe {

/// Looks at every energy record; where there are too many, keeps every second one from then on, then every fourth.
class ConservedEnergy : public Observer {
public:
    void seeEnergies(Energies const& energies) override;
    /// kJ/mol/ns, of the whole system.
    [[nodiscard]] std::optional<Drift> drift() const { return driftOf(times_, values_); }
    static constexpr std::size_t mostRecords = 65536;

private:
    std::vector<double> times_, values_;
    std::int64_t seen_ = 0, stride_ = 1;
};

} // namespace alder::observe
