#include "deck/topology/sections.hpp"

#include "deck/mdp_keys.hpp"

#include <fmt/format.h>

#include <array>

namespace alder::deck {

using system::Kind;

std::vector<std::string_view> const& sectionNames()
{
    static std::vector<std::string_view> const names{"defaults",
                                                     "atomtypes",
                                                     "bondtypes",
                                                     "constrainttypes",
                                                     "pairtypes",
                                                     "angletypes",
                                                     "dihedraltypes",
                                                     "nonbond_params",
                                                     "implicit_genborn_params",
                                                     "implicit_surface_params",
                                                     "cmaptypes",
                                                     "moleculetype",
                                                     "atoms",
                                                     "virtual_sites1",
                                                     "virtual_sites2",
                                                     "virtual_sites3",
                                                     "virtual_sites4",
                                                     "virtual_sitesn",
                                                     "bonds",
                                                     "exclusions",
                                                     "pairs",
                                                     "pairs_nb",
                                                     "angles",
                                                     "dihedrals",
                                                     "constraints",
                                                     "settles",
                                                     "polarization",
                                                     "water_polarization",
                                                     "thole_polarization",
                                                     "system",
                                                     "molecules",
                                                     "position_restraints",
                                                     "angle_restraints",
                                                     "angle_restraints_z",
                                                     "distance_restraints",
                                                     "orientation_restraints",
                                                     "dihedral_restraints",
                                                     "cmap",
                                                     "intermolecular_interactions"};
    return names;
}

std::string_view nameOf(Section section) { return sectionNames()[static_cast<std::size_t>(section)]; }

std::optional<Section> sectionOf(std::string_view name)
{
    std::string sought = canonical(name);
    if (sought.starts_with("dummies")) sought = "virtualsites" + sought.substr(7);
    for (std::size_t s = 0; s < sectionCount; ++s)
        if (canonical(sectionNames()[s]) == sought) return static_cast<Section>(s);
    return std::nullopt;
}

namespace {

/// Any one of these must have come before.
std::vector<Section> needs(Section section)
{
    using enum Section;
    if (section == defaults) return {};
    if (section == atomtypes) return {defaults};
    if (section <= cmaptypes || section == moleculetype) return {atomtypes};
    if (section == atoms || section == Section::system) return {moleculetype};
    if (section == exclusions) return {bonds, constraints, settles};
    if (section == molecules) return {Section::system};
    if (section == intermolecularInteractions) return {molecules};
    return {atoms};
}

} // namespace

std::string orderFault(Section section, SectionSet const& seen)
{
    if (section <= Section::cmaptypes && seen[static_cast<std::size_t>(Section::moleculetype)])
        return fmt::format("[ {} ] after a [ moleculetype ]", nameOf(section));
    std::vector<Section> const wanted = needs(section);
    std::string names;
    for (Section const s : wanted) {
        if (seen[static_cast<std::size_t>(s)]) return {};
        names += fmt::format("{}[ {} ]", names.empty() ? "" : " or ", nameOf(s));
    }
    return wanted.empty() ? std::string() : fmt::format("[ {} ] before any {}", nameOf(section), names);
}

namespace {

/// Sections in which GROMACS does not look at the function type.
bool hasOneKind(Section section)
{
    using enum Section;
    switch (section) {
    case pairsNb:
    case settles:
    case cmap:
    case waterPolarization:
    case tholePolarization:
    case angleRestraints:
    case angleRestraintsZ:
    case distanceRestraints:
    case orientationRestraints:
    case dihedralRestraints: return true;
    default: return false;
    }
}

/// The section whose entries a section of parameters serves.
std::string_view servedSection(Section section)
{
    using enum Section;
    switch (section) {
    case bondtypes: return "bonds";
    case constrainttypes: return "constraints";
    case angletypes: return "angles";
    case dihedraltypes: return "dihedrals";
    case pairtypes: return "pairs";
    default: return nameOf(section);
    }
}

} // namespace

std::optional<Kind> kindOf(Section section, std::int64_t functionType)
{
    if (section == Section::virtualSitesN) {
        if (functionType >= 1 && functionType <= 3) return Kind::virtualSiteN;
        return std::nullopt;
    }
    if (hasOneKind(section)) functionType = 1;
    // In [ pairtypes ] types 1 and 2 both give the Lennard-Jones parameters of 1-4 pairs.
    if (section == Section::pairtypes && functionType == 2) functionType = 1;
    if (section == Section::dihedrals || section == Section::dihedraltypes) {
        if (functionType == 9) functionType = 1;
    }
    std::string_view const name = servedSection(section);
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        system::KindInfo const& info = system::infoOf(static_cast<Kind>(k));
        if (info.section == name && info.functionType == functionType) return static_cast<Kind>(k);
    }
    return std::nullopt;
}

