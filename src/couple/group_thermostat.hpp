#pragma once
// What a thermostat does with one temperature group, from its kinetic energy alone: written once for the host and for kernels. All that
// depends on the state is additions, multiplications, divisions and square roots, and functions made of these (math/elementary.hpp,
// math/variates.hpp), so both come to the same bits.

#include "couple/nose_hoover_chain.hpp"
#include "math/variates.hpp"
#include "physics/constants.hpp"
#include "plan/run_plan.hpp"

#include <cmath>
#include <cstdint>

namespace alder::couple {

/// The kinetic energy after v-rescale (G. Bussi, D. Donadio and M. Parrinello, J. Chem. Phys. 126, 014101 (2007), equation A7), as a
/// function of what it draws: one normal, and the sum of the squares of Ndf - 1 more.
struct RescaleNoise {
    double normal = 0, restSquares = 0;
};
ALDER_HD double rescaledKineticEnergy(double kineticEnergy, double target, double degreesOfFreedom, double decay, RescaleNoise noise)
{
    double const perFreedom = target / degreesOfFreedom;
    double const fresh = 1.0 - decay;
    return kineticEnergy + fresh * (perFreedom * (noise.restSquares + noise.normal * noise.normal) - kineticEnergy) +
           2.0 * noise.normal * std::sqrt(kineticEnergy * perFreedom * fresh * decay);
}

/// 2 Ekin / (Ndf k), K; 0 without degrees of freedom.
ALDER_HD double temperature(double kineticEnergy, double degreesOfFreedom)
{
    return degreesOfFreedom > 0 ? 2.0 * kineticEnergy / (degreesOfFreedom * physics::boltzmann) : 0.0;
}

/// 1/Q' of a group, 1/(K ps^2): what turns a difference of temperatures into an acceleration of the thermostat.
ALDER_HD double noseHooverRate(double tau, double reference) { return 4.0 * physics::pi * physics::pi / (tau * tau * reference); }

/// The thermostat of a group, as it is all through a run.
struct GroupThermostat {
    std::int64_t group = 0;
    std::uint64_t seed = 0;
    double degreesOfFreedom = 0, tau = 0, interval = 0; ///< ps, between couplings
    double decay = 0;                                   ///< what v-rescale remembers over an interval
    plan::Thermostat kind = plan::Thermostat::no;
    int links = 0; ///< of a chain for velocity Verlet; 0: Nose-Hoover by leap-frog
};

/// What it finds when it acts.
struct GroupNow {
    std::int64_t step = 0;
    double kinetic = 0;   ///< kJ/mol
    double reference = 0; ///< K
};

/// What becomes of velocities: lambda, and Nose-Hoover's drag (engine::Scaling).
struct GroupResponse {
    double lambda = 1, drag = 0;
};

/// What the thermostat of a group remembers, as system::CouplingState has it; by link where it says so.
template <class Numbers> struct GroupMemory {
    Numbers integral; ///< one number, kJ/mol
    Numbers chainPosition, chainVelocity;
};

ALDER_HD double vRescaleFactor(GroupThermostat const& g, GroupNow const& now)
{
    double const target = 0.5 * g.degreesOfFreedom * physics::boltzmann * now.reference;
    math::Variates variates(g.seed, math::RandomPurpose::velocityRescaling, now.step, g.group);
    double const normal = variates.normal();
    RescaleNoise const noise{normal, variates.sumOfSquares(g.degreesOfFreedom - 1.0)};
    double const wanted = rescaledKineticEnergy(now.kinetic, target, g.degreesOfFreedom, g.decay, noise);
    return wanted > 0 ? std::sqrt(wanted / now.kinetic) : 0.0;
}

/// H. J. C. Berendsen et al., J. Chem. Phys. 81, 3684 (1984): lambda^2 = 1 + dt/tau (T0/T - 1), kept within 0.8 and 1.25.
ALDER_HD double berendsenFactor(GroupThermostat const& g, GroupNow const& now)
{
    double const square = 1.0 + g.interval / g.tau * (now.reference / temperature(now.kinetic, g.degreesOfFreedom) - 1.0);
    double const factor = std::sqrt(square > 0.0 ? square : 0.0);
    return factor < 0.8 ? 0.8 : factor > 1.25 ? 1.25 : factor;
}

/// v-rescale and Berendsen: multiplies velocities. A group is coupled where its time constant says so. v-rescale with tau = 0 draws a new
/// kinetic energy each time; Berendsen's formula has no such limit, and 0 stands for "not coupled" there.
template <class Numbers> ALDER_HD double rescaleGroup(GroupThermostat const& g, GroupNow const& now, Numbers const& integral)
{
    bool const random = g.kind == plan::Thermostat::vRescale, coupled = random ? g.tau >= 0 : g.tau > 0;
    if (!coupled || !(g.degreesOfFreedom > 0) || !(now.kinetic > 0)) return 1.0;
    double const factor = random ? vRescaleFactor(g, now) : berendsenFactor(g, now);
    integral[0] -= (factor * factor - 1.0) * now.kinetic;
    return factor;
}

// S. Nose, Mol. Phys. 52, 255 (1984), W. G. Hoover, Phys. Rev. A 31, 1695 (1985): dv/dt = F/m - p v, dp/dt = (T - T0)/Q' with
// 1/Q' = 4 pi^2/(tau^2 T0), so that the kinetic energy of a system with few ties swings with period tau. The velocity p stands at whole
// steps and T at the half step before: both are second order, and the update of the atoms takes p with the mean of the velocities before
// and after (B. L. Holian et al., Phys. Rev. E 52, 2338 (1995)).
template <class Numbers> ALDER_HD double dragGroup(GroupThermostat const& g, GroupNow const& now, GroupMemory<Numbers> const& memory)
{
    if (!(g.tau > 0) || !(now.reference > 0) || !(g.degreesOfFreedom > 0)) return 0.0;
    double const before = memory.chainVelocity[0], present = temperature(now.kinetic, g.degreesOfFreedom);
    double const after = before + g.interval * noseHooverRate(g.tau, now.reference) * (present - now.reference);
    memory.chainVelocity[0] = after;
    memory.chainPosition[0] += g.interval * after;
    memory.integral[0] += g.degreesOfFreedom * physics::boltzmann * now.reference * g.interval * after;
    return 0.5 * g.interval * after;
}

/// Chains for velocity Verlet: the factor for whole-step velocities that two half moves make, the end of one interval and the beginning of
/// the next.
template <class Numbers> ALDER_HD double moveChain(GroupThermostat const& g, GroupNow const& now, GroupMemory<Numbers> const& memory)
{
    if (!(g.tau > 0) || !(now.reference > 0) || !(g.degreesOfFreedom > 0)) return 1.0;
    ChainIn<Numbers> chain{g.degreesOfFreedom, now.reference, g.tau, g.links, memory.chainPosition, memory.chainVelocity};
    double const half = 0.5 * g.interval, once = chain.move(half, now.kinetic);
    return once * chain.move(half, once * once * now.kinetic);
}

/// One coupling of whatever kind.
template <class Numbers>
ALDER_HD GroupResponse coupleGroup(GroupThermostat const& g, GroupNow const& now, GroupMemory<Numbers> const& memory)
{
    switch (g.kind) {
    case plan::Thermostat::vRescale:
    case plan::Thermostat::berendsen: return {rescaleGroup(g, now, memory.integral), 0.0};
    case plan::Thermostat::noseHoover:
        if (g.links > 0) return {moveChain(g, now, memory), 0.0};
        return {1.0, dragGroup(g, now, memory)};
    default: return {};
    }
}

} // namespace alder::couple
