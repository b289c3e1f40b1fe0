#include "cpu/bonded/electric_field.hpp"

#include "physics/electric_field.hpp"

namespace alder::cpu {

ElectricField::ElectricField(system::Topology const& topology, plan::ElectricFieldPlan const& plan, int threads)
    : plan_(plan),
      threads_(threads)
{
    if (!plan_.active) return;
    charges_.resize(static_cast<std::size_t>(topology.homeCount()));
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        if (i < topology.homeCount()) charges_[static_cast<std::size_t>(i)] = atom.charge;
    });
}

void ElectricField::add(double time, std::vector<math::ForceUnits>& forces) const
{
    auto const along = [&](plan::ElectricField const& axis) {
        return physics::forcePerField * physics::fieldAt({axis.amplitude, axis.omega, axis.t0, axis.sigma}, time);
    };
    math::Vec3d const perCharge{along(plan_.axes[0]), along(plan_.axes[1]), along(plan_.axes[2])};
    auto const count = static_cast<std::int64_t>(charges_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < count; ++i)
        forces[static_cast<std::size_t>(i)] += math::forceUnits(charges_[static_cast<std::size_t>(i)] * perCharge);
}

} // namespace alder::cpu
