#pragma once
// Potentials of the angle i-j-k at j, and of the angle together with its distances. nm, kJ/mol, rad.

#include "math/elementary.hpp"
#include "physics/bond.hpp"

namespace alder::physics {

/// What a three-atom term gives: V and the forces on i and k; the force on j is minus their sum.
template <class T> struct AngleTerm {
    T energy{};
    math::Vec3<T> forceI, forceK;
};

/// The angle between a = r_i - r_j and b = r_k - r_j.
///
/// With n = a x b: sin = |n|/(|a||b|), cos = a.b/(|a||b|). The angle is atan2(|n|, a.b), exact to rounding at every angle, where
/// acos(cos) loses half the digits near 0 and pi. Moving i turns the angle fastest along a x n, which is perpendicular to a in the
/// plane, has length |a||n|, and points away from b:   d angle/d r_i = (a x n)/(a^2 |n|),   d angle/d r_k = (n x b)/(b^2 |n|).
/// On a straight line (|n| = 0) the plane is undefined.
template <class T> struct AngleGeometry {
    math::Vec3<T> a, b, n;
    T a2, b2, n2, ab;
    ALDER_HD AngleGeometry(math::Vec3<T> rij, math::Vec3<T> rkj)
        : a(rij),
          b(rkj),
          n(cross(rij, rkj)),
          a2(norm2(rij)),
          b2(norm2(rkj)),
          n2(norm2(n)),
          ab(dot(rij, rkj))
    {}
    [[nodiscard]] ALDER_HD T angle() const
    {
        using math::atan2;
        using std::sqrt;
        return atan2(sqrt(n2), ab);
    }
    [[nodiscard]] ALDER_HD T cosine() const
    {
        using std::sqrt;
        return ab / sqrt(a2 * b2);
    }
    /// Forces of a potential with dV/d angle = slope. A slope that stays finite on a straight line is a cusp of V there: its
    /// mean over directions, no force, is taken.
    [[nodiscard]] ALDER_HD AngleTerm<T> withSlope(T energy, T slope) const
    {
        using std::sqrt;
        T const s = -slope / sqrt(n2);
        T const i = s / a2, k = s / b2; // divided before the choice: a choice of numbers is no branch
        return {energy, (n2 > 0 ? i : T(0)) * cross(a, n), (n2 > 0 ? k : T(0)) * cross(n, b)};
    }
    /// Forces of a potential with dV/d cos = slope: no division by the sine, finite on a straight line.
    /// d cos/d r_i = b/(|a||b|) - cos a/a^2, and the same with a and b exchanged.
    [[nodiscard]] ALDER_HD AngleTerm<T> withCosineSlope(T energy, T slope) const
    {
        using std::sqrt;
        T const inverse = 1 / sqrt(a2 * b2);
        T const c = ab * inverse;
        return {energy, -slope * (inverse * b - (c / a2) * a), -slope * (inverse * a - (c / b2) * b)};
    }
};

/// V = k/2 (angle - angle0)^2
template <class T> ALDER_HD AngleTerm<T> harmonicAngle(math::Vec3<T> rij, math::Vec3<T> rkj, T angle0, T k)
{
    AngleGeometry<T> const g(rij, rkj);
    T const d = g.angle() - angle0;
    return g.withSlope(T(0.5) * k * d * d, k * d);
}

/// The angle between any two vectors: V = k (1 - cos(n (angle - angle0))), dV/d angle = k n sin(n (angle - angle0)). Forces on the ends of
/// the vectors; their beginnings take the opposite.
template <class T> ALDER_HD AngleTerm<T> periodicAngle(math::Vec3<T> a, math::Vec3<T> b, T angle0, T k, T multiplicity)
{
    using std::cos, std::sin;
    AngleGeometry<T> const g(a, b);
    T const d = multiplicity * (g.angle() - angle0);
    return g.withSlope(k * (1 - cos(d)), k * multiplicity * sin(d));
}

/// The angle of GROMOS-96: V = k/2 (cos angle - cos0)^2, k in kJ/mol.
template <class T> ALDER_HD AngleTerm<T> cosineAngle(math::Vec3<T> rij, math::Vec3<T> rkj, T cos0, T k)
{
    AngleGeometry<T> const g(rij, rkj);
    T const d = g.cosine() - cos0;
    return g.withCosineSlope(T(0.5) * k * d * d, k * d);
}

/// V = sum_n c[n] (angle - angle0)^n, n = 0..4, c[n] in kJ/mol/rad^n.
template <class T> ALDER_HD AngleTerm<T> quarticAngle(math::Vec3<T> rij, math::Vec3<T> rkj, T angle0, T const* c)
{
    AngleGeometry<T> const g(rij, rkj);
    T const d = g.angle() - angle0;
    T const energy = c[0] + d * (c[1] + d * (c[2] + d * (c[3] + d * c[4])));
    T const slope = c[1] + d * (2 * c[2] + d * (3 * c[3] + d * 4 * c[4]));
    return g.withSlope(energy, slope);
}

/// Restricted bending (Bulacu et al., JCTC 9, 3282, 2013): V = k/2 (c - c0)^2 / s^2, c = cos, s = sin of the angle.
/// dV/dc = k (c - c0)/s^2 + k (c - c0)^2 c/s^4 = k (c - c0)(1 - c c0)/s^4, since s^2 + c^2 - c c0 = 1 - c c0.
/// s^2 is taken as n^2/(a^2 b^2), not as 1 - c^2: the wall at a straight angle is what the term is for. Not finite on it.
template <class T> ALDER_HD AngleTerm<T> restrictedAngle(math::Vec3<T> rij, math::Vec3<T> rkj, T cos0, T k)
{
    AngleGeometry<T> const g(rij, rkj);
    T const c = g.cosine();
    T const inverseSine2 = g.a2 * g.b2 / g.n2;
    T const d = c - cos0;
    return g.withCosineSlope(T(0.5) * k * d * d * inverseSine2, k * d * (1 - c * cos0) * inverseSine2 * inverseSine2);
}

/// Urey-Bradley: a harmonic angle and a harmonic distance i-k.
template <class T> struct UreyBradley {
    T angle0, kAngle, distance0, kDistance;
};
template <class T> ALDER_HD AngleTerm<T> ureyBradley(math::Vec3<T> rij, math::Vec3<T> rkj, UreyBradley<T> p)
{
    AngleTerm<T> term = harmonicAngle(rij, rkj, p.angle0, p.kAngle);
    math::Vec3<T> const rik = rij - rkj;
    T const r = norm(rik);
    Radial<T> const v = harmonic(r, p.distance0, p.kDistance);
    math::Vec3<T> const f = radialForce(rik, r, v.slope);
    return {term.energy + v.energy, term.forceI + f, term.forceK - f};
}

/// V = k (|r_ij| - r1)(|r_kj| - r2)
template <class T> ALDER_HD AngleTerm<T> crossBondBond(math::Vec3<T> rij, math::Vec3<T> rkj, T r1, T r2, T k)
{
    T const a = norm(rij), b = norm(rkj);
    T const d1 = a - r1, d2 = b - r2;
    return {k * d1 * d2, radialForce(rij, a, k * d2), radialForce(rkj, b, k * d1)};
}

/// V = k (|r_ik| - r3)(|r_ij| - r1 + |r_kj| - r2)
template <class T> struct CrossBondAngle {
    T r1, r2, r3, k;
};
template <class T> ALDER_HD AngleTerm<T> crossBondAngle(math::Vec3<T> rij, math::Vec3<T> rkj, CrossBondAngle<T> p)
{
    math::Vec3<T> const rik = rij - rkj;
    T const a = norm(rij), b = norm(rkj), c = norm(rik);
    T const across = c - p.r3, along = a - p.r1 + b - p.r2;
    math::Vec3<T> const f = radialForce(rik, c, p.k * along);
    return {p.k * across * along, f + radialForce(rij, a, p.k * across), radialForce(rkj, b, p.k * across) - f};
}

} // namespace alder::physics
