#pragma once
// Forces, energies and virial of all bonded terms on the device.

#include "bonded/bonded_lists.hpp"
#include "bonded/term_views.hpp"
#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"

#include <string>
#include <vector>

namespace alder::cuda {

/// One thread a term, in double from integer position differences, one launch for all kinds but energy maps: each block takes a slice of
/// one kind. The operations are those of cpu::BondedForces, so where no function of the mathematics library enters (Morse and
/// FENE bonds and angle restraints have one) the integers are the CPU's too.
class BondedForces {
public:
    /// Terms of `kinds` only. The topology must outlive this.
    BondedForces(system::Topology const& topology, plan::RunPlan const& plan, Stream& stream,
                 bonded::KindSet const& kinds = bonded::KindSet().set());
    /// The box from now on, for graphs too that hold an add().
    void adaptTo(physics::Box const& box) { box_.set(box, stream_); }
    /// Adds what target wants. A term without a force adds nothing and is remembered for check().
    void add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target);
    /// Waits for the device. Throws RunFailed, naming kind and atoms, where a term had no finite force, or one too large to be summed.
    void check();
    /// What check() looks at: none where nothing can fail.
    [[nodiscard]] View<std::int32_t const> flag() const { return failed_.size() > 0 ? failed_.constView() : View<std::int32_t const>(); }
    /// check() of a flag that the host has.
    void judge(std::int32_t failed) const;
    [[nodiscard]] bool empty() const { return slicesOfHost_.empty(); }
    /// What of a topology this room cannot compute, by name.
    static std::vector<std::string> cannotDo(system::Topology const& topology);

private:
    void flatten(bonded::BondedLists& lists);
    void uploadTables(bonded::BondedLists const& lists);

    system::Topology const& topology_;
    Stream& stream_;
    DeviceValue<physics::Box> box_;
    std::vector<TermSlice> slicesOfHost_; ///< to name a failed term
    std::vector<std::int32_t> atomsOfHost_;
    DeviceBuffer<TermSlice> maps_, others_;
    DeviceBuffer<std::int32_t> atoms_, setOf_, cmapShapes_, failed_;
    DeviceBuffer<PreparedSet> sets_;
    DeviceBuffer<physics::CmapNode<double>> cmapNodes_;
    DeviceBuffer<math::Vec3d> references_, referenceFractions_;
};

} // namespace alder::cuda
