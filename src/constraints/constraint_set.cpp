#include "constraints/constraint_set.hpp"

#include "base/error.hpp"
#include "physics/distance_constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace alder::constraints {

namespace {

using system::Kind;

/// A constraint as the molecule type has it.
struct WrittenBond {
    std::int32_t a, b;
    double length;
};

/// All constraints of a type, each pair of atoms once.
std::vector<WrittenBond> bondsOf(system::Topology const& topology, system::MoleculeType const& type)
{
    std::vector<WrittenBond> bonds;
    std::map<std::pair<std::int32_t, std::int32_t>, double> known;
    for (Kind const kind : {Kind::constraint, Kind::constraintNoExclusion}) {
        system::InteractionList const& list = type.of(kind);
        for (std::size_t e = 0; e < list.size(); ++e) {
            std::int32_t const a = list.atoms[2 * e], b = list.atoms[2 * e + 1];
            double const length = topology.parametersOf(kind)[static_cast<std::size_t>(list.parameters[e])][0];
            if (!(length > 0))
                throw base::RunFailed(fmt::format("molecule type {}: the constraint between atoms {} and {} has a length of {} nm",
                                                  type.name, a + 1, b + 1, length));
            auto const [at, added] = known.try_emplace(std::minmax(a, b), length);
            if (added)
                bonds.push_back({a, b, length});
            else if (at->second != length) // a second equation for one distance: as good as the first, or a contradiction
                throw base::RunFailed(fmt::format("molecule type {}: constraints of {} and {} nm between atoms {} and {}", type.name,
                                                  at->second, length, a + 1, b + 1));
        }
    }
    return bonds;
}

/// For each atom the lowest one that constraints join it to.
std::vector<std::int32_t> componentsOf(std::size_t atoms, std::vector<WrittenBond> const& bonds)
{
    std::vector<std::int32_t> parent(atoms);
    std::iota(parent.begin(), parent.end(), 0);
    auto const root = [&](std::int32_t i) {
        while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
        return i;
    };
    for (WrittenBond const& bond : bonds) {
        std::int32_t const a = root(bond.a), b = root(bond.b);
        parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    for (std::size_t i = 0; i < atoms; ++i) parent[i] = root(static_cast<std::int32_t>(i));
    return parent;
}

double inverseMassOf(system::MoleculeType const& type, std::int32_t atom, Weights weights)
{
    double const mass = type.atoms[static_cast<std::size_t>(atom)].mass;
    if (!(mass > 0)) throw base::RunFailed(fmt::format("molecule type {}: atom {} has a constraint and no mass", type.name, atom + 1));
    return weights == Weights::equal ? 1.0 : 1.0 / mass;
}

void addCouplings(ConstraintShape& shape)
{
    std::vector<std::vector<std::int32_t>> bondsAt(shape.atoms.size());
    for (std::size_t i = 0; i < shape.bonds.size(); ++i)
        for (std::int32_t const atom : {shape.bonds[i].a, shape.bonds[i].b})
            bondsAt[static_cast<std::size_t>(atom)].push_back(static_cast<std::int32_t>(i));
    shape.couplingStart.push_back(0);
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const& bond = shape.bonds[i];
        for (std::int32_t const atom : {bond.a, bond.b})
            for (std::int32_t const other : bondsAt[static_cast<std::size_t>(atom)]) {
                if (other == static_cast<std::int32_t>(i)) continue;
                ConstraintBond const& partner = shape.bonds[static_cast<std::size_t>(other)];
                double const signs = (atom == bond.a) == (atom == partner.a) ? 1.0 : -1.0;
                shape.couplings.push_back({other, physics::constraintCoupling(signs, shape.inverseMass[static_cast<std::size_t>(atom)],
                                                                              bond.scale, partner.scale)});
            }
        shape.couplingStart.push_back(static_cast<std::int32_t>(shape.couplings.size()));
    }
}

/// The pairs of atoms that a shape joins, for questions.
class JoinedPairs {
public:
    explicit JoinedPairs(ConstraintShape const& shape)
    {
        for (ConstraintBond const& bond : shape.bonds) pairs_.push_back(std::minmax(bond.a, bond.b));
        std::sort(pairs_.begin(), pairs_.end());
    }
    /// True where a third bond closes the triangle of two that share an atom.
    [[nodiscard]] bool closeTriangle(ConstraintBond const& one, ConstraintBond const& two) const
    {
        std::int32_t const shared = one.a == two.a || one.a == two.b ? one.a : one.b;
        std::int32_t const end = one.a == shared ? one.b : one.a, otherEnd = two.a == shared ? two.b : two.a;
        std::pair<std::int32_t, std::int32_t> const third = std::minmax(end, otherEnd);
        return std::binary_search(pairs_.begin(), pairs_.end(), third);
    }

private:
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;
};

void addTriangles(ConstraintShape& shape)
{
    if (shape.bonds.size() < shape.atoms.size()) return; // a tree has none
    JoinedPairs const joined(shape);
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        std::size_t const before = shape.triangleCouplings.size();
        for (std::int32_t c = shape.couplingStart[i]; c < shape.couplingStart[i + 1]; ++c) {
            auto const other = static_cast<std::size_t>(shape.couplings[static_cast<std::size_t>(c)].other);
            if (joined.closeTriangle(shape.bonds[i], shape.bonds[other])) shape.triangleCouplings.push_back(c);
        }
        if (shape.triangleCouplings.size() == before) continue;
        shape.triangleBonds.push_back(static_cast<std::int32_t>(i));
        shape.triangleStart.push_back(static_cast<std::int32_t>(before));
    }
    shape.triangleStart.push_back(static_cast<std::int32_t>(shape.triangleCouplings.size()));
}

