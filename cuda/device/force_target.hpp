#pragma once
// Where the kernels of every kind of force add what they find.

#include "device/view.hpp"
#include "system/interaction.hpp"

#include <cstdint>

namespace alder::cuda {

/// Nine of the virial, row by row: xx xy xz yx yy yz zx zy zz.
inline constexpr std::size_t virialCount = 9;
/// The layout of ForceTarget::sums, that of system::ForceSums.
inline constexpr std::size_t virialOffset = system::termCount;
inline constexpr std::size_t sumCount = system::termCount + virialCount;

struct ForceTarget {
    View<std::int64_t> forces; ///< three an atom at [3 atom + axis], units of 2^-24 kJ/mol/nm (math::forceScale)
    View<std::int64_t> sums;   ///< energies by system::Term, then the virial; units of 2^-24 kJ/mol (math::sumScale)
    bool wanted = false;       ///< whether energies and virial are to be added
};

} // namespace alder::cuda
