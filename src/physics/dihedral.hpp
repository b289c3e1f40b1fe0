#pragma once
// Potentials of the dihedral angle i-j-k-l. nm, kJ/mol, rad.

#include "physics/angle.hpp"
#include "physics/constants.hpp"

namespace alder::physics {

/// What a four-atom term gives: V and the forces on i, k and l; the force on j is minus their sum.
template <class T> struct DihedralTerm {
    T energy{};
    math::Vec3<T> forceI, forceK, forceL;
};

/// The angle phi between the planes i-j-k and j-k-l, in the IUPAC convention: 0 is cis, pi is trans.
///
/// a = r_i - r_j, g = r_k - r_j, c = r_k - r_l;  m = a x g, n = g x c;
///     cos phi = m.n/(|m||n|),   sin phi = |g| a.n/(|m||n|)
/// Neither is ever divided by the sine of phi, so 0 and pi are points like others; phi = atan2 of the two is exact to rounding there.
/// The gradient (Blondel and Karplus, J. Comput. Chem. 17, 1132, 1996):
///     d phi/d r_i = |g|/m^2 m,   d phi/d r_l = -|g|/n^2 n,
///     d phi/d r_k = -d phi/d r_l (1 - c.g/g^2) - d phi/d r_i (a.g/g^2)
/// The last from the invariance under shifts and rotations about j. Where three atoms are in line (sine of a bond angle under 1.5e-8,
/// the rounding of the cross product) the plane, and with it phi, is undefined.
template <class T> struct DihedralGeometry {
    math::Vec3<T> a, g, c, m, n;
    T g2, m2, n2, cosine, sine;
    bool defined;
    ALDER_HD DihedralGeometry(math::Vec3<T> rij, math::Vec3<T> rkj, math::Vec3<T> rkl)
        : a(rij),
          g(rkj),
          c(rkl),
          m(cross(rij, rkj)),
          n(cross(rkj, rkl)),
          g2(norm2(rkj)),
          m2(norm2(m)),
          n2(norm2(n))
    {
        using std::sqrt;
        T const least = T(2.2e-16) * g2;
        bool const first = m2 > least * norm2(a), second = n2 > least * norm2(c);
        defined = first & second; // what is chosen between is computed before: a choice of numbers is no branch
        T const quotient = 1 / sqrt(m2 * n2);
        T const inverse = defined ? quotient : T(0);
        T const turned = dot(m, n) * inverse;
        cosine = defined ? turned : T(1);
        sine = dot(a, n) * sqrt(g2) * inverse;
    }
    [[nodiscard]] ALDER_HD T angle() const
    {
        using math::atan2;
        return atan2(sine, cosine);
    }
    /// Forces of a potential with dV/d phi = slope. Where phi is undefined, its mean over directions: none.
    [[nodiscard]] ALDER_HD DihedralTerm<T> withSlope(T energy, T slope) const
    {
        using std::sqrt;
        T const length = sqrt(g2);
        T const i = -slope * length / m2, l = slope * length / n2;
        T const u = dot(a, g) / g2, v = dot(c, g) / g2;
        math::Vec3<T> const fi = (defined ? i : T(0)) * m;
        math::Vec3<T> const fl = (defined ? l : T(0)) * n;
        return {energy, fi, (defined ? -u : T(0)) * fi + (defined ? v - 1 : T(0)) * fl, fl};
    }
};

/// V = k (1 + cos(n phi - phase)), with the phase as its cosine and sine. cos and sin of n phi by the powers of cos phi + i sin phi:
/// no trigonometric function is called, and nothing happens where phi wraps. `most` > 0: |n| is no larger, and each term takes so many turns
/// and keeps |n| of them, to the same bits, so that terms of several n run side by side.
template <class T> struct PeriodicDihedral {
    T cosPhase, sinPhase, k;
    int multiplicity;
};
template <int most = 0, class T> ALDER_HD DihedralTerm<T> periodicDihedral(DihedralGeometry<T> const& g, PeriodicDihedral<T> p)
{
    int const n = p.multiplicity < 0 ? -p.multiplicity : p.multiplicity;
    T const step = p.multiplicity < 0 ? -g.sine : g.sine;
    T re = 1, im = 0;
    ALDER_UNROLL
    for (int i = 0; i < (most > 0 ? most : n); ++i) {
        T const nextRe = re * g.cosine - im * step, nextIm = re * step + im * g.cosine;
        re = most == 0 || i < n ? nextRe : re;
        im = most == 0 || i < n ? nextIm : im;
    }
    T const cosine = re * p.cosPhase + im * p.sinPhase;
    T const sine = im * p.cosPhase - re * p.sinPhase;
    return g.withSlope(p.k * (1 + cosine), -p.k * static_cast<T>(p.multiplicity) * sine);
}

/// V = k/2 d^2, d = phi - phi0 brought into [-pi, pi].
template <class T> ALDER_HD DihedralTerm<T> harmonicDihedral(DihedralGeometry<T> const& g, T phi0, T k)
{
    using std::floor;
    T d = g.angle() - phi0;
    d -= T(2 * pi) * floor(d / T(2 * pi) + T(0.5));
    return g.withSlope(T(0.5) * k * d * d, k * d);
}

/// A dihedral restraint: V = k/2 (|d| - width)^2 where |d| > width, else 0; d = phi - phi0 brought into [-pi, pi].
template <class T> ALDER_HD DihedralTerm<T> flatBottomDihedral(DihedralGeometry<T> const& g, T phi0, T width, T k)
{
    using std::floor;
    T d = g.angle() - phi0;
    d -= T(2 * pi) * floor(d / T(2 * pi) + T(0.5));
    T const over = d > width ? d - width : d < -width ? d + width : T(0);
    return g.withSlope(T(0.5) * k * over * over, k * over);
}

/// V = sum_n c[n] cos^n phi, n = 0..5. (Ryckaert-Bellemans and Fourier dihedrals are brought to this form, phi IUPAC, when parameters
/// are prepared.)  dV/d phi = -sin phi sum_n n c[n] cos^(n-1) phi.
template <class T> ALDER_HD DihedralTerm<T> cosineSeriesDihedral(DihedralGeometry<T> const& g, T const* c)
{
    T const x = g.cosine;
    T const energy = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
    T const slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4] + x * 5 * c[5])));
    return g.withSlope(energy, -g.sine * slope);
}

