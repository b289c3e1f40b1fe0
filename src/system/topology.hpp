#pragma once
// What is simulated: molecule types, how many of each, and every parameter. Made by the deck room, read by all others, never changed
// during a run. Molecule types are stored once: a million waters cost what one does.

#include "base/error.hpp"
#include "system/interaction.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace alder::system {

/// One atom of a molecule type.
struct Atom {
    std::string name;
    std::string residueName;
    int residue = 0;     ///< residue number as written
    int type = 0;        ///< index into Nonbonded::typeNames and, times typeCount, into its matrices
    double charge = 0;   ///< e
    double mass = 0;     ///< amu; 0 for virtual sites
    char particle = 'A'; ///< A atom, V virtual site, S shell
};

/// All interactions of one kind in one molecule type.
struct InteractionList {
    std::vector<std::int32_t> atoms;      ///< infoOf(kind).atoms per entry, atom indices within the molecule
    std::vector<std::int32_t> parameters; ///< one per entry: index into Topology::parameters[kind]
    [[nodiscard]] std::size_t size() const { return parameters.size(); }
};

struct MoleculeType {
    std::string name;
    int exclusionBonds = 3; ///< nrexcl
    std::vector<Atom> atoms;
    std::array<InteractionList, kindCount> interactions;
    /// Excluded partners of atom i: exclusions[exclusionStart[i] .. exclusionStart[i+1]), sorted, symmetric, without i itself.
    std::vector<std::int32_t> exclusionStart, exclusions;

    [[nodiscard]] InteractionList const& of(Kind kind) const { return interactions[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] InteractionList& of(Kind kind) { return interactions[static_cast<std::size_t>(kind)]; }
};

/// `count` molecules of one type, whose first atom is firstAtom.
struct MoleculeBlock {
    std::int32_t type = 0;
    std::int64_t count = 0;
    std::int64_t firstAtom = 0;
    std::int64_t firstMolecule = 0;
};

/// Lennard-Jones parameters of every pair of atom types, after the combination rule and [ nonbond_params ]:
/// V(r) = c12 / r^12 - c6 / r^6 (kJ/mol nm^12, kJ/mol nm^6), row-major typeCount x typeCount, symmetric.
struct Nonbonded {
    int combinationRule = 1;
    int typeCount = 0;
    std::vector<std::string> typeNames;
    std::vector<double> c6, c12;
    double fudgeQQ = 1; ///< factor of 1-4 Coulomb interactions of pair14
};

/// Named sets of atoms, of which every atom is in exactly one (temperature coupling).
struct AtomGroups {
    std::vector<std::string> names;
    std::vector<std::uint8_t> groupOf; ///< by atom; empty where there is one group only
    [[nodiscard]] std::size_t count() const { return names.size(); }
    [[nodiscard]] int of(std::int64_t atom) const { return groupOf.empty() ? 0 : groupOf[static_cast<std::size_t>(atom)]; }
};

struct Topology;

/// Where a topology is the part of a system that one rank computes: which atoms of the whole its own are.
struct PartOfSystem {
    Topology const* whole = nullptr;   ///< null: the topology is the whole
    std::vector<std::int32_t> numbers; ///< by atom of the part: its number in the whole
    std::int64_t home = 0;             ///< atoms [0, home) are this part's to move; the others are seen, and moved elsewhere
    double wholeMass = 0;              ///< amu
};

struct Topology {
    std::string title;
    Nonbonded nonbonded;
    std::vector<MoleculeType> types;
    std::vector<MoleculeBlock> blocks; ///< in file order; atoms are numbered through
    std::array<std::vector<ParameterSet>, kindCount> parameters;
    /// CMAP energies (kJ/mol), n x n, first dihedral slow, both from -180 degrees on.
    std::vector<std::vector<double>> cmapGrids;
    /// Where the deck first names each kind: what to point at when a kind cannot be computed.
    std::array<base::Place, kindCount> firstUse;
    std::int64_t atomCount = 0;
    std::int64_t moleculeCount = 0;
    AtomGroups temperatureGroups;
    AtomGroups freezeGroups; ///< group 0: free; group g + 1: the .mdp's freeze group g. No names: nothing is frozen
    /// Reference positions (nm) for position restraints, by atom; empty where no deck file gave them.
    std::vector<std::array<double, 3>> restraintReference;
    /// What is added to them in box vectors, and so moves with the box, by atom; empty: nothing does.
    std::vector<std::array<double, 3>> restraintFractions;

    PartOfSystem part;

    /// The number of an atom in the whole system, which random numbers and messages go by.
    [[nodiscard]] std::int64_t numberOf(std::int64_t atom) const
    {
        return part.whole == nullptr ? atom : part.numbers[static_cast<std::size_t>(atom)];
    }
    [[nodiscard]] Topology const& wholeSystem() const { return part.whole == nullptr ? *this : *part.whole; }
    /// Atoms that are this topology's to move, the first of all: every one of a whole system.
    [[nodiscard]] std::int64_t homeCount() const { return part.whole == nullptr ? atomCount : part.home; }

    [[nodiscard]] std::vector<ParameterSet> const& parametersOf(Kind kind) const { return parameters[static_cast<std::size_t>(kind)]; }
    /// True where any molecule has an interaction of this kind.
    [[nodiscard]] bool uses(Kind kind) const;
};

/// Calls visit(MoleculeType const&, std::int64_t firstAtom) for every molecule, in atom order.
template <class Visit> void forEachMolecule(Topology const& topology, Visit&& visit)
{
    for (MoleculeBlock const& block : topology.blocks) {
        MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        auto const size = static_cast<std::int64_t>(type.atoms.size());
        for (std::int64_t m = 0; m < block.count; ++m) visit(type, block.firstAtom + m * size);
    }
}
/// Calls visit(Atom const&, std::int64_t atom) for every atom.
template <class Visit> void forEachAtom(Topology const& topology, Visit&& visit)
{
    forEachMolecule(topology, [&](MoleculeType const& type, std::int64_t first) {
        for (std::size_t i = 0; i < type.atoms.size(); ++i) visit(type.atoms[i], first + static_cast<std::int64_t>(i));
    });
}

} // namespace alder::system
