#pragma once
// Every kind of bonded interaction, constraint, virtual site and restraint that a GROMACS topology can name. One row of a table each:
// the section and function type that write it, how many atoms and parameters it takes, and the energy term it is reported under.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace alder::system {

/// The energy terms, named as `gmx energy` prints them by nameOf(Term).
enum class Term : std::uint8_t {
    bond,
    g96Bond,
    morse,
    cubicBond,
    connectBond,
    harmonic,
    fene,
    tabulatedBond,
    restraintBond,
    angle,
    g96Angle,
    restrictedAngle,
    linearAngle,
    crossBondBond,
    crossBondAngle,
    ureyBradley,
    quarticAngle,
    tabulatedAngle,
    properDihedral,
    ryckaertBellemans,
    restrictedDihedral,
    combinedBendingTorsion,
    fourierDihedral,
    improperDihedral,
    periodicImproper,
    tabulatedDihedral,
    cmap,
    lj14,
    coulomb14,
    ljSR,
    ljRecip,
    dispersionCorrection,
    coulombSR,
    coulombRecip,
    positionRestraint,
    flatBottomRestraint,
    distanceRestraint,
    dihedralRestraint,
    angleRestraint,
    angleRestraintZ,
    polarization,
    count
};
inline constexpr std::size_t termCount = static_cast<std::size_t>(Term::count);
std::string_view nameOf(Term term);

enum class Kind : std::uint8_t {
    bond,
    g96Bond,
    morse,
    cubicBond,
    connectBond,
    harmonic,
    fene,
    tabulatedBond,
    tabulatedBondNoExclusion,
    restraintBond,
    pair14,
    pair14Charges,
    pairNonbonded,
    angle,
    g96Angle,
    crossBondBond,
    crossBondAngle,
    ureyBradley,
    quarticAngle,
    tabulatedAngle,
    linearAngle,
    restrictedAngle,
    properDihedral,
    improperDihedral,
    ryckaertBellemans,
    periodicImproper,
    fourierDihedral,
    tabulatedDihedral,
    restrictedDihedral,
    combinedBendingTorsion,
    cmap,
    constraint,
    constraintNoExclusion,
    settle,
    virtualSite1,
    virtualSite2,
    virtualSite2fd,
    virtualSite3,
    virtualSite3fd,
    virtualSite3fad,
    virtualSite3out,
    virtualSite4fd,
    virtualSite4fdn,
    virtualSiteN,
    positionRestraint,
    flatBottomRestraint,
    distanceRestraint,
    dihedralRestraint,
    orientationRestraint,
    angleRestraint,
    angleRestraintZ,
    polarization,
    waterPolarization,
    tholePolarization,
    anharmonicPolarization,
    count
};
inline constexpr std::size_t kindCount = static_cast<std::size_t>(Kind::count);

/// How a kind is written and reported.
struct KindInfo {
    std::string_view name;    ///< for messages: "Urey-Bradley angle"
    std::string_view section; ///< the [ section ] of the topology
    int functionType;         ///< the function number in that section
    int atoms;                ///< atoms an entry names; a virtual_sitesn line becomes one entry of two per constructing atom
    int parameters;           ///< parameters stored per set, state A
    Term term;                ///< Term::count where it has no energy of its own
};
KindInfo const& infoOf(Kind kind);

/// A set of parameters as the topology gives them, in file order and file units (nm, kJ/mol, degrees).
/// Proper dihedrals 1, 4 and 9: phase, force constant, multiplicity. Pairs 1: sigma or C6 already combined to {c6, c12}. Pairs 2:
/// fudgeQQ, qi, qj, c6, c12. pairs_nb: qi, qj, c6, c12. Ryckaert-Bellemans: six coefficients as written; Fourier: F1 to F4. CMAP: index of
/// the grid in Topology::cmapGrids. Settle: dOH, dHH. Virtual site N: number of constructing atoms, weight of this one (they add up to 1).
inline constexpr std::size_t maxParameters = 12;
using ParameterSet = std::array<double, maxParameters>;

} // namespace alder::system