std::string functionTypesOf(Section section)
{
    std::string all;
    for (int type = 1; type <= 11; ++type)
        if (kindOf(section, type)) all += fmt::format("{}{}", all.empty() ? "" : ", ", type);
    return all;
}

KindRules rulesOf(Kind kind)
{
    switch (kind) {
    case Kind::bond:
    case Kind::g96Bond: return {.parametersB = 2, .connects = true, .becomesConstraint = true};
    case Kind::morse: return {.parametersB = 3, .connects = true, .becomesConstraint = true};
    case Kind::cubicBond: return {.connects = true, .becomesConstraint = true};
    case Kind::connectBond: return {.connects = true};
    case Kind::harmonic: return {.parametersB = 2};
    case Kind::fene: return {.connects = true};
    case Kind::tabulatedBond: return {.parametersB = 2, .sameInBothStates = 0, .connects = true};
    case Kind::tabulatedBondNoExclusion:
    case Kind::tabulatedAngle:
    case Kind::tabulatedDihedral: return {.parametersB = 2, .sameInBothStates = 0};
    case Kind::restraintBond: return {.parametersB = 4, .dropsWhenZero = true};
    case Kind::pair14: return {.parametersB = 2};
    case Kind::angle:
    case Kind::g96Angle:
    case Kind::restrictedAngle:
    case Kind::linearAngle: return {.parametersB = 2, .isAngle = true, .dropsWhenZero = true};
    case Kind::ureyBradley: return {.parametersB = 4, .isAngle = true, .dropsWhenZero = true};
    case Kind::quarticAngle: return {.isAngle = true, .dropsWhenZero = true};
    case Kind::properDihedral: return {.parametersB = 3, .sameInBothStates = 2, .dropsWhenZero = true};
    case Kind::periodicImproper: return {.parametersB = 3, .dropsWhenZero = true};
    case Kind::improperDihedral: return {.parametersB = 2, .dropsWhenZero = true};
    case Kind::ryckaertBellemans: return {.parametersB = 6, .dropsWhenZero = true};
    case Kind::fourierDihedral: return {.parametersB = 4, .dropsWhenZero = true};
    case Kind::restrictedDihedral: return {.parametersB = 2};
    case Kind::combinedBendingTorsion: return {.parametersB = 6};
    case Kind::constraint: return {.parametersB = 1, .connects = true};
    case Kind::constraintNoExclusion: return {.parametersB = 1};
    case Kind::virtualSite1:
    case Kind::virtualSite2:
    case Kind::virtualSite2fd:
    case Kind::virtualSite3:
    case Kind::virtualSite3fd:
    case Kind::virtualSite3fad:
    case Kind::virtualSite3out:
    case Kind::virtualSite4fd:
    case Kind::virtualSite4fdn:
    case Kind::virtualSiteN: return {.isVirtualSite = true};
    case Kind::positionRestraint: return {.parametersB = 3, .dropsWhenZero = true};
    case Kind::flatBottomRestraint:
    case Kind::distanceRestraint:
    case Kind::orientationRestraint: return {.dropsWhenZero = true};
    case Kind::dihedralRestraint: return {.parametersB = 3, .dropsWhenZero = true};
    case Kind::angleRestraint:
    case Kind::angleRestraintZ: return {.parametersB = 3, .sameInBothStates = 2, .dropsWhenZero = true};
    case Kind::polarization:
    case Kind::anharmonicPolarization: return {.connects = true};
    default: return {};
    }
}

ParameterCounts countsOf(Kind kind)
{
    KindRules const rules = rulesOf(kind);
    return {system::infoOf(kind).parameters, rules.parametersB, rules.sameInBothStates};
}

} // namespace alder::deck
