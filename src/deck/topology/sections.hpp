#pragma once
// The [ sections ] of a topology: their names, what must come before them, and which kinds of interaction they write.

#include "deck/topology/line.hpp"
#include "system/interaction.hpp"

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alder::deck {

/// In the order of the table of names. Sections up to cmaptypes are the force field and end where the first molecule type begins.
enum class Section : std::uint8_t {
    defaults,
    atomtypes,
    bondtypes,
    constrainttypes,
    pairtypes,
    angletypes,
    dihedraltypes,
    nonbondParams,
    implicitGenbornParams,
    implicitSurfaceParams,
    cmaptypes,
    moleculetype,
    atoms,
    virtualSites1,
    virtualSites2,
    virtualSites3,
    virtualSites4,
    virtualSitesN,
    bonds,
    exclusions,
    pairs,
    pairsNb,
    angles,
    dihedrals,
    constraints,
    settles,
    polarization,
    waterPolarization,
    tholePolarization,
    system,
    molecules,
    positionRestraints,
    angleRestraints,
    angleRestraintsZ,
    distanceRestraints,
    orientationRestraints,
    dihedralRestraints,
    cmap,
    intermolecularInteractions,
    count
};
inline constexpr std::size_t sectionCount = static_cast<std::size_t>(Section::count);
using SectionSet = std::bitset<sectionCount>;

std::string_view nameOf(Section section);
/// All names, for the nearest to a misspelt one.
std::vector<std::string_view> const& sectionNames();

/// The section of that name, compared without regard to case, '-' and '_'; `dummies` is an old spelling of `virtual_sites`.
std::optional<Section> sectionOf(std::string_view name);

/// What is wrong with `section` after the sections `seen` so far; empty: nothing.
std::string orderFault(Section section, SectionSet const& seen);

/// The kind of interaction that a function type stands for in a section; none where GROMACS knows no such type. Sections of parameters
/// ([ bondtypes ] ...) count as the sections they serve. Dihedral type 9 is a proper dihedral.
std::optional<system::Kind> kindOf(Section section, std::int64_t functionType);
/// The function types of a section, for messages: "1, 2, 3".
std::string functionTypesOf(Section section);

/// What the topology rules need to know of a kind beyond system::KindInfo.
struct KindRules {
    int parametersB = 0;            ///< parameters of the second state of free-energy decks; by default copied from the first ones
    int sameInBothStates = -1;      ///< the parameter in which the states cannot differ
    bool connects = false;          ///< counts as a chemical bond when neighbours are excluded
    bool becomesConstraint = false; ///< `constraints = all-bonds` turns it into a constraint
    bool isAngle = false;           ///< an angle that virtual sites can make constant
    bool isVirtualSite = false;
    bool dropsWhenZero = false; ///< GROMACS leaves the entry out where all parameters are zero
};
KindRules rulesOf(system::Kind kind);
/// How many parameters an entry of this kind gives.
ParameterCounts countsOf(system::Kind kind);

} // namespace alder::deck
