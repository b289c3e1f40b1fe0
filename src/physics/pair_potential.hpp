#pragma once
// The potential of a pair of atoms, once, over any number type: double for energies and checks, SIMD packs for the force kernels.
//
// Every function gives F/r, the force over the distance: the force on atom i of the pair is (F/r) (r_i - r_j). A type T must have
// + - * and mulAdd(a, b, c) = a b + c, mulSub(a, b, c) = a b - c, subMul(a, b, c) = c - a b.

#include "math/host_device.hpp"
#include "physics/constants.hpp"

#include <cmath>

namespace alder::physics {

ALDER_HD double mulAdd(double a, double b, double c) { return a * b + c; }
ALDER_HD double mulSub(double a, double b, double c) { return a * b - c; }
ALDER_HD double subMul(double a, double b, double c) { return c - a * b; }

// ---- Lennard-Jones -------------------------------------------------------------------------------------------------------------
//   V(r)   = c12 / r^12 - c6 / r^6
//   F(r)/r = -V'(r)/r = (12 c12 / r^6 - 6 c6) / r^6 / r^2

template <class T> ALDER_HD T ljForceOverR(T inverse2, T inverse6, T sixC6, T twelveC12)
{
    return mulSub(twelveC12, inverse6, sixC6) * (inverse6 * inverse2);
}

template <class T> ALDER_HD T ljEnergy(T inverse6, T c6, T c12) { return mulSub(c12, inverse6, c6) * inverse6; }

/// Force-switch (GROMACS manual, "Modified non-bonded interactions"): F_a(r) = a / r^(a+1) + A (r - r1)^2 + B (r - r1)^3 for
/// r1 < r < rc, so that F_a(rc) = F_a'(rc) = 0:
///   A = -a ((a+4) rc - (a+1) r1) / (rc^(a+2) (rc - r1)^2),  B = a ((a+3) rc - (a+1) r1) / (rc^(a+2) (rc - r1)^3)
///   V_a(r) = 1 / r^a - A/3 (r - r1)^3 - B/4 (r - r1)^4 - C,  C such that V_a(rc) = 0.
struct ForceSwitch {
    double a = 0, b = 0, c = 0; ///< A, B, C
    ForceSwitch() = default;
    ForceSwitch(double power, double start, double cutoff)
    {
        double const width = cutoff - start, tail = std::pow(cutoff, power + 2);
        a = -power * ((power + 4) * cutoff - (power + 1) * start) / (tail * width * width);
        b = power * ((power + 3) * cutoff - (power + 1) * start) / (tail * width * width * width);
        c = std::pow(cutoff, -power) - a / 3 * width * width * width - b / 4 * width * width * width * width;
    }
};

/// A (r - r1)^2 + B (r - r1)^3 with `beyond` = max(r - r1, 0), over r.
template <class T> ALDER_HD T forceSwitchOverR(T beyond, T inverse, T a, T b) { return mulAdd(b, beyond, a) * (beyond * beyond) * inverse; }

/// -A/3 (r - r1)^3 - B/4 (r - r1)^4 - C
template <class T> ALDER_HD T forceSwitchEnergy(T beyond, T thirdA, T quarterB, T c)
{
    return subMul(mulAdd(quarterB, beyond, thirdA), beyond * beyond * beyond, -c);
}

/// Potential-switch: V(r) S(x) with x = (r - r1) / (rc - r1), S(x) = 1 - 10 x^3 + 15 x^4 - 6 x^5 on [0, 1].
template <class T> ALDER_HD T switchFactor(T x, T one, T six, T ten, T fifteen)
{
    T const x2 = x * x;
    return one - (x2 * x) * mulAdd(mulSub(six, x, fifteen), x, ten);
}
/// -S'(x) = 30 x^2 (1 - x)^2
template <class T> ALDER_HD T switchSlope(T x, T one, T thirty)
{
    T const y = x * (one - x);
    return thirty * (y * y);
}

// ---- Coulomb -------------------------------------------------------------------------------------------------------------------
//   Reaction field: V = qq (1/r + krf r^2 - crf);  F/r = qq (1/r^3 - 2 krf). An excluded pair keeps the field of its partner: 1/r goes.
//   Ewald:          V = qq (erfc(beta r)/r - shift);  F/r = qq (1/r^3 - g(r^2)),
//                   g(r^2) = (erf(beta r)/r - 2 beta/sqrt(pi) exp(-beta^2 r^2)) / r^2, smooth and even: g(0) = 4 beta^3 / (3 sqrt(pi)).
//                   An excluded pair is taken out of the reciprocal sum: V = -qq erf(beta r)/r, F/r = -qq g.

/// qq (1/r^3 - smooth), where smooth is 2 krf or g(r^2)
template <class T> ALDER_HD T coulombForceOverR(T qq, T inverse, T inverse2, T smooth) { return qq * mulSub(inverse2, inverse, smooth); }

/// erf(beta r)/r, right at r = 0 too.
ALDER_HD double erfOverR(double r2, double beta)
{
    double const z2 = beta * beta * r2;
    // erf(z)/z = 2/sqrt(pi) (1 - z^2/3 + z^4/10 - z^6/42 + z^8/216 ...): to 1e-16 where z^2 < 1e-3
    if (z2 < 1e-3) {
        double const series = 1 - z2 * (1.0 / 3 - z2 * (1.0 / 10 - z2 * (1.0 / 42 - z2 * (1.0 / 216 - z2 / 1320))));
        return 2 * beta / std::sqrt(pi) * series;
    }
    double const r = std::sqrt(r2);
    return std::erf(beta * r) / r;
}

/// g(r^2) above.
ALDER_HD double ewaldSmoothForce(double r2, double beta)
{
    double const z2 = beta * beta * r2;
    // -(d/dz)(erf(z)/z)/z = 2/sqrt(pi) (2/3 - 2 z^2/5 + z^4/7 - z^6/27 + z^8/132 ...); the closed form loses 1e-16/z^3
    if (z2 < 0.02) {
        double const series = 2.0 / 3 - z2 * (2.0 / 5 - z2 * (1.0 / 7 - z2 * (1.0 / 27 - z2 * (1.0 / 132 - z2 * (1.0 / 780 - z2 / 5400)))));
        return 2 * beta * beta * beta / std::sqrt(pi) * series;
    }
    double const r = std::sqrt(r2);
    return (std::erf(beta * r) / r - 2 * beta / std::sqrt(pi) * std::exp(-z2)) / r2;
}

} // namespace alder::physics
