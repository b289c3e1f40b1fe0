#pragma once
// Units: nm, ps, amu, e, kJ/mol, K, bar. Constants from CODATA 2018, as GROMACS 2022 rounds them.

namespace alder::physics {

inline constexpr double avogadro = 6.02214076e23;
inline constexpr double boltzmann = 1.380649e-23 * avogadro * 1e-3; ///< kJ/mol/K
/// Coulomb's constant, 1/(4 pi eps0), kJ mol^-1 nm e^-2. eps0 = 8.8541878128e-12 F/m, e = 1.602176634e-19 C.
inline constexpr double pi = 3.141592653589793238462643383279502884;
inline constexpr double coulombConstant = 1.602176634e-19 * 1.602176634e-19 * avogadro / (4.0 * pi * 8.8541878128e-12) * 1e9 * 1e-3;
inline constexpr double barPerPressureUnit = 1e27 / avogadro * 1e3 * 1e-5; ///< 1 kJ/mol/nm^3 in bar: 16.6054
inline constexpr double densityPerAmu = 1e27 / avogadro * 1e-3;            ///< 1 amu/nm^3 in kg/m^3: 1.66054

} // namespace alder::physics
