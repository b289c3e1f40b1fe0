#pragma once
// Atoms that do not move along some axes. Whatever step moves the others, these feel no force along a frozen axis, have no velocity
// along it, and are put back.

#include "device/buffers.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"
#include "update/moved_atoms.hpp"

#include <cstdint>

namespace alder::cuda {

/// An atom, and a bit for each axis along which it is frozen.
struct FrozenAtom {
    std::int32_t atom = 0;
    std::uint32_t axes = 0;
};

class FrozenAtoms {
public:
    FrozenAtoms(system::Topology const& topology, plan::DynamicsPlan const& dynamics, Stream& stream);
    [[nodiscard]] bool empty() const { return atoms_.size() == 0; }
    /// Forces without what acts along frozen axes.
    View<std::int64_t const> freed(View<std::int64_t const> forces, Stream& stream);
    void remember(View<math::FractionVec const> positions, Stream& stream);
    /// Undoes, along frozen axes, what has moved since remember().
    void putBack(View<math::FractionVec> positions, StepConstants const& step, Stream& stream);
    void stop(View<math::Vec3d> velocities, Stream& stream);

private:
    std::int64_t atomCount_ = 0;
    DeviceBuffer<FrozenAtom> atoms_;
    DeviceBuffer<math::FractionVec> before_; ///< by entry of atoms_
    DeviceBuffer<std::int64_t> freed_;
};

} // namespace alder::cuda
