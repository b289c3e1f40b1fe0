#include "constraints/settle_set.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace alder::constraints {

namespace {

bool sameTriangle(physics::WaterGeometry<double> const& a, physics::WaterGeometry<double> const& b)
{
    return a.ra == b.ra && a.rb == b.rb && a.rc == b.rc && a.oxygenMass == b.oxygenMass && a.hydrogenMass == b.hydrogenMass;
}

/// The triangle of entry `entry` of a molecule type.
physics::WaterGeometry<double> geometryOf(system::Topology const& topology, system::MoleculeType const& type, std::size_t entry)
{
    system::InteractionList const& list = type.of(system::Kind::settle);
    auto const atom = [&](std::size_t k) -> system::Atom const& { return type.atoms[static_cast<std::size_t>(list.atoms[3 * entry + k])]; };
    system::ParameterSet const& lengths = topology.parametersOf(system::Kind::settle)[static_cast<std::size_t>(list.parameters[entry])];
    double const oxygen = atom(0).mass, hydrogen = atom(1).mass;
    if (!(oxygen > 0 && hydrogen > 0) || atom(2).mass != hydrogen)
        throw base::RunFailed(fmt::format("SETTLE in molecule type {}: masses {} {} {} amu; the second and third must be equal and all "
                                          "above zero",
                                          type.name, oxygen, hydrogen, atom(2).mass));
    if (!(lengths[0] > 0 && lengths[1] > 0 && lengths[1] < 2 * lengths[0]))
        throw base::RunFailed(
            fmt::format("SETTLE in molecule type {}: no triangle has sides {} {} {} nm", type.name, lengths[0], lengths[0], lengths[1]));
    return physics::waterGeometry(oxygen, hydrogen, lengths[0], lengths[1]);
}

} // namespace

SettleSet::SettleSet(system::Topology const& topology)
{
    for (system::MoleculeBlock const& block : topology.blocks) {
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        system::InteractionList const& list = type.of(system::Kind::settle);
        auto const size = static_cast<std::int64_t>(type.atoms.size());
        if (block.count > 0 && list.size() > 0 && block.firstAtom + block.count * size > std::numeric_limits<std::int32_t>::max())
            throw base::RunFailed("more atoms than one process can hold: split the run over more ranks");
        for (std::size_t entry = 0; entry < list.size() && block.count > 0; ++entry) {
            physics::WaterGeometry<double> const geometry = geometryOf(topology, type, entry);
            auto group =
                std::find_if(groups_.begin(), groups_.end(), [&](SettleGroup const& g) { return sameTriangle(g.geometry, geometry); });
            if (group == groups_.end()) group = groups_.insert(groups_.end(), SettleGroup{geometry, {}});
            group->waters.reserve(group->waters.size() + static_cast<std::size_t>(block.count));
            for (std::int64_t m = 0; m < block.count; ++m) {
                auto const first = static_cast<std::int32_t>(block.firstAtom + m * size);
                std::int32_t const* const atoms = &list.atoms[3 * entry];
                group->waters.push_back({first + atoms[0], first + atoms[1], first + atoms[2]});
            }
        }
    }
}

std::int64_t SettleSet::count() const
{
    std::int64_t all = 0;
    for (SettleGroup const& group : groups_) all += static_cast<std::int64_t>(group.waters.size());
    return all;
}

} // namespace alder::constraints
