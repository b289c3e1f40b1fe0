#pragma once
// Ewald summation of point charges in a periodic cell with conducting surroundings ("tin foil").
//
// With 1/r = erfc(beta r)/r + erf(beta r)/r the Coulomb energy of the cell is (f = 1/(4 pi eps0 eps_r), V the volume, Q = sum q)
//   E = f sum_{i<j} q_i q_j erfc(beta r_ij)/r_ij                              real space, pairs inside the cut-off
//     + f/(2 pi V) sum_{m != 0} exp(-pi^2 m^2/beta^2)/m^2 |S(m)|^2            reciprocal space, S(m) = sum_j q_j exp(2 pi i m.r_j)
//     - f beta/sqrt(pi) sum q^2                                               each charge with its own Gaussian
//     - pi f Q^2/(2 beta^2 V)                                                 uniform background of a charged cell
//     - f sum_{excluded i<j} q_i q_j erf(beta r_ij)/r_ij                      pairs that the force field leaves out
// (Allen and Tildesley, Computer Simulation of Liquids, ch. 6; Bogusz, Cheatham and Brooks, J. Chem. Phys. 108, 7070 (1998) for Q).

#include "physics/box.hpp"
#include "physics/constants.hpp"

#include <cmath>

namespace alder::physics {

/// Reciprocal vectors without 2 pi: r = u a + v b + w c has u = aStar.r, v = bStar.r, w = cStar.r.
struct ReciprocalCell {
    math::Vec3d aStar, bStar, cStar; ///< 1/nm
    ALDER_HD explicit ReciprocalCell(Box const& box)
    {
        double const ax = box.a().x, bx = box.b().x, by = box.b().y, cx = box.c().x, cy = box.c().y, cz = box.c().z;
        aStar = {1 / ax, -bx / (ax * by), (bx * cy - by * cx) / (ax * by * cz)};
        bStar = {0, 1 / by, -cy / (by * cz)};
        cStar = {0, 0, 1 / cz};
    }
    [[nodiscard]] ALDER_HD math::Vec3d vector(double h, double k, double l) const { return h * aStar + k * bStar + l * cStar; }
};

/// What multiplies |S(m)|^2/2 in the reciprocal energy: f exp(-pi^2 m^2/beta^2) / (pi V m^2), kJ/mol e^-2; m2 in nm^-2, not 0.
ALDER_HD double reciprocalFactor(double m2, double beta, double volume, double electricFactor)
{
    using std::exp;
    return electricFactor / (pi * volume * m2) * exp(-pi * pi * m2 / (beta * beta));
}

/// Under a strain eps the volume grows by tr(eps) and m shrinks by eps m, while S(m) stays, so a term E_m of the reciprocal sum has
/// dE_m/deps_ij = E_m (2 (pi^2/beta^2 + 1/m^2) m_i m_j - delta_ij); the virial -1/2 sum r outer F is half of it.
/// This is the factor of m_i m_j.
template <class T> ALDER_HD T reciprocalVirialFactor(T m2, T beta) { return T(2) * (T(pi * pi) / (beta * beta) + T(1) / m2); }

/// Energy of the charges with their own Gaussians, kJ/mol.
ALDER_HD double ewaldSelfEnergy(double sumOfSquares, double beta, double electricFactor)
{
    return -electricFactor * beta / std::sqrt(pi) * sumOfSquares;
}

/// Energy times volume of the uniform background that neutralizes a net charge, kJ/mol nm^3. As it goes with 1/V, its virial is
/// -1/2 of the energy on each diagonal element. (GROMACS 2022.5 adds minus the energy over the volume instead, as if that were an energy:
/// +0.0265 kJ/mol where E = -0.695 kJ/mol in 26.25 nm^3. Virials and pressures of charged cells differ from its by that.)
ALDER_HD double netChargeEnergyTimesVolume(double netCharge, double beta, double electricFactor)
{
    return -pi * electricFactor * netCharge * netCharge / (2 * beta * beta);
}

} // namespace alder::physics
