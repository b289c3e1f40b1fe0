#pragma once
// A potential that leaves an atom alone within a region about a reference, and pulls it back from outside; or keeps it out of there.
// nm, kJ/mol. (GROMACS manual, "Flat-bottomed position restraints".)

#include "math/vec3.hpp"

namespace alder::physics {

/// Which axes of the displacement count: all of a sphere, all but its own of a cylinder, one of a layer.
/// Geometries: 1 sphere, 2 cylinder along z, 3 to 5 layers across x, y, z, 6 to 8 cylinders along x, y, z.
template <class T> ALDER_HD math::Vec3<T> countedAxes(int geometry)
{
    switch (geometry) {
    case 1: return {1, 1, 1};
    case 3: return {1, 0, 0};
    case 4: return {0, 1, 0};
    case 5: return {0, 0, 1};
    case 6: return {0, 1, 1};
    case 7: return {1, 0, 1};
    default: return {1, 1, 0};
    }
}

template <class T> struct PlaceTerm {
    T energy{};
    math::Vec3<T> force;
};

/// With e the part of d = r - R that counts and rho = |e|: V = k/2 (rho - r0)^2 where rho > r0, else 0; for a negative radius, where
/// rho < r0 = |radius|. F = -k (rho - r0) e/rho. At the very middle of a forbidden region there is no way out to tell: no force, no energy,
/// as GROMACS has it.
template <class T> ALDER_HD PlaceTerm<T> flatBottom(math::Vec3<T> d, math::Vec3<T> counted, T radius, T k)
{
    using std::sqrt;
    math::Vec3<T> const e{d.x * counted.x, d.y * counted.y, d.z * counted.z};
    T const rho = sqrt(norm2(e)), r0 = radius < 0 ? -radius : radius, over = rho - r0;
    bool const felt = rho > 0 && (radius < 0 ? over < 0 : over > 0);
    if (!felt) return {};
    return {T(0.5) * k * over * over, (-k * over / rho) * e};
}

} // namespace alder::physics
