#pragma once
// What a step adds up. All order-free: the same bits for any number of threads and ranks.

#include "math/fixed_sum.hpp"
#include "system/interaction.hpp"

#include <array>
#include <vector>

namespace alder::system {

/// Energies by term and the virial of the forces, -1/2 sum r outer F, kJ/mol.
struct ForceSums {
    std::array<math::FixedSum, termCount> terms;
    math::FixedTensor virial;
    [[nodiscard]] math::FixedSum& of(Term term) { return terms[static_cast<std::size_t>(term)]; }
    [[nodiscard]] math::FixedSum const& of(Term term) const { return terms[static_cast<std::size_t>(term)]; }
    void add(ForceSums const& other)
    {
        for (std::size_t t = 0; t < termCount; ++t) terms[t].add(other.terms[t]);
        virial.add(other.virial);
    }
};

/// Kinetic energy 1/2 sum m v outer v by temperature group (kJ/mol), and momentum (amu nm/ps).
struct MotionSums {
    std::vector<math::FixedTensor> kinetic; ///< by temperature group
    math::FixedSum momentumX, momentumY, momentumZ;
};

} // namespace alder::system
