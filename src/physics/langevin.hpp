#pragma once
// Stochastic and Brownian dynamics: friction and noise on top of the leap-frog step of leap_frog.hpp. R is a normal variate.
//
// Stochastic dynamics (N. Goga et al., J. Chem. Theory Comput. 8, 3637 (2012), the impulse form), with gamma = 1/tau:
//   v'          = v(t - dt/2) + F(t) dt / m                the leap-frog kick, then constraints
//   dv          = -alpha v' + sqrt(alpha (2 - alpha) k T / m) R,      alpha = 1 - exp(-dt/tau)
//   x(t + dt)   = x(t) + (v' + dv/2) dt                    then constraints again, for what the noise put along bonds
//   v(t + dt/2) = v' + dv
// The impulse leaves v's variance at k T/m if it was: (1 - alpha)^2 + alpha (2 - alpha) = 1.
//
// Brownian dynamics, position Langevin without inertia, with gamma a friction in amu/ps:
//   v = F / gamma + sqrt(2 k T / (gamma dt)) R,   x(t + dt) = x(t) + v dt
// v is a displacement per step, not a velocity of the particle: its variance is k T / (gamma dt / 2), so gamma dt / 2 takes the place of a
// mass in kinetic energies, momenta and constraints.

#include "math/elementary.hpp"
#include "math/vec3.hpp"
#include "physics/constants.hpp"

#include <cmath>

namespace alder::physics {

/// Friction and noise of one temperature group in one step of stochastic dynamics; both 0 for a group that is not coupled.
struct LangevinCoupling {
    double friction = 0; ///< alpha
    double noise = 0;    ///< sqrt(alpha (2 - alpha) k T), to be divided by sqrt(m); nm/ps amu^1/2
};

inline LangevinCoupling langevinCoupling(double dt, double tau, double temperature)
{
    if (!(tau > 0)) return {};
    double const alpha = 1.0 - math::exponential(-dt / tau);
    return {alpha, std::sqrt(alpha * (2.0 - alpha) * boltzmann * temperature)};
}

/// dv of one component.
ALDER_HD double langevinImpulse(LangevinCoupling step, double inverseRootMass, double velocity, double normal)
{
    return step.noise * inverseRootMass * normal - step.friction * velocity;
}

/// What an atom moves (nm) in a step that the impulse, in its middle, takes from one velocity to another.
ALDER_HD math::Vec3d langevinDisplacement(double dt, math::Vec3d before, math::Vec3d after)
{
    return dt * before + (0.5 * dt) * (after - before);
}

/// What the impulse adds to the kinetic energy, kJ/mol.
ALDER_HD double langevinHeat(double inverseMass, math::Vec3d before, math::Vec3d after)
{
    return 0.5 / inverseMass * (norm2(after) - norm2(before));
}

/// The friction of an atom, amu/ps: the deck's bd-fric, or its mass over tau-t where that is 0.
ALDER_HD double brownianFriction(double friction, double mass, double tau) { return friction > 0 ? friction : mass / tau; }
/// What takes the place of its mass, amu.
ALDER_HD double brownianMass(double friction, double dt) { return 0.5 * friction * dt; }
/// Width of a velocity component of Brownian dynamics, nm/ps.
inline double brownianWidth(double brownianMass, double temperature) { return std::sqrt(boltzmann * temperature / brownianMass); }

} // namespace alder::physics
