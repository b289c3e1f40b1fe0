#pragma once
// Chains of Nose and Hoover by operator splitting, for velocity Verlet: G. J. Martyna, M. E. Tuckerman, D. J. Tobias and M. L. Klein, Mol.
// Phys. 87, 1117 (1996). Link n has position xi_n (no unit) and velocity v_n (1/ps), masses
//   Q_1 = N_df k T0 (tau/2 pi)^2,   Q_n = k T0 (tau/2 pi)^2      kJ/mol ps^2
// and is driven by
//   G_1 = (2 K - N_df k T0) / Q_1,   G_n = (Q_(n-1) v_(n-1)^2 - k T0) / Q_n
// Velocities of atoms shrink by exp(-h v_1) in a time h. What is conserved beside the atoms' energy is
//   sum Q_n v_n^2 / 2 + N_df k T0 xi_1 + k T0 sum_(n > 1) xi_n
// With one link this is Nose's and Hoover's thermostat; tau is its period of oscillation.

#include "math/elementary.hpp"
#include "physics/constants.hpp"

#include <span>

namespace alder::couple {

/// The chain of one temperature group; `Numbers` is what holds a number for each link, on the host or in a kernel.
template <class Numbers> struct ChainIn {
    double degreesOfFreedom = 0, reference = 0, tau = 0; ///< K, ps
    int links = 1;
    Numbers position, velocity; ///< by link

    /// Moves the chain through `time` (ps) and returns the factor for the velocities of its atoms, whose kinetic energy is `kinetic`. In
    /// five parts (M. Suzuki, Phys. Lett. A 165, 387 (1992); fourth order): chains may be much faster than atoms.
    ALDER_HD double move(double time, double kinetic)
    {
        constexpr double outer = 0.41449077179437573714; // 1 / (4 - 4^(1/3))
        double factor = 1;
        for (int part = 0; part < 5; ++part) {
            double const once = moveOnce((part == 2 ? 1 - 4 * outer : outer) * time, kinetic);
            factor *= once;
            kinetic *= once * once;
        }
        return factor;
    }
    /// Energy of the chain, kJ/mol.
    [[nodiscard]] ALDER_HD double energy() const
    {
        double sum = 0;
        for (int n = 0; n < links; ++n) {
            double const v = velocity[n], xi = position[n];
            sum += 0.5 * mass(n) * v * v + freedom(n) * thermal() * xi;
        }
        return sum;
    }

private:
    [[nodiscard]] ALDER_HD double thermal() const { return physics::boltzmann * reference; }
    [[nodiscard]] ALDER_HD double freedom(int link) const { return link == 0 ? degreesOfFreedom : 1.0; }
    [[nodiscard]] ALDER_HD double mass(int link) const
    {
        double const period = tau / (2 * physics::pi);
        return freedom(link) * physics::boltzmann * reference * period * period;
    }
    [[nodiscard]] ALDER_HD double drive(int link, double kinetic) const
    {
        if (link == 0) return (2 * kinetic - degreesOfFreedom * thermal()) / mass(0);
        double const before = velocity[link - 1];
        return (mass(link - 1) * before * before - thermal()) / mass(link);
    }
    ALDER_HD void push(int link, double time, double kinetic)
    {
        double slow = 1.0;
        if (link + 1 < links) {
            double const next = velocity[link + 1];
            slow = math::exponential(-0.25 * time * next);
        }
        double const v = velocity[link];
        velocity[link] = slow * (slow * v + 0.5 * time * drive(link, kinetic));
    }
    /// One symmetric pass: velocities from the end of the chain to its head, positions, and back.
    ALDER_HD double moveOnce(double time, double kinetic)
    {
        for (int n = links; n-- > 0;) push(n, time, kinetic);
        double const head = velocity[0], factor = math::exponential(-time * head);
        kinetic *= factor * factor;
        for (int n = 0; n < links; ++n) {
            double const v = velocity[n];
            position[n] += time * v;
        }
        for (int n = 0; n < links; ++n) push(n, time, kinetic);
        return factor;
    }
};

using NoseHooverChain = ChainIn<std::span<double>>;

} // namespace alder::couple
