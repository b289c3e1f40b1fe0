#pragma once
// Distances kept between atoms: LINCS (B. Hess, H. Bekker, H. J. C. Berendsen and J. G. E. M. Fraaije, J. Comput. Chem. 18, 1463 (1997);
// B. Hess, J. Chem. Theory Comput. 4, 116 (2008)) and SHAKE (J.-P. Ryckaert, G. Ciccotti and H. J. C. Berendsen, J. Comput. Phys. 23, 327
// (1977)).
//
// Constraint i asks |s_i| = d_i of s_i = x_a - x_b. Its force acts along the bond r_i at the time of the forces, so that a step is
// corrected by
//   x_a -= g_i r_i / m_a,   x_b += g_i r_i / m_b,   g_i in amu
// which moves neither the centre of mass nor, to the order of the step, turns anything. One force on a is -g_i r_i / dt^2.
//
// Linear in the g's, with e_i = r_i/|r_i| and all lengths projected on the old bonds, the conditions are  T (g |r|) = e . s - d,
//   T_ij = sum over atoms c of both bonds of sign_ic sign_jc e_i . e_j / m_c,   sign +1 for a, -1 for b.
// With S_i = (1/m_a + 1/m_b)^(-1/2) the diagonal of S T S is 1, so S T S = 1 - A with
//   A_ij = - S_i S_j sign sign e_i . e_j / m_c  (i != j)
//   g |r| = S (1 + A + A^2 + ...) S (e . s - d)
// The series converges where the eigenvalues of A are below 1 in size; LINCS cuts it after lincs-order terms.
//
// A bond of projection d that has turned by an angle is too long by 1/cos. With l its length, its part normal to e has the square
// l^2 - d^2; the bond gets length d where the projection is shortened to p with p^2 + l^2 - d^2 = d^2, p = sqrt(2 d^2 - l^2). That is
// LINCS's second stage, once for each of lincs-iter: the right-hand side is then d - p.
//
// SHAKE solves |s_i|^2 = d_i^2 one bond at a time, over and over: s - g w r with w = 1/m_a + 1/m_b has the squared length
// s^2 - 2 g w s.r + O(g^2), so g = (s^2 - d^2) / (2 w s.r).
//
// Virial, -1/2 r outer F:   1/2 g r outer r / dt^2.

#include "math/vec3.hpp"

namespace alder::physics {

/// S: inverse masses in 1/amu, at least one above 0.
ALDER_HD double constraintScale(double inverseA, double inverseB) { return 1.0 / std::sqrt(inverseA + inverseB); }

/// A_ij without e_i . e_j, for bonds that share an atom of this inverse mass; signs: the product of theirs there.
ALDER_HD double constraintCoupling(double signs, double inverseMass, double scaleI, double scaleJ)
{
    return -signs * inverseMass * scaleI * scaleJ;
}

/// The projection that gives a bond of length l the length d, from their squares. Beyond a turn of 45 degrees none does, and 0 comes near.
ALDER_HD double shortenedProjection(double wantedSquare, double presentSquare)
{
    double const square = 2.0 * wantedSquare - presentSquare;
    return square > 0 ? std::sqrt(square) : square <= 0 ? 0.0 : square; // not-a-number stays
}

/// SHAKE's g for one bond: s^2 - d^2, s . r, 1/m_a + 1/m_b.
ALDER_HD double shakeMultiplier(double excess, double overlap, double inverseMasses) { return excess / (2.0 * inverseMasses * overlap); }

/// How much too long a bond is, relative to its length, from the squares, to first order.
ALDER_HD double relativeDeviation(double presentSquare, double wantedSquare) { return 0.5 * (presentSquare - wantedSquare) / wantedSquare; }

/// The virial (kJ/mol) of one constraint force.
ALDER_HD math::Mat3d constraintVirial(double multiplier, math::Vec3d bond, double inverseDt)
{
    return 0.5 * multiplier * inverseDt * inverseDt * math::outer(bond, bond);
}

} // namespace alder::physics
