#pragma once
// Which formula a kind of interaction is, and how its prepared parameters enter it. One row a kind, for every back end.

#include "physics/angle.hpp"
#include "physics/bond.hpp"
#include "physics/dihedral.hpp"
#include "physics/pair14.hpp"
#include "system/interaction.hpp"

namespace alder::bonded {

using math::Vec3;
using system::Kind;

/// at() takes prepared parameters (prepare(), prepared_parameters.hpp). Two atoms: the distance. Three: r_i - r_j, r_k - r_j. Four: their
/// geometry.
template <Kind kind> struct Law;

template <> struct Law<Kind::bond> {
    template <class T> static ALDER_HD physics::Radial<T> at(T r, T const* p) { return physics::harmonic(r, p[0], p[1]); }
};
template <> struct Law<Kind::harmonic> : Law<Kind::bond> {};
template <> struct Law<Kind::g96Bond> {
    template <class T> static ALDER_HD physics::Radial<T> at(T r, T const* p) { return physics::quarticBond(r, p[0], p[1]); }
};
template <> struct Law<Kind::morse> {
    template <class T> static ALDER_HD physics::Radial<T> at(T r, T const* p) { return physics::morse(r, p[0], p[1], p[2]); }
};
template <> struct Law<Kind::cubicBond> {
    template <class T> static ALDER_HD physics::Radial<T> at(T r, T const* p) { return physics::cubicBond(r, p[0], p[1], p[2]); }
};
template <> struct Law<Kind::fene> {
    template <class T> static ALDER_HD physics::Radial<T> at(T r, T const* p) { return physics::fene(r, p[0], p[1]); }
};
template <> struct Law<Kind::restraintBond> {
    template <class T> static ALDER_HD physics::Radial<T> at(T r, T const* p) { return physics::restraintBond(r, p[0], p[1], p[2], p[3]); }
};

template <> struct Law<Kind::angle> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> ij, Vec3<T> kj, T const* p)
    {
        return physics::harmonicAngle(ij, kj, p[0], p[1]);
    }
};
template <> struct Law<Kind::g96Angle> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> ij, Vec3<T> kj, T const* p)
    {
        return physics::cosineAngle(ij, kj, p[0], p[1]);
    }
};
template <> struct Law<Kind::restrictedAngle> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> ij, Vec3<T> kj, T const* p)
    {
        return physics::restrictedAngle(ij, kj, p[0], p[1]);
    }
};
template <> struct Law<Kind::quarticAngle> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> ij, Vec3<T> kj, T const* p)
    {
        return physics::quarticAngle(ij, kj, p[0], p + 1);
    }
};
template <> struct Law<Kind::ureyBradley> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> ij, Vec3<T> kj, T const* p)
    {
        return physics::ureyBradley(ij, kj, physics::UreyBradley<T>{p[0], p[1], p[2], p[3]});
    }
};
template <> struct Law<Kind::crossBondBond> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> ij, Vec3<T> kj, T const* p)
    {
        return physics::crossBondBond(ij, kj, p[0], p[1], p[2]);
    }
};
template <> struct Law<Kind::crossBondAngle> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> ij, Vec3<T> kj, T const* p)
    {
        return physics::crossBondAngle(ij, kj, physics::CrossBondAngle<T>{p[0], p[1], p[2], p[3]});
    }
};

template <> struct Law<Kind::properDihedral> {
    template <class T> static ALDER_HD physics::DihedralTerm<T> at(physics::DihedralGeometry<T> const& g, T const* p)
    {
        return physics::periodicDihedral(g, physics::PeriodicDihedral<T>{p[0], p[1], p[2], static_cast<int>(p[3])});
    }
};
template <> struct Law<Kind::periodicImproper> : Law<Kind::properDihedral> {};
template <> struct Law<Kind::improperDihedral> {
    template <class T> static ALDER_HD physics::DihedralTerm<T> at(physics::DihedralGeometry<T> const& g, T const* p)
    {
        return physics::harmonicDihedral(g, p[0], p[1]);
    }
};
template <> struct Law<Kind::ryckaertBellemans> {
    template <class T> static ALDER_HD physics::DihedralTerm<T> at(physics::DihedralGeometry<T> const& g, T const* p)
    {
        return physics::cosineSeriesDihedral(g, p);
    }
};
template <> struct Law<Kind::fourierDihedral> : Law<Kind::ryckaertBellemans> {};
template <> struct Law<Kind::restrictedDihedral> {
    template <class T> static ALDER_HD physics::DihedralTerm<T> at(physics::DihedralGeometry<T> const& g, T const* p)
    {
        return physics::restrictedDihedral(g, p[0], p[1]);
    }
};
template <> struct Law<Kind::combinedBendingTorsion> {
    template <class T> static ALDER_HD physics::DihedralTerm<T> at(physics::DihedralGeometry<T> const& g, T const* p)
    {
        return physics::combinedBendingTorsion(g, p[0], p + 1);
    }
};

template <> struct Law<Kind::dihedralRestraint> {
    template <class T> static ALDER_HD physics::DihedralTerm<T> at(physics::DihedralGeometry<T> const& g, T const* p)
    {
        return physics::flatBottomDihedral(g, p[0], p[1], p[2]);
    }
};
/// Of two vectors.
template <> struct Law<Kind::angleRestraint> {
    template <class T> static ALDER_HD physics::AngleTerm<T> at(Vec3<T> a, Vec3<T> b, T const* p)
    {
        return physics::periodicAngle(a, b, p[0], p[1], p[2]);
    }
};
template <> struct Law<Kind::angleRestraintZ> : Law<Kind::angleRestraint> {};

} // namespace alder::bonded
