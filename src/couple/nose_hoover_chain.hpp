#pragma once
// Chains of Nose and Hoover by operator splitting, for velocity Verlet: G. J. Martyna, M. E. Tuckerman, D. J. Tobias and M. L. Klein, Mol.
// Phys. 87, 1117 (1996). Link n has position xi_n (no unit) and velocity v_n (1/ps), masses
//   Q_1 = N_df k T0 (tau/2 pi)^2,   Q_n = k T0 (tau/2 pi)^2      kJ/mol ps^2
// and is driven by
//   G_1 = (2 K - N_df k T0) / Q_1,   G_n = (Q_(n-1) v_(n-1)^2 - k T0) / Q_n
// Velocities of atoms shrink by exp(-h v_1) in a time h. What is conserved beside the atoms' energy is
//   sum Q_n v_n^2 / 2 + N_df k T0 xi_1 + k T0 sum_(n > 1) xi_n
// With one link this is Nose's and Hoover's thermostat; tau is its period of oscillation.

#include <span>

namespace alder::couple {

/// The chain of one temperature group.
struct NoseHooverChain {
    double degreesOfFreedom = 0, reference = 0, tau = 0; ///< K, ps
    std::span<double> position, velocity;                ///< by link

    /// Moves the chain through `time` (ps) and returns the factor for the velocities of its atoms, whose kinetic energy is `kinetic`.
    double move(double time, double kinetic);
    /// Energy of the chain, kJ/mol.
    [[nodiscard]] double energy() const;

private:
    [[nodiscard]] double mass(std::size_t link) const;
    [[nodiscard]] double drive(std::size_t link, double kinetic) const;
    double moveOnce(double time, double kinetic);
};

} // namespace alder::couple
