#pragma once
// The leap-frog step (R. W. Hockney and S. P. Goel, J. Comput. Phys. 14, 148 (1974)), with positions as fractions of the box.
//
//   v(t + dt/2) = lambda v(t - dt/2) + F(t) dt / m        nm/ps; lambda scales for the thermostat, 1 without one
//   x(t + dt)   = x(t) + v(t + dt/2) dt                   nm
//
// A Nose-Hoover thermostat drags velocities by -p (v(t - dt/2) + v(t + dt/2))/2. With its drag xi = p Dt/2 over an interval Dt,
//
//   v(t + dt/2) (1 + xi) = (lambda - xi) v(t - dt/2) + F(t) dt / m
//
// so it is a lambda of (lambda - xi)/(1 + xi) and a kick divided by 1 + xi. A barostat does not enter: it acts between steps.
//
// Forces come as integers in units of 2^-24 kJ/mol/nm; dt/m is multiplied by 2^-24 once, which changes no bit of the product.

#include "math/fixed_sum.hpp"
#include "physics/box.hpp"

#include <algorithm>

namespace alder::physics {

/// dt / m for forces counted in units; 0 for what has no mass of its own (a virtual site).
ALDER_HD double kickFactor(double dt, double inverseMass) { return dt * inverseMass / math::forceScale; }

/// What a drag makes of lambda and of the kick; without one, lambda and 1 to the last bit.
ALDER_HD double draggedLambda(double lambda, double drag) { return (lambda - drag) / (1.0 + drag); }
ALDER_HD double draggedKick(double drag) { return 1.0 / (1.0 + drag); }

/// One component of the new half-step velocity.
ALDER_HD double kicked(double velocity, double lambda, double forceUnits, double factor) { return lambda * velocity + factor * forceUnits; }

/// The units as a number, exactly, for |units| < 2^51: they become the low bits of 1.5 x 2^52 + units. Unlike a conversion this is two
/// additions in any instruction set.
ALDER_HD double forceNumber(std::int64_t units)
{
    std::int64_t const bits = units + 0x4338000000000000ll;
    double shifted;
    __builtin_memcpy(&shifted, &bits, sizeof shifted);
    return shifted - 6755399441055744.0;
}

/// Bits to be combined by `or` over any number of forces, and the question to ask of them in the end: is one so large (2^49 units,
/// 3.4e7 kJ/mol/nm) that it may hold a clamped term or one that was not a number? An atom that feels such a force makes no sense.
ALDER_HD std::uint64_t forceBits(math::ForceUnits f)
{
    constexpr std::uint64_t half = std::uint64_t{1} << 49;
    return (static_cast<std::uint64_t>(f.x) + half) | (static_cast<std::uint64_t>(f.y) + half) | (static_cast<std::uint64_t>(f.z) + half);
}
ALDER_HD bool forceIsSuspect(std::uint64_t bits) { return bits >> 50 != 0; }

/// Rounds to the nearest integer and keeps its low 32 bits, for |x| < 2^51: adding 1.5 x 2^52 leaves the integer in the low bits of the
/// sum. Ties go to even and -x gives minus the integer of x, so a step back undoes a step.
ALDER_HD std::int32_t roundedWord(double x)
{
    double const shifted = x + 6755399441055744.0;
    std::int64_t bits;
    __builtin_memcpy(&bits, &shifted, sizeof bits);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(bits)));
}

/// Turns displacements (nm) into steps of the stored fractions by the inverse of the box matrix, kept as 2^32 times its elements: three
/// divisions and three floors an atom less than Box::toFractionStep(), and the same integers but for the last bit.
class FractionSteps {
public:
    explicit FractionSteps(Box const& box)
    {
        constexpr double whole = 4294967296.0;
        math::Vec3d const a = box.a(), b = box.b(), c = box.c();
        ux_ = whole / a.x;
        vy_ = whole / b.y;
        wz_ = whole / c.z;
        uy_ = -ux_ * (b.x / b.y);
        vz_ = -vy_ * (c.y / c.z);
        uz_ = -ux_ * ((c.x - b.x * (c.y / b.y)) / c.z);
    }
    [[nodiscard]] ALDER_HD std::int32_t u(math::Vec3d d) const { return roundedWord(d.x * ux_ + d.y * uy_ + d.z * uz_); }
    [[nodiscard]] ALDER_HD std::int32_t v(math::Vec3d d) const { return roundedWord(d.y * vy_ + d.z * vz_); }
    [[nodiscard]] ALDER_HD std::int32_t w(math::Vec3d d) const { return roundedWord(d.z * wz_); }
    [[nodiscard]] ALDER_HD math::FractionVec of(math::Vec3d d) const { return {u(d), v(d), w(d)}; }

private:
    double ux_ = 0, uy_ = 0, uz_ = 0, vy_ = 0, vz_ = 0, wz_ = 0;
};

/// No atom moves farther in one step of a run that makes sense, nm; a quarter of the cell where that is less, so that a displacement never
/// wraps.
inline double largestDisplacement(Box const& box) { return std::min(1.0, 0.25 * std::min({box.a().x, box.b().y, box.c().z})); }

/// 1/2 m v outer v, kJ/mol.
ALDER_HD math::Mat3d kineticTensor(double mass, math::Vec3d v) { return 0.5 * mass * math::outer(v, v); }

} // namespace alder::physics
