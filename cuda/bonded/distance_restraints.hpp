#pragma once
// Distance restraints on the device, each on one pair of atoms or on the r^-6 average of several.

#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

struct RestraintRecord {
    double low = 0, up1 = 0, up2 = 0, k = 0;
    std::int32_t firstPair = 0, pairs = 0;
    std::int32_t equalWeights = 0;
};
struct RestrainedPair {
    std::int32_t i = 0, j = 0;
};

/// One thread a restraint: there are few, and a restraint needs all its pairs before it knows any force. The operations are those of
/// cpu::DistanceRestraints.
class DistanceRestraints {
public:
    /// The topology must outlive this.
    DistanceRestraints(system::Topology const& topology, plan::DistanceRestraintPlan const& plan, Stream& stream);
    [[nodiscard]] bool empty() const { return restraints_.size() == 0; }
    /// The box from now on, for graphs too that hold an add().
    void adaptTo(physics::Box const& box) { box_.set(box, stream_); }
    void add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target);
    /// Waits for the device. Throws RunFailed where the atoms of a pair have coincided.
    void check();
    /// What check() looks at: none where nothing can fail.
    [[nodiscard]] View<std::int32_t const> flag() const { return failed_.size() > 0 ? failed_.constView() : View<std::int32_t const>(); }
    /// check() of a flag that the host has.
    void judge(std::int32_t failed) const;

private:
    system::Topology const& topology_;
    Stream& stream_;
    DeviceValue<physics::Box> box_;
    std::vector<RestrainedPair> pairsOfHost_; ///< to name those that failed
    DeviceBuffer<RestraintRecord> restraints_;
    DeviceBuffer<RestrainedPair> pairs_;
    DeviceBuffer<std::int32_t> failed_; ///< the first pair without a force
};

} // namespace alder::cuda
