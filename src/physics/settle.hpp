#pragma once
// SETTLE: S. Miyamoto and P. A. Kollman, J. Comput. Chem. 13, 952 (1992). The closed solution of three distance constraints in a
// molecule of two equal atoms (H) about a third (O).
//
// The rigid triangle in its own frame, origin at the centre of mass, the O on +y:
//   O (0, ra, 0)   H1 (-rc, -rb, 0)   H2 (rc, -rb, 0)
//   rc = dHH / 2,  height h = sqrt(dOH^2 - rc^2),  ra = 2 mH h / M,  rb = h - ra,  M = mO + 2 mH
// Constraint forces act along the old bonds, so they shift atoms within the plane of the old triangle only and leave the centre of mass:
// with Z normal to that plane, X normal to Z and to the new O, Y = Z x X, heights above the plane (za, zb, zc) stay as the free step made
// them. Those fix two rotations, phi about x and psi about y:
//   sin phi = za / ra,   sin psi = (zb - zc) / (2 rc cos phi)
// and the third, theta about z, follows from the torque about Z being zero (their equations A15 to A17):
//   alpha sin theta + beta cos theta = gamma
// Of its two roots the one near theta = 0 is, with q = alpha^2 + beta^2 and s = sqrt(q - gamma^2),
//   sin theta = (alpha gamma - beta s) / q,   cos theta = (beta gamma + alpha s) / q
// which spares the square root of 1 - sin^2 theta and its cancellation.
// All lengths in nm. Only differences within the molecule enter: neither the centre of mass nor its image matters.

#include "math/vec3.hpp"

