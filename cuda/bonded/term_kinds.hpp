#pragma once
// The force of one term, kind by kind, from the laws of bonded/laws.hpp. Twin of the loops of cpu/bonded/bonded_forces.cpp.

#include "bonded/laws.hpp"
#include "bonded/term_sums.hpp"
#include "bonded/term_views.hpp"
#include "physics/box.hpp"
#include "physics/cmap.hpp"
#include "physics/flat_bottom.hpp"

#include <cstddef>
#include <utility>

namespace alder::cuda {

using math::Vec3d;
using system::Kind;

/// How a kind's atoms enter its law.
enum class Family : std::uint8_t { none, distance, pair, angle, dihedral, map, held, flatBottom, vectorAngle, axisAngle };

ALDER_HD constexpr Family familyOf(Kind kind)
{
    switch (kind) {
    case Kind::bond:
    case Kind::g96Bond:
    case Kind::morse:
    case Kind::cubicBond:
    case Kind::harmonic:
    case Kind::fene:
    case Kind::restraintBond: return Family::distance;
    case Kind::pair14:
    case Kind::pair14Charges:
    case Kind::pairNonbonded: return Family::pair;
    case Kind::angle:
    case Kind::g96Angle:
    case Kind::crossBondBond:
    case Kind::crossBondAngle:
    case Kind::ureyBradley:
    case Kind::quarticAngle:
    case Kind::restrictedAngle: return Family::angle;
    case Kind::properDihedral:
    case Kind::periodicImproper:
    case Kind::improperDihedral:
    case Kind::ryckaertBellemans:
    case Kind::fourierDihedral:
    case Kind::restrictedDihedral:
    case Kind::combinedBendingTorsion:
    case Kind::dihedralRestraint: return Family::dihedral;
    case Kind::cmap: return Family::map;
    case Kind::positionRestraint: return Family::held;
    case Kind::flatBottomRestraint: return Family::flatBottom;
    case Kind::angleRestraint: return Family::vectorAngle;
    case Kind::angleRestraintZ: return Family::axisAngle;
    default: return Family::none;
    }
}

/// One thread's term.
struct Term {
    TermViews const& views;
    physics::Box const& box;
    TermSlice slice;
    std::int32_t index; ///< in the slice
    [[nodiscard]] __device__ std::int32_t number() const { return slice.firstTerm + index; }
    [[nodiscard]] __device__ std::int32_t atom(int a) const { return views.atoms[slice.firstAtom + a * slice.count + index]; }
    [[nodiscard]] __device__ PreparedSet parameters() const { return views.sets[views.setOf[number()]]; }
    [[nodiscard]] __device__ Vec3d difference(std::int32_t i, std::int32_t j) const
    {
        return box.difference(views.positions[i], views.positions[j]);
    }
};

template <Kind kind, class Sums> __device__ void addDistance(Term const& term, Sums& sums)
{
    std::int32_t const i = term.atom(0), j = term.atom(1);
    PreparedSet const p = term.parameters();
    Vec3d const rij = term.difference(i, j);
    double const r = norm(rij);
    physics::Radial<double> const v = bonded::Law<kind>::at(r, p.of);
    Vec3d const force = physics::radialForce(rij, r, v.slope);
    if (!sums.addForces(i, force, j) || !Sums::wantEnergies) return;
    sums.addEnergy(v.energy);
    sums.addVirial(outer(rij, force));
}

template <class Sums> __device__ void addPair(Term const& term, Sums& sums)
{
    std::int32_t const i = term.atom(0), j = term.atom(1);
    PreparedSet const p = term.parameters();
    Vec3d const rij = term.difference(i, j);
    physics::PlainPair<double> const v = physics::plainPair(norm2(rij), p.of[0], p.of[1], p.of[2]);
    Vec3d const force = v.forceFactor * rij;
    if (!sums.addForces(i, force, j) || !Sums::wantEnergies) return;
    sums.addEnergy(v.lj);
    sums.addSecondEnergy(v.coulomb);
    sums.addVirial(outer(rij, force));
}

template <Kind kind, class Sums> __device__ void addAngle(Term const& term, Sums& sums)
{
    std::int32_t const i = term.atom(0), j = term.atom(1), k = term.atom(2);
    PreparedSet const p = term.parameters();
    Vec3d const rij = term.difference(i, j), rkj = term.difference(k, j);
    physics::AngleTerm<double> const v = bonded::Law<kind>::at(rij, rkj, p.of);
    if (!sums.addForces(i, v.forceI, k, v.forceK, j) || !Sums::wantEnergies) return;
    sums.addEnergy(v.energy);
    sums.addVirial(outer(rij, v.forceI) + outer(rkj, v.forceK));
}

/// Four atoms, and the vectors that fix them.
struct Torsion {
    std::int32_t i, j, k, l;
    Vec3d rij, rkj, rkl;
    /// Of the term's atoms from `first` on.
    __device__ Torsion(Term const& term, int first)
        : i(term.atom(first)),
          j(term.atom(first + 1)),
          k(term.atom(first + 2)),
          l(term.atom(first + 3)),
          rij(term.difference(i, j)),
          rkj(term.difference(k, j)),
          rkl(term.difference(k, l))
    {}
    [[nodiscard]] __device__ physics::DihedralGeometry<double> geometry() const { return {rij, rkj, rkl}; }
    template <class Sums> __device__ bool add(physics::DihedralTerm<double> const& v, Sums& sums) const
    {
        if (!sums.addForces({i, j, k, l}, v.forceI, v.forceK, v.forceL)) return false;
        if (Sums::wantEnergies) sums.addVirial(outer(rij, v.forceI) + outer(rkj, v.forceK) + outer(rkj - rkl, v.forceL));
        return true;
    }
};

template <Kind kind, class Sums> __device__ void addDihedral(Term const& term, Sums& sums)
{
    Torsion const torsion(term, 0);
    PreparedSet const p = term.parameters();
    physics::DihedralTerm<double> const v = bonded::Law<kind>::at(torsion.geometry(), p.of);
    if (torsion.add(v, sums) && Sums::wantEnergies) sums.addEnergy(v.energy);
}

/// A map's nodes, as interpolateCmap() asks for them.
struct MapNodes {
    View<physics::CmapNode<double> const> all;
    std::int32_t first;
    __device__ physics::CmapNode<double> operator[](int node) const { return all[first + node]; }
};

template <class Sums> __device__ void addMap(Term const& term, Sums& sums)
{
    auto const map = static_cast<std::int32_t>(term.parameters().of[0]);
    MapNodes const nodes{term.views.cmapNodes, term.views.cmapShapes[2 * map]};
    Torsion const phi(term, 0), psi(term, 1);
    physics::DihedralGeometry<double> const a = phi.geometry(), b = psi.geometry();
    physics::CmapTerm<double> const v = physics::interpolateCmap(nodes, term.views.cmapShapes[2 * map + 1], a.angle(), b.angle());
    if (!phi.add(a.withSlope(v.energy, v.slopePhi), sums)) return;
    if (psi.add(b.withSlope(v.energy, v.slopePsi), sums) && Sums::wantEnergies) sums.addEnergy(v.energy);
}

/// Where an atom is held: the part of its reference that stays where it is when the box changes, and the displacement from the whole.
struct Hold {
    std::int32_t atom;
    Vec3d fixed, displacement;
    __device__ explicit Hold(Term const& term) : atom(term.atom(0)), fixed(term.views.references[atom])
    {
        Vec3d whole = fixed;
        if (term.views.movingReferences) {
            Vec3d const f = term.views.referenceFractions[atom];
            whole += f.x * term.box.a() + f.y * term.box.b() + f.z * term.box.c();
        }
        displacement = term.box.difference(term.views.positions[atom], term.box.toFraction(whole));
    }
    /// The virial is the diagonal of -1/2 sum (R_fixed + d) F, as on the CPU.
    template <class Sums> __device__ void add(physics::PlaceTerm<double> const& v, Sums& sums) const
    {
        if (!sums.addForce(atom, v.force) || !Sums::wantEnergies) return;
        sums.addEnergy(v.energy);
        Vec3d const r = fixed + displacement;
        sums.addVirial({{r.x * v.force.x, 0, 0}, {0, r.y * v.force.y, 0}, {0, 0, r.z * v.force.z}});
    }
};

template <class Sums> __device__ void addHeld(Term const& term, Sums& sums)
{
    Hold const hold(term);
    PreparedSet const p = term.parameters();
    Vec3d const d = hold.displacement, force{-p.of[0] * d.x, -p.of[1] * d.y, -p.of[2] * d.z};
    hold.add({-0.5 * dot(force, d), force}, sums);
}

template <class Sums> __device__ void addFlatBottom(Term const& term, Sums& sums)
{
    Hold const hold(term);
    PreparedSet const p = term.parameters();
    Vec3d const counted = physics::countedAxes<double>(static_cast<int>(p.of[0]));
    hold.add(physics::flatBottom(hold.displacement, counted, p.of[1], p.of[2]), sums);
}

template <class Sums> __device__ void addVectorAngle(Term const& term, Sums& sums)
{
    std::int32_t const i = term.atom(0), j = term.atom(1), k = term.atom(2), l = term.atom(3);
    PreparedSet const p = term.parameters();
    Vec3d const ij = term.difference(j, i), kl = term.difference(l, k);
    physics::AngleTerm<double> const v = bonded::Law<Kind::angleRestraint>::at(ij, kl, p.of);
    if (!sums.addForces(j, v.forceI, i) || !sums.addForces(l, v.forceK, k) || !Sums::wantEnergies) return;
    sums.addEnergy(v.energy);
    sums.addVirial(outer(ij, v.forceI) + outer(kl, v.forceK));
}

template <class Sums> __device__ void addAxisAngle(Term const& term, Sums& sums)
{
    std::int32_t const i = term.atom(0), j = term.atom(1);
    PreparedSet const p = term.parameters();
    Vec3d const ij = term.difference(j, i);
    physics::AngleTerm<double> const v = bonded::Law<Kind::angleRestraintZ>::at(ij, Vec3d{0, 0, 1}, p.of);
    if (!sums.addForces(j, v.forceI, i) || !Sums::wantEnergies) return;
    sums.addEnergy(v.energy);
    sums.addVirial(outer(ij, v.forceI));
}

/// What a launch takes. Energy maps go by themselves: one kernel for all kinds needs 162 registers a thread, two need 128 and 110 (sm_90),
/// so that a multiprocessor holds four blocks instead of three.
enum class Part : std::uint8_t { maps, others };
ALDER_HD constexpr bool takes(Part part, Kind kind)
{
    return familyOf(kind) != Family::none && (familyOf(kind) == Family::map) == (part == Part::maps);
}

template <Part part, Kind kind, class Sums> __device__ void addIfKind(Term const& term, Sums& sums)
{
    constexpr Family family = familyOf(kind);
    if constexpr (takes(part, kind)) {
        if (term.slice.kind != static_cast<std::int32_t>(kind)) return;
        if constexpr (family == Family::distance) addDistance<kind>(term, sums);
        if constexpr (family == Family::pair) addPair(term, sums);
        if constexpr (family == Family::angle) addAngle<kind>(term, sums);
        if constexpr (family == Family::dihedral) addDihedral<kind>(term, sums);
        if constexpr (family == Family::map) addMap(term, sums);
        if constexpr (family == Family::held) addHeld(term, sums);
        if constexpr (family == Family::flatBottom) addFlatBottom(term, sums);
        if constexpr (family == Family::vectorAngle) addVectorAngle(term, sums);
        if constexpr (family == Family::axisAngle) addAxisAngle(term, sums);
    }
}

template <Part part, class Sums, std::size_t... kind> __device__ void addTerm(Term const& term, Sums& sums, std::index_sequence<kind...>)
{
    (addIfKind<part, static_cast<Kind>(kind)>(term, sums), ...);
}

} // namespace alder::cuda
