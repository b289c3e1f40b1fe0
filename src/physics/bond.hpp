#pragma once
// Potentials of one distance between two atoms. nm, kJ/mol. Each law gives V and dV/dr; where the direction of the bond enters is
// said once, in radialForce().

#include "math/vec3.hpp"

namespace alder::physics {

/// V (kJ/mol) and dV/dr (kJ/mol/nm) of a potential of one distance.
template <class T> struct Radial {
    T energy{}, slope{};
};

/// The force on i of a potential of r = |r_i - r_j|: -dV/dr (r_i - r_j)/r; on j it is the opposite. Two atoms at one place have
/// no direction: there a finite slope gives no force, as for a bond whose ends coincide at r = 0.
template <class T> ALDER_HD math::Vec3<T> radialForce(math::Vec3<T> rij, T r, T slope)
{
    T const s = -slope / r;
    return (r > 0 ? s : T(0)) * rij;
}

/// V = k/2 (r - r0)^2
template <class T> ALDER_HD Radial<T> harmonic(T r, T r0, T k)
{
    T const d = r - r0;
    return {T(0.5) * k * d * d, k * d};
}

/// The fourth-power bond of GROMOS-96: V = k/4 (r^2 - r0^2)^2, dV/dr = k r (r^2 - r0^2); k in kJ/mol/nm^4.
template <class T> ALDER_HD Radial<T> quarticBond(T r, T r0, T k)
{
    T const d = r * r - r0 * r0;
    return {T(0.25) * k * d * d, k * r * d};
}

/// Morse (Phys. Rev. 34, 57, 1929): V = D (1 - e)^2, e = exp(-beta (r - r0)), dV/dr = 2 D beta e (1 - e).
template <class T> ALDER_HD Radial<T> morse(T r, T r0, T depth, T beta)
{
    using std::exp;
    T const e = exp(-beta * (r - r0));
    return {depth * (1 - e) * (1 - e), 2 * depth * beta * e * (1 - e)};
}

/// V = k d^2 + k c d^3, d = r - r0; without the factor 1/2 of the harmonic bond (GROMACS manual, cubic bond stretching potential).
template <class T> ALDER_HD Radial<T> cubicBond(T r, T r0, T k, T c)
{
    T const d = r - r0;
    return {k * d * d * (1 + c * d), k * d * (2 + 3 * c * d)};
}

/// Finitely extensible bond: V = -k b^2/2 ln(1 - r^2/b^2), dV/dr = k r / (1 - r^2/b^2). Not a number from r = b on, where the
/// potential has no value.
template <class T> ALDER_HD Radial<T> fene(T r, T b, T k)
{
    using std::log;
    T const left = 1 - r * r / (b * b);
    return {T(-0.5) * k * b * b * log(left), left > 0 ? k * r / left : log(left)};
}

/// Flat between r1 and r2, harmonic below r1 and up to r3, linear beyond (V and its slope continuous at r3).
template <class T> ALDER_HD Radial<T> restraintBond(T r, T r1, T r2, T r3, T k)
{
    if (r < r1) return harmonic(r, r1, k);
    if (r <= r2) return {};
    if (r <= r3) return harmonic(r, r2, k);
    T const span = r3 - r2;
    return {k * span * (T(0.5) * span + r - r3), k * span};
}

} // namespace alder::physics