namespace alder::physics {

/// The triangle and its masses.
template <class T> struct WaterGeometry {
    T ra{}, rb{}, rc{};             ///< nm
    T perRa{}, perTwoRc{};          ///< 1/ra, 1/(2 rc), 1/nm
    T hydrogenFraction{};           ///< mH / (mO + 2 mH)
    T oxygenMass{}, hydrogenMass{}; ///< amu
};

inline WaterGeometry<double> waterGeometry(double oxygenMass, double hydrogenMass, double dOH, double dHH)
{
    double const rc = 0.5 * dHH;
    double const height = std::sqrt(dOH * dOH - rc * rc);
    double const fraction = hydrogenMass / (oxygenMass + 2.0 * hydrogenMass);
    double const ra = 2.0 * fraction * height;
    return {ra, height - ra, rc, 1.0 / ra, 0.5 / rc, fraction, oxygenMass, hydrogenMass};
}

/// One vector for each atom of a molecule.
template <class T> struct WaterVectors {
    math::Vec3<T> oxygen, hydrogen1, hydrogen2;
};

/// The two bonds from O.
template <class T> struct WaterBonds {
    math::Vec3<T> toHydrogen1, toHydrogen2;
};

/// What to add to the freely stepped atoms so that the triangle is rigid again. `before`: bonds at the time the constraint forces act,
/// satisfying the constraints; `after`: bonds of the free step. Not-a-number where no solution exists (the step tore the molecule apart).
template <class T> ALDER_HD WaterVectors<T> settle(WaterGeometry<T> const& water, WaterBonds<T> const& before, WaterBonds<T> const& after)
{
    using math::cross;
    using math::dot;
    using std::sqrt;
    using Vec = math::Vec3<T>;
    T const one{1};
    Vec const b0 = before.toHydrogen1, c0 = before.toHydrogen2;

    // free step, about the centre of mass
    Vec const a1 = -water.hydrogenFraction * (after.toHydrogen1 + after.toHydrogen2);
    Vec const b1 = after.toHydrogen1 + a1;
    Vec const c1 = after.toHydrogen2 + a1;

    Vec z = cross(b0, c0);
    Vec x = cross(a1, z);
    Vec y = cross(z, x);
    // X and Z are at right angles, so |Y| = |X| |Z|: two square roots and one division for three lengths. Square roots and divisions
    // are what this function costs; there are five and three in all.
    T const lengthX = sqrt(dot(x, x)), lengthZ = sqrt(dot(z, z));
    T const perBoth = one / (lengthX * lengthZ);
    x = (perBoth * lengthZ) * x;
    y = perBoth * y;
    z = (perBoth * lengthX) * z;

    T const xb0 = dot(x, b0), yb0 = dot(y, b0), xc0 = dot(x, c0), yc0 = dot(y, c0);
    T const za1 = dot(z, a1);
    T const xb1 = dot(x, b1), yb1 = dot(y, b1), zb1 = dot(z, b1);
    T const xc1 = dot(x, c1), yc1 = dot(y, c1), zc1 = dot(z, c1);

    T const sinPhi = za1 * water.perRa;
    T const cosPhi = sqrt(one - sinPhi * sinPhi);
    T const sinPsi = (zb1 - zc1) * water.perTwoRc / cosPhi;
    T const cosPsi = sqrt(one - sinPsi * sinPsi);

    // after psi and phi, before theta
    T const ya2 = water.ra * cosPhi;
    T const xb2 = -water.rc * cosPsi;
    T const level = -water.rb * cosPhi;
    T const tilt = water.rc * sinPsi * sinPhi;
    T const yb2 = level - tilt;
    T const yc2 = level + tilt;

    T const alpha = xb2 * (xb0 - xc0) + yb0 * yb2 + yc0 * yc2;
    T const beta = xb2 * (yc0 - yb0) + xb0 * yb2 + xc0 * yc2;
    T const gamma = xb0 * yb1 - xb1 * yb0 + xc0 * yc1 - xc1 * yc0;
    T const square = alpha * alpha + beta * beta;
    T const root = sqrt(square - gamma * gamma);
    T const perSquare = one / square;
    T const sinTheta = (alpha * gamma - beta * root) * perSquare;
    T const cosTheta = (beta * gamma + alpha * root) * perSquare;

    Vec const a3 = (-ya2 * sinTheta) * x + (ya2 * cosTheta) * y + za1 * z;
    Vec const b3 = (xb2 * cosTheta - yb2 * sinTheta) * x + (xb2 * sinTheta + yb2 * cosTheta) * y + zb1 * z;
    Vec const c3 = (-xb2 * cosTheta - yc2 * sinTheta) * x + (-xb2 * sinTheta + yc2 * cosTheta) * y + zc1 * z;
    return {a3 - a1, b3 - b1, c3 - c1};
}

/// -1/2 sum r outer F of the constraint forces that made `shift` in one leap-frog step: F = m shift / dt^2 on each atom. They add up to
/// zero, so r may be counted from O and its own term drops out.
ALDER_HD math::Mat3d settleVirial(WaterGeometry<double> const& water, WaterBonds<double> const& before, WaterVectors<double> const& shift,
                                  double dt)
{
    double const factor = -0.5 * water.hydrogenMass / (dt * dt);
    return factor * (math::outer(before.toHydrogen1, shift.hydrogen1) + math::outer(before.toHydrogen2, shift.hydrogen2));
}

/// Inverse masses (1/amu) of a water's atoms; 1 for both where forces are to be balanced rather than atoms to be moved.
struct WaterWeights {
    double oxygen = 1, hydrogen = 1;
};

/// Takes out of one vector an atom all that stretches the bonds of a rigid triangle: v - W B^T (B W B^T)^-1 B v, B the unit bond vectors, W
/// the weights; three linear equations for three bond forces. Of velocities, with inverse masses, the rigid motion of the same momentum
/// is left. Of forces, with weights of 1, what is left is the slope of the energy along the motions that constraints allow; it vanishes at a
/// constrained minimum, where masses have no part.
ALDER_HD WaterVectors<double> withoutStretching(WaterBonds<double> const& bonds, WaterVectors<double> const& vectors,
                                                WaterWeights weights = {})
{
    using math::dot;
    math::Vec3d e1 = bonds.toHydrogen1, e2 = bonds.toHydrogen2, e3 = e2 - e1;
    e1 = (1.0 / norm(e1)) * e1;
    e2 = (1.0 / norm(e2)) * e2;
    e3 = (1.0 / norm(e3)) * e3;
    double const r1 = dot(e1, vectors.hydrogen1 - vectors.oxygen);
    double const r2 = dot(e2, vectors.hydrogen2 - vectors.oxygen);
    double const r3 = dot(e3, vectors.hydrogen2 - vectors.hydrogen1);
    // B W B^T, solved by Cramer's rule
    double const wo = weights.oxygen, wh = weights.hydrogen, own = wo + wh, ownH = wh + wh;
    double const m12 = wo * dot(e1, e2), m13 = -wh * dot(e1, e3), m23 = wh * dot(e2, e3);
    double const c11 = own * ownH - m23 * m23, c12 = m13 * m23 - ownH * m12, c13 = m12 * m23 - own * m13;
    double const c22 = own * ownH - m13 * m13, c23 = m12 * m13 - own * m23, c33 = own * own - m12 * m12;
    double const inverse = 1.0 / (own * c11 + m12 * c12 + m13 * c13);
    double const s1 = inverse * (c11 * r1 + c12 * r2 + c13 * r3);
    double const s2 = inverse * (c12 * r1 + c22 * r2 + c23 * r3);
    double const s3 = inverse * (c13 * r1 + c23 * r2 + c33 * r3);
    return {vectors.oxygen + wo * (s1 * e1 + s2 * e2), vectors.hydrogen1 - wh * (s1 * e1 - s3 * e3),
            vectors.hydrogen2 - wh * (s2 * e2 + s3 * e3)};
}

/// -1/2 sum r outer F of the forces that within a time change the velocities `before` to `after`, as withoutStretching() does; r counted from
/// O, as in settleVirial().
ALDER_HD math::Mat3d stretchingVirial(WaterGeometry<double> const& water, WaterBonds<double> const& bonds,
                                      WaterVectors<double> const& before, WaterVectors<double> const& after, double time)
{
    double const factor = -0.5 * water.hydrogenMass / time;
    return factor * (math::outer(bonds.toHydrogen1, after.hydrogen1 - before.hydrogen1) +
                     math::outer(bonds.toHydrogen2, after.hydrogen2 - before.hydrogen2));
}

} // namespace alder::physics
