#pragma once
// Topologies of a few lines: rigid waters, and free atoms of a given mass.

#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

namespace alder::trial {

inline system::Topology emptyTopology()
{
    system::Topology topology;
    topology.temperatureGroups.names = {"System"};
    return topology;
}

inline void addMolecules(system::Topology& topology, system::MoleculeType type, std::int64_t count)
{
    auto const size = static_cast<std::int64_t>(type.atoms.size());
    topology.types.push_back(std::move(type));
    topology.blocks.push_back({static_cast<std::int32_t>(topology.types.size() - 1), count, topology.atomCount, topology.moleculeCount});
    topology.atomCount += count * size;
    topology.moleculeCount += count;
}

/// SPC/E.
inline void addWaters(system::Topology& topology, std::int64_t count)
{
    system::MoleculeType water;
    water.name = "SOL";
    water.atoms = {
        {"OW", "SOL", 1, 0, -0.8476, 15.9994, 'A'}, {"HW1", "SOL", 1, 1, 0.4238, 1.008, 'A'}, {"HW2", "SOL", 1, 1, 0.4238, 1.008, 'A'}};
    auto& sets = topology.parameters[static_cast<std::size_t>(system::Kind::settle)];
    if (sets.empty()) sets.push_back({0.1, 0.1633});
    water.of(system::Kind::settle) = {{0, 1, 2}, {0}};
    addMolecules(topology, std::move(water), count);
}

inline void addFreeAtoms(system::Topology& topology, std::int64_t count, double mass)
{
    system::MoleculeType atom;
    atom.name = "Ar";
    atom.atoms = {{"Ar", "Ar", 1, 0, 0.0, mass, mass > 0 ? 'A' : 'V'}};
    addMolecules(topology, std::move(atom), count);
}

inline plan::DynamicsPlan dynamicsPlan(double dt, std::size_t groups = 1)
{
    plan::DynamicsPlan dynamics;
    dynamics.dt = dt;
    dynamics.groups.resize(groups);
    return dynamics;
}

} // namespace alder::trial
