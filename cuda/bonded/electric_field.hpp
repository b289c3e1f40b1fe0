#pragma once
// The force of an external field on every charge, on the device. Twin of cpu::ElectricField.

#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/stream.hpp"
#include "math/vec3.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <vector>

namespace alder::cuda {

class ElectricField {
public:
    ElectricField(system::Topology const& topology, plan::ElectricFieldPlan const& plan, Stream& stream);
    [[nodiscard]] bool active() const { return plan_.active; }
    /// The times (ps) that add() goes by from now on.
    void prepare(std::vector<double> const& times);
    /// Adds the forces at one of them, by its number: a graph that holds this goes by the times that there are when it runs.
    void add(std::size_t time, View<std::int64_t> forces);

private:
    plan::ElectricFieldPlan plan_;
    Stream& stream_;
    DeviceBuffer<double> charges_;        ///< e; empty without a field
    std::vector<math::Vec3d> strengths_;  ///< as they are on the device
    DeviceBuffer<math::Vec3d> perCharge_; ///< by time, kJ/mol/nm/e
};

} // namespace alder::cuda
