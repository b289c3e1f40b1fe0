#pragma once
// The reciprocal sum of charges, or of dispersion, by smooth particle-mesh Ewald on the device.

#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "physics/box.hpp"
#include "pme/grid_transform.hpp"
#include "pme/grid_waves.hpp"
#include "pme/influence.hpp"
#include "pme/pme_views.hpp"
#include "pme/source_order.hpp"
#include "pme/spread_gather.hpp"
#include "system/topology.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace alder::cuda {

/// Twin of cpu::PmeForces. The charge grid holds the same integers; the transforms round in their own way, and each atom gathers in a fixed
/// order, so the bits depend on the device's architecture and on nothing else.
class PmeForces {
public:
    PmeForces(system::Topology const& topology, plan::PmePlan const& plan, Stream& stream, TransformKind transform = chosenTransform());
    /// Puts the atoms in the order of their places, for speed alone: no bit of any result depends on it. For list builds.
    void sort(View<math::FractionVec const> positions);
    /// The box from now on, for graphs too that hold an add().
    void adaptTo(physics::Box const& box);
    /// Adds the forces; where target wants them, energies and virial under the terms that cpu::PmeForces uses.
    void add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target);
    /// Waits for the device. Throws RunFailed where charges have piled up beyond what the charge grid holds.
    void check();
    /// What check() looks at: none where nothing can fail.
    [[nodiscard]] View<std::int32_t const> flag() const { return piled_.size() > 0 ? piled_.constView() : View<std::int32_t const>(); }
    /// check() of a flag that the host has.
    void judge(std::int32_t piled) const;
    /// What of a plan this room cannot compute, by name.
    static std::vector<std::string> cannotDo(plan::PmePlan const& plan);

private:
    [[nodiscard]] WaveSums sumsOf(physics::Box const& box, ForceTarget const& target) const;

    plan::PmePlan plan_;
    Stream& stream_;
    PmeGridShape grid_;
    pme::Influence influence_;
    physics::Box box_;
    double netCharge_ = 0;
    std::optional<SourceOrder> order_; ///< none without charges, nor any buffer below
    DeviceBuffer<std::int32_t> charges_, piled_;
    DeviceBuffer<std::int64_t> chargeSums_;
    DeviceValue<SlopeFactors> slopes_;
    DeviceBuffer<float> points_, influenceTable_;
    DeviceBuffer<float2> waves_;
    DeviceBuffer<double> moduliX_, moduliY_, moduliZ_;
    std::unique_ptr<GridTransform> transform_;
};

} // namespace alder::cuda
