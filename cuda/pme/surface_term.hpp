#pragma once
// Energy, forces and virial of the cell's dipole in its surroundings, on the device.

#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <cstdint>

namespace alder::cuda {

/// An atom's part of the dipole. Where molecules are made whole, the place of an atom is that of the one it hangs on plus their difference,
/// so that a molecule's dipole is, over its parts' first atoms, their place times the charge of the part, and over all others that
/// difference times the charge of what hangs on it: no atom waits for another.
struct DipoleShare {
    double charge = 0;      ///< e, of the atom
    double carried = 0;     ///< e, of the atom and of all that hangs on it
    std::int32_t from = -1; ///< the atom it hangs on; -1: none
};

/// Twin of cpu::SurfaceTerm.
class SurfaceTerm {
public:
    SurfaceTerm(system::Topology const& topology, plan::SurfacePlan const& plan, Stream& stream);
    /// The box from now on, for graphs too that hold an add().
    void adaptTo(physics::Box const& box) { box_.set(box, stream_); }
    /// Adds the forces, and where target wants them the energy under Coul. recip. and the virial.
    void add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target);

private:
    plan::SurfacePlan plan_;
    Stream& stream_;
    DeviceValue<physics::Box> box_;
    DeviceBuffer<DipoleShare> shares_;
    DeviceBuffer<std::int64_t> moments_; ///< x, y, z, zz
};

} // namespace alder::cuda