/// Restricted torsion (Bulacu et al., JCTC 9, 3282, 2013): V = k/2 (cos phi - cos0)^2 / sin^2 phi.
/// dV/d phi = -k (cos - cos0)(1 - cos cos0)/sin^3, as for the restricted angle. Not finite at cis and trans.
template <class T> ALDER_HD DihedralTerm<T> restrictedDihedral(DihedralGeometry<T> const& g, T cos0, T k)
{
    T const d = g.cosine - cos0;
    T const inverse = 1 / g.sine;
    T const inverse2 = inverse * inverse;
    return g.withSlope(T(0.5) * k * d * d * inverse2, -k * d * (1 - g.cosine * cos0) * inverse2 * inverse);
}

/// Combined bending-torsion (Bulacu et al., as above): V = k s1^3 s2^3 P(cos phi), P(x) = sum_n c[n] x^n, n = 0..4, with s1 and s2 the
/// sines of the bond angles i-j-k and j-k-l: where one of them straightens, V and its forces vanish before phi loses its meaning.
/// The slopes: by phi  -k s1^3 s2^3 sin phi P',  by the first angle  3 k s1^2 s2^3 cos1 P,  by the second likewise.
template <class T> ALDER_HD DihedralTerm<T> combinedBendingTorsion(DihedralGeometry<T> const& g, T k, T const* c)
{
    using std::sqrt;
    AngleGeometry<T> const first(g.a, g.g), second(-g.g, -g.c);
    T const s1 = sqrt(first.n2 / (first.a2 * first.b2)), s2 = sqrt(second.n2 / (second.a2 * second.b2));
    T const x = g.cosine;
    T const p = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
    T const slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
    T const both = k * s1 * s1 * s2 * s2;
    DihedralTerm<T> const twist = g.withSlope(both * s1 * s2 * p, -both * s1 * s2 * g.sine * slope);
    AngleTerm<T> const one = first.withSlope(0, 3 * both * s2 * first.cosine() * p);
    AngleTerm<T> const two = second.withSlope(0, 3 * both * s1 * second.cosine() * p); // on j and l; k closes
    return {twist.energy, twist.forceI + one.forceI, twist.forceK + one.forceK - two.forceI - two.forceK, twist.forceL + two.forceK};
}

} // namespace alder::physics
