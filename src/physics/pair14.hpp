#pragma once
// The Lennard-Jones and Coulomb interaction of one named pair (1-4 pairs, pairs_nb): plain, never cut off or shifted.

#include "math/vec3.hpp"

namespace alder::physics {

/// Energies (kJ/mol) and the factor f (kJ/mol/nm^2) of the force on i, f (r_i - r_j).
template <class T> struct PlainPair {
    T lj{}, coulomb{}, forceFactor{};
};

/// V = c12/r^12 - c6/r^6 + qq/r with qq = (f/epsilon_r) fudge q_i q_j (kJ/mol nm). With s = 1/r^2:
/// -dV/dr / r = (12 c12 s^6 - 6 c6 s^3 + qq sqrt(s)) s. Not finite at r = 0.
template <class T> ALDER_HD PlainPair<T> plainPair(T r2, T c6, T c12, T qq)
{
    using std::sqrt;
    T const s = 1 / r2;
    T const s3 = s * s * s;
    T const dispersion = c6 * s3;
    T const repulsion = c12 * s3 * s3;
    T const coulomb = qq * sqrt(s);
    return {repulsion - dispersion, coulomb, (12 * repulsion - 6 * dispersion + coulomb) * s};
}

} // namespace alder::physics
