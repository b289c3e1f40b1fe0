#pragma once
// Systems of a few atoms with given bonded terms, without a deck.

#include "cpu/bonded/bonded_forces.hpp"
#include "physics/constants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace alder::tests {

/// Entries of one kind: atoms (from 0), then parameters as the topology stores them.
struct Entries {
    system::Kind kind;
    std::vector<std::vector<double>> rows;
};

/// A smooth energy map, kJ/mol, both angles in degrees.
inline double mapEnergy(double phi, double psi)
{
    double const a = phi * physics::pi / 180, b = psi * physics::pi / 180;
    return 4 * std::cos(a) + 2 * std::sin(2 * a - b) + 1.5 * std::cos(3 * b) + 0.5 * std::sin(a) * std::cos(2 * b);
}
inline std::vector<double> mapGrid()
{
    std::vector<double> grid;
    for (int i = 0; i < 24; ++i)
        for (int j = 0; j < 24; ++j) grid.push_back(mapEnergy(-180 + 15 * i, -180 + 15 * j));
    return grid;
}

inline void addEntries(system::Topology& topology, system::MoleculeType& type, Entries const& entries)
{
    auto const width = static_cast<std::size_t>(system::infoOf(entries.kind).atoms);
    auto& sets = topology.parameters[static_cast<std::size_t>(entries.kind)];
    system::InteractionList& list = type.of(entries.kind);
    for (std::vector<double> const& row : entries.rows) {
        for (std::size_t a = 0; a < width; ++a) list.atoms.push_back(static_cast<std::int32_t>(row[a]));
        system::ParameterSet set{};
        std::copy(row.begin() + static_cast<std::ptrdiff_t>(width), row.end(), set.begin());
        list.parameters.push_back(static_cast<std::int32_t>(sets.size()));
        sets.push_back(set);
    }
}

/// `copies` molecules of `atoms` atoms with these terms.
inline system::Topology moleculesWith(std::vector<Entries> const& all, int atoms, std::int64_t copies = 1)
{
    system::Topology topology;
    topology.nonbonded.fudgeQQ = 0.5;
    topology.cmapGrids.push_back(mapGrid());
    system::MoleculeType type;
    type.name = "MOL";
    for (int i = 0; i < atoms; ++i) {
        system::Atom atom;
        atom.mass = 12;
        type.atoms.push_back(atom);
    }
    for (Entries const& entries : all) addEntries(topology, type, entries);
    topology.types.push_back(type);
    topology.blocks.push_back({0, copies, 0, 0});
    topology.atomCount = atoms * copies;
    topology.moleculeCount = copies;
    return topology;
}

inline plan::RunPlan planWithEpsilon(double epsilon)
{
    plan::RunPlan plan;
    plan.pairs.electricFactor = physics::coulombConstant / epsilon;
    return plan;
}

/// All that BondedForces gives for one configuration.
struct Evaluated {
    std::vector<math::ForceUnits> forces;
    system::ForceSums sums;
    Evaluated(system::Topology const& topology, plan::RunPlan const& plan, physics::Box const& box,
              std::vector<math::FractionVec> const& positions, int threads = 1)
        : forces(positions.size())
    {
        cpu::BondedForces bonded(topology, plan, threads);
        bonded.add(positions, box, forces, &sums);
    }
    [[nodiscard]] double energy() const
    {
        double sum = 0;
        for (auto const& term : sums.terms) sum += term.value();
        return sum;
    }
};

} // namespace alder::tests
