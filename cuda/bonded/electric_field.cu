#include "bonded/electric_field.hpp"

#include "device/force_target.hpp"
#include "device/launch.hpp"
#include "math/fixed_sum.hpp"
#include "physics/electric_field.hpp"

#include <vector>

namespace alder::cuda {

namespace {

constexpr int chargeThreads = 128;

__global__ void __launch_bounds__(chargeThreads)
    fieldForces(int count, View<double const> charges, math::Vec3d perCharge, View<std::int64_t> forces)
{
    int const i = static_cast<int>(blockIdx.x) * chargeThreads + static_cast<int>(threadIdx.x);
    if (i >= count) return;
    math::ForceUnits const units = math::forceUnits(charges[i] * perCharge);
    addUnits(forces, 3 * std::int64_t{i}, units.x);
    addUnits(forces, 3 * std::int64_t{i} + 1, units.y);
    addUnits(forces, 3 * std::int64_t{i} + 2, units.z);
}

} // namespace

ElectricField::ElectricField(system::Topology const& topology, plan::ElectricFieldPlan const& plan, Stream& stream)
    : plan_(plan),
      stream_(stream)
{
    if (!plan_.active) return;
    std::vector<double> charges(static_cast<std::size_t>(topology.atomCount));
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) { charges[static_cast<std::size_t>(i)] = atom.charge; });
    charges_.upload(charges, stream);
}

void ElectricField::add(double time, View<std::int64_t> forces)
{
    auto const count = static_cast<int>(charges_.size());
    if (count == 0) return;
    auto const along = [&](plan::ElectricField const& axis) {
        return physics::forcePerField * physics::fieldAt({axis.amplitude, axis.omega, axis.t0, axis.sigma}, time);
    };
    math::Vec3d const perCharge{along(plan_.axes[0]), along(plan_.axes[1]), along(plan_.axes[2])};
    launch<fieldForces>({.grid = static_cast<unsigned>((count + chargeThreads - 1) / chargeThreads), .block = chargeThreads}, stream_,
                        count, charges_.constView(), perCharge, forces);
}

} // namespace alder::cuda
