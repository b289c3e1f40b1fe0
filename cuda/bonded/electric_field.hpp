#pragma once
// The force of an external field on every charge, on the device. Twin of cpu::ElectricField.

#include "device/buffers.hpp"
#include "device/language.hpp"
#include "device/stream.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

namespace alder::cuda {

class ElectricField {
public:
    ElectricField(system::Topology const& topology, plan::ElectricFieldPlan const& plan, Stream& stream);
    [[nodiscard]] bool active() const { return plan_.active; }
    /// Adds the forces at `time` (ps), which is an argument of the launch: a graph that holds it is good for that time alone.
    void add(double time, View<std::int64_t> forces);

private:
    plan::ElectricFieldPlan plan_;
    Stream& stream_;
    DeviceBuffer<double> charges_; ///< e; empty without a field
};

} // namespace alder::cuda
