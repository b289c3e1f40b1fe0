#pragma once
// What the pair kernels read and write, as plain data: the kernels' translation units are compiled for one instruction set each, and
// must share no inline code with the rest of the program.

#include "pairs/kernel_constants.hpp"
#include "pairs/pair_list.hpp"

#include <cstddef>
#include <cstdint>

namespace alder::cpu {

using pairs::CoulombFlavour;
using pairs::EnergyConstants;
using pairs::EnergyCoulomb;
using pairs::EnergyLj;
using pairs::gridCoefficients;
using pairs::KernelConstants;
using pairs::KernelFlavour;
using pairs::LjFlavour;
using pairs::mostCoefficients;
using pairs::ParameterFlavour;

/// Cluster c's data: coordinates [24 c], x of eight atoms, then y, then z; the rest [8 c]. Empty slots lie out of everything's reach.
struct KernelInput {
    KernelConstants const* constants = nullptr;
    std::int32_t const* coordinates = nullptr;
    float const* charge = nullptr;        ///< times sqrt(f / epsilon_r)
    float const* six = nullptr;           ///< geometric: sqrt(6 c6)
    float const* twelve = nullptr;        ///< geometric: sqrt(12 c12)
    std::int32_t const* ljType = nullptr; ///< else: index into the tables
    float const* sixTable = nullptr;      ///< 6 c6 and 12 c12, row-major ljTypeCount x ljTypeCount
    float const* twelveTable = nullptr;
    float const* gridTable = nullptr; ///< LJ Ewald: 6 c6 of the grid
    std::int32_t ljTypeCount = 0;
    std::int32_t const* shifts = nullptr; ///< three lattice units a shift
    std::int32_t const* kind = nullptr;   ///< by slot: index into EnergyConstants::charge
};

/// Sums in units of 2^-24 kJ/mol, each term rounded by itself.
struct EnergyUnits {
    std::int64_t lj = 0, coulomb = 0;
    std::int64_t virial[6] = {}; ///< -1/2 F/r times xx, yy, zz, xy, xz, yz
};

/// A piece of the list.
struct KernelWork {
    pairs::ListEntry const* entries = nullptr;
    std::size_t entryCount = 0;
    std::int32_t const* tiles = nullptr;
    pairs::MaskedTile const* masked = nullptr;
    /// Where wanted: by image shift three sums of quanta, of the forces on the i atoms that were taken at that shift.
    std::int64_t* shiftForces = nullptr;
};

/// The pairs of one cluster pair as the narrow kernel would compute them, for the wide sum. Index 8 * row + lane.
struct WideTile {
    std::int32_t iCluster = 0, jCluster = 0, shift = 0;
    std::uint32_t interacts = 0, exists = 0;
    float dx[32], dy[32], dz[32]; ///< nm
    float force[32];              ///< F/r, quanta/nm; 0 beyond the cutoff
    float fx[32], fy[32], fz[32]; ///< quanta
};
struct WideSink {
    void (*add)(void* context, WideTile const& tile) = nullptr;
    void* context = nullptr;
};

/// Squared list radii, nm^2.
struct PruneRadii {
    float inner2 = 0, outer2 = 0;
};

/// Where pruned list entries go: room for all of the list that is pruned, and one tile of either kind more.
struct PruneOutput {
    pairs::ListEntry* entries = nullptr;
    std::int32_t* tiles = nullptr;
    pairs::MaskedTile* masked = nullptr;
    std::size_t entryCount = 0, tileCount = 0, maskedCount = 0;
};

/// The kernels of one flavour for one instruction set.
struct Kernels {
    /// Adds forces (quanta) into `forces`, laid out as the coordinates; returns true where a force may
    /// have left the range of its integer, or is not a number: then the whole pass is to be done by the wide kernel.
    bool (*narrow)(KernelInput const& input, KernelWork const& work, std::int32_t* forces) = nullptr;
    void (*wide)(KernelInput const& input, KernelWork const& work, WideSink const& sink) = nullptr;
    /// Copies what has a pair of atoms within the inner radius; and, where `outer` is given, within the outer one. That may lie where
    /// `work` does: writing never overtakes reading.
    void (*prune)(KernelInput const& input, KernelWork const& work, PruneRadii radii, PruneOutput& inner, PruneOutput* outer) = nullptr;
    void (*energies)(KernelInput const& input, KernelWork const& work, EnergyConstants const& constants, EnergyUnits& sums) = nullptr;
    int parts = 1; ///< tiles that a j cluster is taken in
};

Kernels kernelsSse41(KernelFlavour flavour);
Kernels kernelsAvx2(KernelFlavour flavour);
Kernels kernelsAvx512(KernelFlavour flavour);

} // namespace alder::cpu