/// The shapes of one molecule type, by their lowest atom.
std::vector<ConstraintShape> shapesOf(system::Topology const& topology, system::MoleculeType const& type, Weights weights)
{
    std::vector<WrittenBond> const bonds = bondsOf(topology, type);
    std::vector<std::int32_t> const component = componentsOf(type.atoms.size(), bonds);
    std::map<std::int32_t, ConstraintShape> byRoot;
    for (WrittenBond const& bond : bonds) byRoot[component[static_cast<std::size_t>(bond.a)]];
    std::vector<std::int32_t> local(type.atoms.size(), -1);
    for (std::size_t i = 0; i < type.atoms.size(); ++i) {
        auto const found = byRoot.find(component[i]);
        if (found == byRoot.end()) continue;
        ConstraintShape& shape = found->second;
        local[i] = static_cast<std::int32_t>(shape.atoms.size());
        shape.atoms.push_back(static_cast<std::int32_t>(i));
        shape.inverseMass.push_back(inverseMassOf(type, static_cast<std::int32_t>(i), weights));
    }
    for (WrittenBond const& written : bonds) {
        ConstraintShape& shape = byRoot[component[static_cast<std::size_t>(written.a)]];
        ConstraintBond bond{local[static_cast<std::size_t>(written.a)], local[static_cast<std::size_t>(written.b)], written.length, 0};
        bond.scale = physics::constraintScale(shape.inverseMass[static_cast<std::size_t>(bond.a)],
                                              shape.inverseMass[static_cast<std::size_t>(bond.b)]);
        shape.bonds.push_back(bond);
    }
    std::vector<ConstraintShape> shapes;
    for (auto& [root, shape] : byRoot) {
        addCouplings(shape);
        addTriangles(shape);
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

} // namespace

ConstraintSet::ConstraintSet(system::Topology const& topology, Weights weights)
{
    std::vector<std::pair<std::int32_t, std::int32_t>> shapeRange; // by molecule type
    for (system::MoleculeType const& type : topology.types) {
        auto const first = static_cast<std::int32_t>(shapes_.size());
        for (ConstraintShape& shape : shapesOf(topology, type, weights)) shapes_.push_back(std::move(shape));
        shapeRange.emplace_back(first, static_cast<std::int32_t>(shapes_.size()));
    }
    if (!shapes_.empty() && topology.atomCount > std::numeric_limits<std::int32_t>::max())
        throw base::RunFailed("more atoms than one process can hold: split the run over more ranks");
    for (system::MoleculeBlock const& block : topology.blocks) {
        auto const [begin, end] = shapeRange[static_cast<std::size_t>(block.type)];
        auto const size = static_cast<std::int64_t>(topology.types[static_cast<std::size_t>(block.type)].atoms.size());
        for (std::int64_t m = 0; m < block.count && begin < end; ++m)
            for (std::int32_t shape = begin; shape < end; ++shape)
                groups_.push_back({shape, static_cast<std::int32_t>(block.firstAtom + m * size)});
    }
}

std::int64_t ConstraintSet::bondCount() const
{
    std::int64_t all = 0;
    for (ConstraintGroup const group : groups_) all += static_cast<std::int64_t>(shapeOf(group).bonds.size());
    return all;
}

} // namespace alder::constraints
