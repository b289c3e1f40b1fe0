#pragma once
// Molecules with constrained distances: stars, branched chains, rings, triangles and cages, as the bonds of proteins form them.

#include "constraints/constraint_set.hpp"
#include "constraints/group_work.hpp"
#include "constraints/random_water.hpp"
#include "constraints/small_systems.hpp"

#include <string>
#include <utility>
#include <vector>

namespace alder::trial {

struct ConstrainedMolecule {
    std::string name;
    std::vector<double> masses;
    std::vector<math::Vec3d> places; ///< nm, at the constrained distances
    std::vector<std::pair<int, int>> bonds;
};

inline ConstrainedMolecule star()
{
    double const r = 0.109 / std::sqrt(3.0);
    return {"CH4",
            {12.011, 1.008, 1.008, 1.008, 1.008},
            {{}, {r, r, r}, {-r, -r, r}, {-r, r, -r}, {r, -r, -r}},
            {{0, 1}, {2, 0}, {0, 3}, {0, 4}}};
}

/// A zigzag of heavy atoms, each with two hydrogens.
inline ConstrainedMolecule chain(int length)
{
    ConstrainedMolecule m{"CHAIN", {}, {}, {}};
    for (int i = 0; i < length; ++i) {
        double const side = i % 2 ? 1 : -1;
        math::Vec3d const place{0.125 * i, 0.044 * side, 0};
        int const heavy = 3 * i;
        m.masses.insert(m.masses.end(), {i % 3 ? 12.011 : 14.007, 1.008, 1.008});
        m.places.insert(m.places.end(), {place, place + math::Vec3d{0, 0.06 * side, 0.09}, place + math::Vec3d{0, 0.06 * side, -0.09}});
        if (i > 0) m.bonds.emplace_back(heavy - 3, heavy);
        m.bonds.emplace_back(heavy, heavy + 1);
        m.bonds.emplace_back(heavy + 2, heavy);
    }
    return m;
}

inline ConstrainedMolecule ring()
{
    ConstrainedMolecule m{"RING", {}, {}, {}};
    for (int i = 0; i < 6; ++i) {
        double const angle = 1.0471975511965976 * i;
        m.masses.insert(m.masses.end(), {12.011, 1.008});
        math::Vec3d const out{std::cos(angle), std::sin(angle), 0.1 * (i % 2)};
        m.places.insert(m.places.end(), {0.139 * out, 0.247 * out});
        m.bonds.emplace_back(2 * i, 2 * i + 1);
        m.bonds.emplace_back(2 * i, (2 * i + 2) % 12);
    }
    return m;
}

/// No water: three different masses and sides.
inline ConstrainedMolecule triangle() { return {"TRI", {16, 2, 9}, {{}, {0.1, 0, 0}, {0.02, 0.13, 0}}, {{0, 1}, {0, 2}, {1, 2}}}; }

/// Four atoms, all six distances: rigid.
inline ConstrainedMolecule cage()
{
    return {
        "CAGE", {12, 5, 9, 20}, {{}, {0.15, 0, 0}, {0.07, 0.13, 0}, {0.08, 0.04, 0.12}}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
}

inline std::vector<ConstrainedMolecule> allMolecules() { return {star(), chain(1), chain(20), ring(), triangle(), cage()}; }

inline void addConstrained(system::Topology& topology, ConstrainedMolecule const& m, std::int64_t count)
{
    system::MoleculeType type;
    type.name = m.name;
    for (std::size_t i = 0; i < m.masses.size(); ++i)
        type.atoms.push_back({(m.masses[i] < 2 ? "H" : "X") + std::to_string(i + 1), m.name, 1, 0, 0.0, m.masses[i], 'A'});
    auto& sets = topology.parameters[static_cast<std::size_t>(system::Kind::constraint)];
    for (auto const& [a, b] : m.bonds) {
        auto& list = type.of(system::Kind::constraint);
        list.atoms.insert(list.atoms.end(), {a, b});
        list.parameters.push_back(static_cast<std::int32_t>(sets.size()));
        sets.push_back({norm(m.places[static_cast<std::size_t>(a)] - m.places[static_cast<std::size_t>(b)])});
    }
    addMolecules(topology, std::move(type), count);
}

/// A rotation by an angle about a random axis (Rodrigues), or any rotation where no angle is given.
inline math::Vec3d turned(math::Vec3d v, math::Vec3d axis, double angle)
{
    axis = (1 / norm(axis)) * axis;
    return std::cos(angle) * v + std::sin(angle) * cross(axis, v) + ((1 - std::cos(angle)) * dot(axis, v)) * axis;
}

/// One molecule, alone, ready to be solved: old places turned at random, displacements a random step away.
struct Trial {
    system::Topology topology = emptyTopology();
    constraints::ConstraintSet set;
    constraints::GroupWork work;
    std::vector<math::Vec3d> places;
    std::vector<math::Vec3d> free; ///< displacements of the free step

    Trial(ConstrainedMolecule const& m, int seed, double step) : set((addConstrained(topology, m, 1), topology)), work(set)
    {
        RandomWater random(seed);
        math::Vec3d const axis = random.vector(1);
        double const angle = 3 * norm(random.vector(1));
        for (std::size_t i = 0; i < m.places.size(); ++i) {
            places.push_back(turned(m.places[i], axis, angle));
            free.push_back((1 / std::sqrt(m.masses[i])) * random.vector(step));
        }
        reset();
    }
    [[nodiscard]] constraints::ConstraintShape const& shape() const { return set.shapes().at(0); }
    void reset()
    {
        for (std::size_t i = 0; i < places.size(); ++i) work.displacement[i] = free[i];
        for (std::size_t i = 0; i < shape().bonds.size(); ++i)
            work.before[i] = places[static_cast<std::size_t>(shape().bonds[i].a)] - places[static_cast<std::size_t>(shape().bonds[i].b)];
    }
    [[nodiscard]] double worst() const
    {
        double largest = 0;
        for (std::size_t i = 0; i < shape().bonds.size(); ++i)
            largest = std::max(largest, std::fabs(norm(work.after(shape().bonds[i], i)) / shape().bonds[i].length - 1));
        return largest;
    }
};

} // namespace alder::trial
