#pragma once
// Sums whose result does not depend on the order of their terms: each term is rounded to an integer first, then integers are added.

#include "math/vec3.hpp"

#include <cmath>
#include <cstdint>

namespace alder::math {

/// Energies (kJ/mol), virials (kJ/mol), kinetic energies (kJ/mol), momenta (amu nm/ps) are summed in units of 2^-24:
/// 6e-8 a term, +-5.5e11 in all.
inline constexpr double sumScale = 16777216.0;
/// Forces (kJ/mol/nm) are summed in units of 2^-24, +-5.5e11 an atom: a bad start's 1e9 still has room for a hundred neighbours.
inline constexpr double forceScale = 16777216.0;
/// The largest single term of either kind, in units of the quantum; a larger one is clamped to it, so sums never wrap.
inline constexpr double largestTerm = 1.125899906842624e15; // 2^50

/// One rounded term, clamped to +-2^50 units; not-a-number counts as the clamp, so that it can never pass for a small number.
ALDER_HD std::int64_t roundedTerm(double scaled)
{
    if (!(scaled > -largestTerm)) scaled = -largestTerm;
    if (scaled > largestTerm) scaled = largestTerm;
    return static_cast<std::int64_t>(std::llrint(scaled));
}

/// An order-free sum.
struct FixedSum {
    std::int64_t units = 0;
    ALDER_HD void add(double term) { units += roundedTerm(term * sumScale); }
    ALDER_HD void add(FixedSum other) { units += other.units; }
    [[nodiscard]] ALDER_HD double value() const { return static_cast<double>(units) / sumScale; }
    /// Adds what belongs to the system as a whole (a self energy, a correction): it grows with the number of atoms and passes the clamp of a
    /// single term at some 100,000 ions. Held to +-2^61 units, 1.4e11 kJ/mol.
    ALDER_HD void addWhole(double amount)
    {
        constexpr double limit = 2.305843009213694e18;
        double const scaled = amount * sumScale;
        units += static_cast<std::int64_t>(std::llrint(scaled > limit ? limit : scaled > -limit ? scaled : -limit));
    }
};

/// Nine order-free sums: a tensor.
struct FixedTensor {
    FixedSum xx, xy, xz, yx, yy, yz, zx, zy, zz;
    ALDER_HD void add(Mat3d const& m)
    {
        xx.add(m.x.x);
        xy.add(m.x.y);
        xz.add(m.x.z);
        yx.add(m.y.x);
        yy.add(m.y.y);
        yz.add(m.y.z);
        zx.add(m.z.x);
        zy.add(m.z.y);
        zz.add(m.z.z);
    }
    ALDER_HD void add(FixedTensor const& o)
    {
        xx.add(o.xx);
        xy.add(o.xy);
        xz.add(o.xz);
        yx.add(o.yx);
        yy.add(o.yy);
        yz.add(o.yz);
        zx.add(o.zx);
        zy.add(o.zy);
        zz.add(o.zz);
    }
    [[nodiscard]] ALDER_HD Mat3d value() const
    {
        return {{xx.value(), xy.value(), xz.value()}, {yx.value(), yy.value(), yz.value()}, {zx.value(), zy.value(), zz.value()}};
    }
};

/// A force on one atom, in units of 2^-24 kJ/mol/nm.
using ForceUnits = Vec3l;
ALDER_HD ForceUnits forceUnits(Vec3d f)
{
    return {roundedTerm(f.x * forceScale), roundedTerm(f.y * forceScale), roundedTerm(f.z * forceScale)};
}
ALDER_HD Vec3d forceValue(ForceUnits f)
{
    return {static_cast<double>(f.x) / forceScale, static_cast<double>(f.y) / forceScale, static_cast<double>(f.z) / forceScale};
}

} // namespace alder::math
