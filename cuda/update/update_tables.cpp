#include "update/update_tables.hpp"

#include "base/error.hpp"
#include "constraints/free_atoms.hpp"

#include <limits>

namespace alder::cuda {

namespace {

template <class T> Stretch append(std::vector<T>& all, std::vector<T> const& part)
{
    Stretch const at{static_cast<std::int32_t>(all.size()), static_cast<std::int32_t>(part.size())};
    all.insert(all.end(), part.begin(), part.end());
    return at;
}

bool fits(constraints::ConstraintShape const& shape, std::size_t atoms, std::size_t bonds, std::size_t couplings)
{
    return shape.atoms.size() <= atoms && shape.bonds.size() <= bonds && shape.couplings.size() <= couplings;
}

} // namespace

bool fitsThread(constraints::ConstraintShape const& shape) { return fits(shape, largeAtoms, largeBonds, largeCouplings); }

UpdateTables::UpdateTables(system::Topology const& topology, plan::ConstraintPlan const& constraints, Stream& stream) : solver_(constraints)
{
    if (topology.atomCount > std::numeric_limits<std::int32_t>::max())
        throw base::RunFailed("more atoms than one process can hold: split the run over more ranks");
    std::vector<double> mass(static_cast<std::size_t>(topology.atomCount)), inverse(mass.size());
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        mass[static_cast<std::size_t>(i)] = atom.mass;
        inverse[static_cast<std::size_t>(i)] = atom.mass > 0 ? 1.0 / atom.mass : 0.0;
        totalMass_ += atom.mass;
    });
    if (topology.part.whole != nullptr) totalMass_ = topology.part.wholeMass;
    mass_.upload(mass, stream);
    numbers_.upload(topology.part.numbers, stream);
    inverseMass_.upload(inverse, stream);
    groupOf_.upload(topology.temperatureGroups.groupOf, stream);
    constraints::SettleSet const waters(topology);
    constraints::ConstraintSet const groups(topology);
    free_.upload(constraints::freeAtoms(topology, waters, groups), stream);
    takeWaters(waters, stream);
    takeShapes(groups, stream);
    takeMolecules(groups, stream);
}

void UpdateTables::takeWaters(constraints::SettleSet const& set, Stream& stream)
{
    std::vector<TriangleWater> waters;
    std::vector<Triangle> triangles;
    for (constraints::SettleGroup const& group : set.groups()) {
        auto const triangle = static_cast<std::int32_t>(triangles.size());
        triangles.push_back({group.geometry, 1.0 / group.geometry.oxygenMass, 1.0 / group.geometry.hydrogenMass});
        for (constraints::WaterAtoms const& water : group.waters)
            waters.push_back({water.oxygen, water.hydrogen1, water.hydrogen2, triangle});
    }
    waters_.upload(waters, stream);
    triangles_.upload(triangles, stream);
}

void UpdateTables::takeShapes(constraints::ConstraintSet const& set, Stream& stream)
{
    std::vector<ShapePlace> places;
    std::vector<std::int32_t> atoms, couplingStart, triangleBonds, triangleStart, triangleCouplings;
    std::vector<double> inverseMass;
    std::vector<constraints::ConstraintBond> bonds;
    std::vector<constraints::BondCoupling> couplings;
    for (constraints::ConstraintShape const& shape : set.shapes()) {
        ShapePlace place;
        place.atoms = append(atoms, shape.atoms);
        append(inverseMass, shape.inverseMass);
        place.bonds = append(bonds, shape.bonds);
        place.couplings = append(couplings, shape.couplings);
        place.couplingStart = append(couplingStart, shape.couplingStart).first;
        place.triangleBonds = append(triangleBonds, shape.triangleBonds);
        place.triangleCouplings = append(triangleCouplings, shape.triangleCouplings);
        place.triangleStart = append(triangleStart, shape.triangleStart).first;
        places.push_back(place);
    }
    std::vector<constraints::ConstraintGroup> small, large;
    for (constraints::ConstraintGroup const group : set.groups())
        if (fitsThread(set.shapeOf(group)))
            (fits(set.shapeOf(group), smallAtoms, smallBonds, smallCouplings) ? small : large).push_back(group);
    places_.upload(places, stream);
    shapeAtoms_.upload(atoms, stream);
    shapeInverseMass_.upload(inverseMass, stream);
    bonds_.upload(bonds, stream);
    couplings_.upload(couplings, stream);
    couplingStart_.upload(couplingStart, stream);
    triangleBonds_.upload(triangleBonds, stream);
    triangleStart_.upload(triangleStart, stream);
    triangleCouplings_.upload(triangleCouplings, stream);
    small_.upload(small, stream);
    large_.upload(large, stream);
}

