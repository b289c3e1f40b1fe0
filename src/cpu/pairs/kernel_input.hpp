#pragma once
// What the pair kernels read and write, as plain data: the kernels' translation units are compiled for one instruction set each, and
// must share no inline code with the rest of the program.

#include "pairs/pair_list.hpp"

#include <cstddef>
#include <cstdint>

namespace alder::cpu {

/// The longest polynomial of the Ewald correction: degree 19.
inline constexpr int mostCoefficients = 20;
/// The polynomial of the dispersion that is on the grid, degree 17: right to 2e-5 of the dispersion force at the cutoff for ewald-rtol-lj
/// 1e-3, which is float's own noise, to 6e-4 for 1e-7.
inline constexpr int gridCoefficients = 18;

/// Constants of the potential as the kernels compute it. They work with w = 2/r (the Newton step's natural result) and forces in quanta;
/// the powers of two that this takes are folded in here and into the i side's parameters, where they cost nothing and round nothing.
struct KernelConstants {
    float quantum = 0; ///< nm a lattice unit
    float coulombCutoff2 = 0, ljCutoff2 = 0;
    float chargeFactor = 1; ///< forces in quanta, over 8: q_i q_j factor (w^3 - smooth)
    float sixFactor = 1, twelveFactor = 1;
    float smooth = 0;                        ///< reaction field: 8 * 2 krf
    float polynomialScale = 0;               ///< t = polynomialScale r^2 - 1
    float polynomial[mostCoefficients] = {}; ///< Ewald: 8 g as powers of t
    float switchStart = 0, inverseSwitchWidth = 0;
    float sixA = 0, sixB = 0, twelveA = 0, twelveB = 0; ///< force switch
    /// LJ Ewald: 256/6 of the force of 1/r^6 on the grid, as powers of t; times the parameters of c6
    float gridPolynomial[gridCoefficients] = {};
    float safeSquare = 0; ///< sums of (F/r)^2, in quanta/nm, up to this cannot have overflowed
};

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

enum class EnergyCoulomb : std::uint8_t { none, reactionField, ewald };
enum class EnergyLj : std::uint8_t { none, cut, potentialSwitch, forceSwitch, ewald };

/// The polynomials of the energy kernels, degree 17: right to 1e-11 for ewald-rtol 1e-5, 1e-9 for 1e-8.
inline constexpr int energyCoefficients = 18;
/// Those of the dispersion on the grid, degree 23: right to 1e-6 of dispersion at the cutoff for any ewald-rtol-lj that is taken.
inline constexpr int gridEnergyCoefficients = 24;

/// Constants of the energies and the virial, in double precision; nm, kJ/mol.
struct EnergyConstants {
    EnergyCoulomb coulomb = EnergyCoulomb::none;
    EnergyLj lj = EnergyLj::none;
    double quantum = 0;
    double coulombCutoff2 = 0, ljCutoff2 = 0, cutoff2 = 0; ///< the last: the larger
    double krf = 0, shift = 0;                             ///< reaction field: crf; Ewald: its shift, which excluded pairs don't have
    double polynomialScale = 0;
    double potential[energyCoefficients] = {}; ///< erf(beta r)/r as powers of t
    double force[energyCoefficients] = {};     ///< g
    double dispersionShift = 0, repulsionShift = 0, gridShift = 0;
    double gridScale = 0;                              ///< LJ Ewald: t = gridScale r^2 - 1
    double gridPotential[gridEnergyCoefficients] = {}; ///< (1 - G)/r^6 as powers of t
    double gridForce[gridEnergyCoefficients] = {};     ///< its force over r
    double switchStart = 0, inverseSwitchWidth = 0;
    double sixA = 0, sixB = 0, sixC = 0, twelveA = 0, twelveB = 0, twelveC = 0;
    double const* charge = nullptr; ///< by kind, times sqrt(f / epsilon_r)
    double const* six = nullptr;    ///< c6, c12 and c6 of the grid, row-major ljTypeCount x ljTypeCount
    double const* twelve = nullptr;
    double const* grid = nullptr;
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

enum class CoulombFlavour : std::uint8_t { reactionField, ewald11, ewald19, count };
enum class LjFlavour : std::uint8_t { cut, cutShort, potentialSwitch, forceSwitch, ewald, count };
enum class ParameterFlavour : std::uint8_t { geometric, table, count, none };

struct KernelFlavour {
    CoulombFlavour coulomb = CoulombFlavour::reactionField;
    LjFlavour lj = LjFlavour::cut;
    ParameterFlavour parameters = ParameterFlavour::geometric;
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
