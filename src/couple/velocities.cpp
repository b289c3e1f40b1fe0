#include "couple/velocities.hpp"

#include "math/fixed_sum.hpp"
#include "math/variates.hpp"
#include "physics/constants.hpp"

#include <cmath>

namespace alder::couple {

void removeCentreOfMassMotion(system::Topology const& topology, std::vector<math::Vec3d>& velocities)
{
    math::FixedSum x, y, z;
    double mass = 0;
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        math::Vec3d const momentum = atom.mass * velocities[static_cast<std::size_t>(i)];
        x.add(momentum.x);
        y.add(momentum.y);
        z.add(momentum.z);
        mass += atom.mass;
    });
    if (!(mass > 0)) return;
    math::Vec3d const drift = (1.0 / mass) * math::Vec3d{x.value(), y.value(), z.value()};
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        if (atom.mass > 0) velocities[static_cast<std::size_t>(i)] -= drift;
    });
}

std::vector<math::Vec3d> generateVelocities(system::Topology const& topology, double temperature, std::uint64_t seed)
{
    std::vector<math::Vec3d> velocities(static_cast<std::size_t>(topology.atomCount));
    math::FixedSum kinetic;
    std::int64_t components = 0;
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        if (!(atom.mass > 0)) return;
        double const width = std::sqrt(physics::boltzmann * temperature / atom.mass);
        math::Variates variates(seed, math::RandomPurpose::velocities, 0, i);
        math::Vec3d& v = velocities[static_cast<std::size_t>(i)];
        v.x = width * variates.normal();
        v.y = width * variates.normal();
        v.z = width * variates.normal();
        kinetic.add(0.5 * atom.mass * math::norm2(v));
        components += 3;
    });
    if (kinetic.value() > 0) {
        double const target = 0.5 * static_cast<double>(components) * physics::boltzmann * temperature;
        double const scale = std::sqrt(target / kinetic.value());
        for (math::Vec3d& v : velocities) v = scale * v;
    }
    removeCentreOfMassMotion(topology, velocities);
    return velocities;
}

} // namespace alder::couple