/// Which bonds each atom of each shape has, in their order, and room for the groups that need it.
void UpdateTables::takeMolecules(constraints::ConstraintSet const& set, Stream& stream)
{
    std::vector<std::int32_t> start{0};
    std::vector<AtomBond> bonds;
    for (constraints::ConstraintShape const& shape : set.shapes()) {
        std::vector<std::vector<AtomBond>> byAtom(shape.atoms.size());
        for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
            byAtom[static_cast<std::size_t>(shape.bonds[i].a)].push_back({static_cast<std::int32_t>(i), 1});
            byAtom[static_cast<std::size_t>(shape.bonds[i].b)].push_back({static_cast<std::int32_t>(i), -1});
        }
        for (std::vector<AtomBond> const& of : byAtom) {
            bonds.insert(bonds.end(), of.begin(), of.end());
            start.push_back(static_cast<std::int32_t>(bonds.size()));
        }
    }
    std::vector<MoleculeGroup> molecules;
    std::size_t atomRoom = 0, bondRoom = 0, couplingRoom = 0;
    for (constraints::ConstraintGroup const group : set.groups()) {
        constraints::ConstraintShape const& shape = set.shapeOf(group);
        if (fitsThread(shape)) continue;
        molecules.push_back(
            {group, static_cast<std::int32_t>(atomRoom), static_cast<std::int32_t>(bondRoom), static_cast<std::int32_t>(couplingRoom)});
        atomRoom += shape.atoms.size();
        bondRoom += shape.bonds.size();
        couplingRoom += shape.couplings.size();
    }
    atomBondStart_.upload(start, stream);
    atomBonds_.upload(bonds, stream);
    molecules_.upload(molecules, stream);
    atomVectors_.resize(4 * atomRoom);
    bondVectors_.resize(2 * bondRoom);
    bondNumbers_.resize(6 * bondRoom);
    otherNumbers_.resize(couplingRoom + molecules.size());
}

MoleculeRoom UpdateTables::room() const
{
    std::size_t const atoms = atomVectors_.size() / 4, bonds = bondVectors_.size() / 2;
    View<math::Vec3d> const a = atomVectors_.view(), b = bondVectors_.view();
    View<double> const n = bondNumbers_.view(), other = otherNumbers_.view();
    return {a,
            a.from(atoms),
            a.from(2 * atoms),
            a.from(3 * atoms),
            b,
            b.from(bonds),
            n,
            n.from(bonds),
            n.from(2 * bonds),
            n.from(3 * bonds),
            n.from(4 * bonds),
            n.from(5 * bonds),
            other,
            other.from(otherNumbers_.size() - molecules_.size())};
}

ShapeTables UpdateTables::shapes() const
{
    return {places_.constView(),        shapeAtoms_.constView(),    shapeInverseMass_.constView(),
            bonds_.constView(),         couplingStart_.constView(), couplings_.constView(),
            triangleBonds_.constView(), triangleStart_.constView(), triangleCouplings_.constView()};
}

std::size_t UpdateTables::slotCount() const
{
    return static_cast<std::size_t>(slots(free_.size()) + slots(waters_.size()) + slots(small_.size()) + slots(large_.size())) +
           molecules_.size() * (moleculeThreads / 32);
}

} // namespace alder::cuda
