#pragma once
// What the surroundings of a crystal of cells add to the Ewald sum, which by itself has conducting ones.
//
// A sphere of cells, each of dipole M and volume V, in a dielectric eps_s (f = 1/(4 pi eps0), eps_r inside):
//   E = 2 pi f/((2 eps_s + eps_r) V) M^2
// (de Leeuw, Perram and Smith, Proc. R. Soc. A 373, 27 (1980)). Slabs periodic in x and y, with a wide gap along z in each cell:
//   E = 2 pi f/(eps_r V) (M_z^2 - Q sum_i q_i z_i^2 - Q^2 L_z^2/12)
// (Yeh and Berkowitz, J. Chem. Phys. 111, 3155 (1999); Ballenegger, Arnold and Cerda, J. Chem. Phys. 131, 094107 (2009) for a net charge
// Q). Forces are those of E, F_i = -(2 factor/V) q_i M, and along z alone with M_z - Q z_i in place of M.

#include "math/host_device.hpp"
#include "physics/constants.hpp"

namespace alder::physics {

/// Energy times volume over M^2, kJ/mol nm e^-2.
ALDER_HD double dielectricFactor(double coulomb, double surface, double inside) { return 2 * pi * coulomb / (2 * surface + inside); }
ALDER_HD double slabFactor(double coulomb, double inside) { return 2 * pi * coulomb / inside; }

/// What stands in brackets above, e^2 nm^2.
ALDER_HD double slabMoment(double dipole, double netCharge, double secondMoment, double height)
{
    return dipole * dipole - netCharge * (secondMoment + netCharge * height * height / 12);
}

} // namespace alder::physics
