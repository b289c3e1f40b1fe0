#include "system/interaction.hpp"

namespace alder::system {

std::string_view nameOf(Term term)
{
    static constexpr std::array<std::string_view, termCount> names{
        "Bond",           "G96Bond",        "Morse",          "Cubic Bonds",   "Connect Bonds",  "Harmonic Pot.",
        "FENE Bonds",     "Tab. Bonds",     "Restraint Pot.", "Angle",         "G96Angle",       "Restr. Angles",
        "Lin. Angle",     "Bond-Cross",     "BA-Cross",       "U-B",           "Quartic Angles", "Tab. Angles",
        "Proper Dih.",    "Ryckaert-Bell.", "Restr. Dih.",    "CBT Dih.",      "Fourier Dih.",   "Improper Dih.",
        "Per. Imp. Dih.", "Tab. Dih.",      "CMAP Dih.",      "LJ-14",         "Coulomb-14",     "LJ (SR)",
        "LJ recip.",      "Disper. corr.",  "Coulomb (SR)",   "Coul. recip.",  "Position Rest.", "Flat-b. P-R.",
        "Dis. Rest.",     "Dih. Rest.",     "Angle Rest.",    "Angle Rest. Z", "Polarization"};
    return names[static_cast<std::size_t>(term)];
}

KindInfo const& infoOf(Kind kind)
{
    static constexpr std::array<KindInfo, kindCount> table{{
        {"harmonic bond", "bonds", 1, 2, 2, Term::bond},
        {"G96 bond", "bonds", 2, 2, 2, Term::g96Bond},
        {"Morse bond", "bonds", 3, 2, 3, Term::morse},
        {"cubic bond", "bonds", 4, 2, 3, Term::cubicBond},
        {"connection", "bonds", 5, 2, 0, Term::count},
        {"harmonic potential", "bonds", 6, 2, 2, Term::harmonic},
        {"FENE bond", "bonds", 7, 2, 2, Term::fene},
        {"tabulated bond", "bonds", 8, 2, 2, Term::tabulatedBond},
        {"tabulated bond without exclusion", "bonds", 9, 2, 2, Term::tabulatedBond},
        {"restraint potential", "bonds", 10, 2, 4, Term::restraintBond},
        {"1-4 pair", "pairs", 1, 2, 2, Term::lj14},
        {"1-4 pair with charges", "pairs", 2, 2, 5, Term::lj14},
        {"nonbonded pair", "pairs_nb", 1, 2, 4, Term::ljSR},
        {"harmonic angle", "angles", 1, 3, 2, Term::angle},
        {"G96 angle", "angles", 2, 3, 2, Term::g96Angle},
        {"cross bond-bond", "angles", 3, 3, 3, Term::crossBondBond},
        {"cross bond-angle", "angles", 4, 3, 4, Term::crossBondAngle},
        {"Urey-Bradley angle", "angles", 5, 3, 4, Term::ureyBradley},
        {"quartic angle", "angles", 6, 3, 6, Term::quarticAngle},
        {"tabulated angle", "angles", 8, 3, 2, Term::tabulatedAngle},
        {"linear angle", "angles", 9, 3, 2, Term::linearAngle},
        {"restricted bending", "angles", 10, 3, 2, Term::restrictedAngle},
        {"proper dihedral", "dihedrals", 1, 4, 3, Term::properDihedral},
        {"improper dihedral", "dihedrals", 2, 4, 2, Term::improperDihedral},
        {"Ryckaert-Bellemans dihedral", "dihedrals", 3, 4, 6, Term::ryckaertBellemans},
        {"periodic improper dihedral", "dihedrals", 4, 4, 3, Term::periodicImproper},
        {"Fourier dihedral", "dihedrals", 5, 4, 4, Term::fourierDihedral},
        {"tabulated dihedral", "dihedrals", 8, 4, 2, Term::tabulatedDihedral},
        {"restricted dihedral", "dihedrals", 10, 4, 2, Term::restrictedDihedral},
        {"combined bending-torsion", "dihedrals", 11, 4, 6, Term::combinedBendingTorsion},
        {"CMAP", "cmap", 1, 5, 1, Term::cmap},
        {"constraint", "constraints", 1, 2, 1, Term::count},
        {"constraint without exclusion", "constraints", 2, 2, 1, Term::count},
        {"SETTLE", "settles", 1, 3, 2, Term::count},
        {"virtual site 1", "virtual_sites1", 1, 2, 0, Term::count},
        {"virtual site 2", "virtual_sites2", 1, 3, 1, Term::count},
        {"virtual site 2fd", "virtual_sites2", 2, 3, 1, Term::count},
        {"virtual site 3", "virtual_sites3", 1, 4, 2, Term::count},
        {"virtual site 3fd", "virtual_sites3", 2, 4, 2, Term::count},
        {"virtual site 3fad", "virtual_sites3", 3, 4, 2, Term::count},
        {"virtual site 3out", "virtual_sites3", 4, 4, 3, Term::count},
        {"virtual site 4fd", "virtual_sites4", 1, 5, 3, Term::count},
        {"virtual site 4fdn", "virtual_sites4", 2, 5, 3, Term::count},
        {"virtual site N", "virtual_sitesn", 1, 2, 2, Term::count},
        {"position restraint", "position_restraints", 1, 1, 3, Term::positionRestraint},
        {"flat-bottomed position restraint", "position_restraints", 2, 1, 3, Term::flatBottomRestraint},
        {"distance restraint", "distance_restraints", 1, 2, 6, Term::distanceRestraint},
        {"dihedral restraint", "dihedral_restraints", 1, 4, 3, Term::dihedralRestraint},
        {"orientation restraint", "orientation_restraints", 1, 2, 6, Term::count},
        {"angle restraint", "angle_restraints", 1, 4, 3, Term::angleRestraint},
        {"angle restraint with z", "angle_restraints_z", 1, 2, 3, Term::angleRestraintZ},
        {"polarization", "polarization", 1, 2, 1, Term::polarization},
        {"water polarization", "water_polarization", 1, 5, 6, Term::polarization},
        {"Thole polarization", "thole_polarization", 1, 4, 3, Term::polarization},
        {"anharmonic polarization", "polarization", 2, 2, 3, Term::polarization},
    }};
    return table[static_cast<std::size_t>(kind)];
}

} // namespace alder::system
