#include "bonded/electric_field.hpp"

#include "device/force_target.hpp"
#include "device/launch.hpp"
#include "math/fixed_sum.hpp"
#include "physics/electric_field.hpp"

#include <utility>
#include <vector>

namespace alder::cuda {

namespace {

constexpr int chargeThreads = 128;

__global__ void __launch_bounds__(chargeThreads)
    fieldForces(int count, View<double const> charges, View<math::Vec3d const> perCharge, View<std::int64_t> forces)
{
    int const i = static_cast<int>(blockIdx.x) * chargeThreads + static_cast<int>(threadIdx.x);
    if (i >= count) return;
    math::ForceUnits const units = math::forceUnits(charges[i] * perCharge[0]);
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
    std::vector<double> charges(static_cast<std::size_t>(topology.homeCount()));
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        if (i < topology.homeCount()) charges[static_cast<std::size_t>(i)] = atom.charge;
    });
    charges_.upload(charges, stream);
}

/// The functions are the host's, so that the bits are.
void ElectricField::prepare(std::vector<double> const& times)
{
    std::vector<math::Vec3d> strengths;
    for (double const time : times) {
        auto const along = [&](plan::ElectricField const& axis) {
            return physics::forcePerField * physics::fieldAt({axis.amplitude, axis.omega, axis.t0, axis.sigma}, time);
        };
        strengths.push_back({along(plan_.axes[0]), along(plan_.axes[1]), along(plan_.axes[2])});
    }
    if (strengths == strengths_) return; // a constant field
    strengths_ = std::move(strengths);
    perCharge_.upload(strengths_, stream_);
}

void ElectricField::add(std::size_t time, View<std::int64_t> forces)
{
    auto const count = static_cast<int>(charges_.size());
    if (count == 0) return;
    launch<fieldForces>({.grid = static_cast<unsigned>((count + chargeThreads - 1) / chargeThreads), .block = chargeThreads}, stream_,
                        count, charges_.constView(), perCharge_.constView().from(time), forces);
}

} // namespace alder::cuda
