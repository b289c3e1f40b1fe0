#pragma once
// A homogeneous electric field that may swing and come as a pulse. V/nm, 1/ps, ps.

#include "math/elementary.hpp"
#include "physics/constants.hpp"

namespace alder::physics {

/// One axis of a field: E(t) = amplitude cos(omega (t - t0)) exp(-(t - t0)^2/(2 sigma^2)); without a width (sigma = 0) it neither ends nor
/// has a t0: amplitude cos(omega t). (GROMACS manual, "Electric fields".)
struct FieldAxis {
    double amplitude, omega, t0, sigma;
};

inline double fieldAt(FieldAxis const& f, double t)
{
    bool const pulse = f.sigma > 0;
    double const since = pulse ? t - f.t0 : t;
    double const swing = math::sineCosineOfTurns(f.omega * since / (2 * pi)).cosine;
    return f.amplitude * swing * (pulse ? math::exponential(-since * since / (2 * f.sigma * f.sigma)) : 1.0);
}

/// The force (kJ/mol/nm) on a charge of 1 e in a field of 1 V/nm: e N_A V/nm.
inline constexpr double forcePerField = 1.602176634e-19 * avogadro * 1e-3;

} // namespace alder::physics
