#pragma once
// Thermostats on the device: what velocities and kicks are multiplied by comes from kinetic energies that the host never sees, by the
// formulas of couple/group_thermostat.hpp, and what thermostats remember stays here until somebody looks.

#include "couple/thermostat.hpp"
#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"
#include "update/leap_frog_step.hpp"
#include "update/moved_atoms.hpp"
#include "update/update_tables.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// By temperature group, and by link where a chain is meant: system::CouplingState on the device.
struct ThermostatMemory {
    View<double> integral, chainPosition, chainVelocity; ///< the latter two are not given without Nose-Hoover
};

class Thermostats {
public:
    /// The stream must outlive this.
    Thermostats(plan::DynamicsPlan const& dynamics, Stream& stream);
    /// What a state remembers; numbers that it lacks are 0.
    void adopt(system::CouplingState const& coupling);
    /// The times (ps) that couple() goes by from now on, for temperatures that follow a schedule.
    void prepare(std::vector<double> const& times);
    /// Sums kinetic energies of the velocities and makes the factors of a step at one of these times, by its number. A graph that holds this
    /// goes by the temperatures, and the number of the step, that there are when it runs.
    [[nodiscard]] FactorViews couple(UpdateTables const& tables, View<math::Vec3d const> velocities, StepConstants const& step,
                                     std::size_t time);
    /// Brings what thermostats remember; the host does not wait. give() hands over what has arrived.
    void fetchLater();
    void give(system::CouplingState& coupling) const;

private:
    [[nodiscard]] ThermostatMemory memory();

    Stream& stream_;
    std::vector<plan::TemperatureGroupPlan> plans_;
    std::size_t chainNumbers_ = 0; ///< by all groups
    double kickShare_ = 1;         ///< of a step, in the half of it that couples: velocity Verlet has two
    DeviceBuffer<couple::GroupThermostat> groups_;
    std::vector<double> asked_;                   ///< temperatures as they are on the device
    DeviceBuffer<double> references_;             ///< by time and group, K
    DeviceBuffer<std::int64_t> sums_;             ///< as sumMotion() lays them out
    DeviceBuffer<double> lambda_, kick_, memory_; ///< integral, then positions and velocities of chains
    PinnedBuffer<double> fetched_;
};

} // namespace alder::cuda
