#pragma once
// Constants of the pair potential as kernels compute it, on CPU and GPU alike: plain data, no code.

#include <cstdint>

namespace alder::pairs {

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

enum class CoulombFlavour : std::uint8_t { reactionField, ewald11, ewald19, count };
enum class LjFlavour : std::uint8_t { cut, cutShort, potentialSwitch, forceSwitch, ewald, count };
enum class ParameterFlavour : std::uint8_t { geometric, table, count, none };

struct KernelFlavour {
    CoulombFlavour coulomb = CoulombFlavour::reactionField;
    LjFlavour lj = LjFlavour::cut;
    ParameterFlavour parameters = ParameterFlavour::geometric;
};

} // namespace alder::pairs
