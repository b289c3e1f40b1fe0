#pragma once
// Energy, forces and virial of the cell's dipole in its surroundings, on the device.

#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "domain/communicator.hpp"
#include "domain/parts/dipole_parts.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <cstdint>

namespace alder::cuda {

/// Twin of cpu::SurfaceTerm.
class SurfaceTerm {
public:
    /// Of the whole system; on several ranks takeAtoms() follows. The topology must outlive this, and the ranks, null where there is one.
    SurfaceTerm(system::Topology const& whole, plan::SurfacePlan const& plan, Stream& stream, domain::Communicator* ranks = nullptr);
    /// The atoms of this rank from now on.
    void takeAtoms(system::Topology const& part);
    /// The box from now on, for graphs too that hold an add().
    void adaptTo(physics::Box const& box) { box_.set(box, stream_); }
    /// Adds the forces on home atoms, and on the first rank, where target wants them, the energy under Coul. recip. and the virial. On several
    /// ranks, all together, the host waits for the sum of the moments.
    void add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target);

private:
    plan::SurfacePlan plan_;
    Stream& stream_;
    DeviceValue<physics::Box> box_;
    domain::Communicator* ranks_;
    domain::DipoleParts parts_;
    DeviceBuffer<double> charges_; ///< by home atom
    DeviceBuffer<domain::PlacedArm> arms_;
    DeviceBuffer<std::int64_t> moments_; ///< x, y, z, zz
};

} // namespace alder::cuda
