#pragma once
// Ewald summation of dispersion (LJ-PME): -C6/r^6 over all pairs and images, its smooth part on a grid.
//
// With x = beta r, 1/r^6 = G(x)/r^6 + (1 - G(x))/r^6, G(x) = exp(-x^2) (1 + x^2 + x^4/2): the first part ends at the cut-off, the second,
// smooth even at r = 0, is summed over waves. Where C6_ij is a product c_i c_j, the energy of the cell is (V its volume)
//   E = -sum_{i<j} C6_ij G(beta r_ij)/r_ij^6                               real space, pairs inside the cut-off
//     - pi^(3/2) beta^3/(6 V) sum_m f(pi m/beta) |S(m)|^2                  reciprocal space, S(m) = sum_j c_j exp(2 pi i m.r_j)
//     + beta^6/12 sum_i C6_ii                                              each atom with itself
//     + sum_{excluded i<j} C6_ij (1 - G(beta r_ij))/r_ij^6                 pairs that the force field leaves out
//   f(b) = (1 - 2 b^2) exp(-b^2) + 2 sqrt(pi) b^3 erfc(b)
// m = 0 belongs to the sum: it is the attraction of a uniform density, with f(0) = 1.
// (Essmann et al., J. Chem. Phys. 103, 8577 (1995); Wennberg et al., J. Chem. Theory Comput. 9, 3527 (2013) for LJ-PME.)

#include "math/host_device.hpp"
#include "physics/constants.hpp"

#include <cmath>

namespace alder::physics {

/// gamma(a, x)/x^a = integral_0^1 t^(a-1) exp(-x t) dt for whole a > 0, right at x = 0 too. By parts,
///   gamma(a, x)/x^a = exp(-x) sum_k x^k/(a (a+1) .. (a+k)):
/// no term is negative, so no digit is lost. Where that takes long, gamma(a + 1, x) = a gamma(a, x) - x^a exp(-x) from 1 - exp(-x) loses
/// none either.
ALDER_HD double incompleteGammaOverPower(int a, double x)
{
    if (x > 20) {
        double gamma = 1 - std::exp(-x), power = x * std::exp(-x), divisor = x; // pow() would be a call on a GPU, and spill
        for (int n = 1; n < a; ++n, power *= x, divisor *= x) gamma = n * gamma - power;
        return gamma / divisor;
    }
    double term = 1.0 / a, sum = term;
    for (int k = 1; term > 1e-17 * sum; ++k) {
        term *= x / (a + k);
        sum += term;
    }
    return std::exp(-x) * sum;
}

/// (1 - G(beta r))/r^6 = beta^6/2 gamma(3, x)/x^3 with x = beta^2 r^2, nm^-6: what the grid holds of a pair with C6 = -1.
ALDER_HD double dispersionOnGrid(double r2, double beta)
{
    double const beta2 = beta * beta;
    return 0.5 * beta2 * beta2 * beta2 * incompleteGammaOverPower(3, beta2 * r2);
}

/// -(d/dr)((1 - G(beta r))/r^6)/r = beta^8 gamma(4, x)/x^4, nm^-8, since d(gamma(3, x)/x^3)/dx = -gamma(4, x)/x^4.
ALDER_HD double dispersionOnGridForce(double r2, double beta)
{
    double const beta2 = beta * beta;
    return beta2 * beta2 * beta2 * beta2 * incompleteGammaOverPower(4, beta2 * r2);
}

/// G(x): the part of 1/r^6 that is left in real space.
ALDER_HD double dispersionScreening(double x) { return std::exp(-x * x) * (1 + x * x + 0.5 * x * x * x * x); }

/// What multiplies |S(m)|^2/2 in the reciprocal energy: -pi^(3/2) beta^3/(3 V) f(b), b = pi m/beta; times m2 in nm^-2.
ALDER_HD double dispersionReciprocalFactor(double m2, double beta, double volume)
{
    double const b2 = pi * pi * m2 / (beta * beta), b = std::sqrt(b2);
    double const f = (1 - 2 * b2) * std::exp(-b2) + 2 * std::sqrt(pi) * b2 * b * std::erfc(b);
    return -pi * std::sqrt(pi) * beta * beta * beta / (3 * volume) * f;
}

/// Under a strain eps m^2 shrinks by 2 m eps m, and f'(b) = -6 b (exp(-b^2) - sqrt(pi) b erfc(b)), so a term E_m of the sum has
/// dE_m/deps_ij = E_m (6 pi^2/beta^2 h(b)/f(b) m_i m_j - delta_ij), h(b) = exp(-b^2) - sqrt(pi) b erfc(b). This is the factor of m_i m_j.
/// Both h and f are what is left of larger terms, by 3/(2 b^2) of them or less: from b = 4 on, where a wave weighs 1e-8 of the first one,
/// their ratio's own limit stands in, h/f = 1/3 (1 + 1/b^2 - 5/(2 b^4) + ...), 0.3 % off at worst.
ALDER_HD double dispersionReciprocalVirialFactor(double m2, double beta)
{
    double const scale = pi * pi / (beta * beta), b2 = scale * m2, b = std::sqrt(b2);
    if (b > 4) return 2 * scale * (1 + (1 - 2.5 / b2) / b2);
    double const gauss = std::exp(-b2), tail = std::sqrt(pi) * b * std::erfc(b);
    return 6 * scale * (gauss - tail) / ((1 - 2 * b2) * gauss + 2 * b2 * tail);
}

/// Energy times volume of the wave m = 0, kJ/mol nm^3, from the sum of c_i. As it goes with 1/V, its virial is -1/2 of it on each diagonal.
ALDER_HD double uniformDispersionTimesVolume(double sum, double beta) { return -pi * std::sqrt(pi) * beta * beta * beta / 6 * sum * sum; }

/// What each atom's own part of the grid takes away too much, kJ/mol.
ALDER_HD double dispersionSelfEnergy(double sumOfC6, double beta) { return std::pow(beta, 6) / 12 * sumOfC6; }

// ---- C6 of unlike atoms on the grid ----------------------------------------------------------------------------------------------------

ALDER_HD double geometricC6(double c6i, double c6j) { return std::sqrt(c6i) * std::sqrt(c6j); }

/// Lorentz and Berthelot: mean sigma, geometric mean of epsilon; 4 epsilon sigma^6 with sigma^6 = c12/c6 and 4 epsilon = c6^2/c12.
ALDER_HD double lorentzBerthelotC6(double c6i, double c12i, double c6j, double c12j)
{
    if (!(c6i > 0 && c12i > 0 && c6j > 0 && c12j > 0)) return 0;
    double const sigma = 0.5 * (std::pow(c12i / c6i, 1.0 / 6) + std::pow(c12j / c6j, 1.0 / 6));
    return c6i / std::sqrt(c12i) * (c6j / std::sqrt(c12j)) * std::pow(sigma, 6);
}

} // namespace alder::physics
