#pragma once
// The topology of the atoms of one rank: a topology like any other, so that whatever computes terms or moves atoms need not know of ranks.

#include "domain/parts/units.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace alder::domain {

/// Atoms are laid out as
///
///     home: whole molecules | home: parts of molecules, partners of their terms | seen by pairs only
///
/// Each bonded term belongs to the rank whose home its first atom is. Molecules that are all here keep their type; what is here of the
/// others is one molecule, with the terms that belong here written out. Atoms that are not home have no mass.
class PartTopology {
public:
    /// `home` by number in the whole system, ascending; units must be complete. Whole topology and units must outlive this.
    PartTopology(system::Topology const& whole, Units const& units, std::vector<std::int32_t> const& home);

    /// Home atoms as they are laid out.
    [[nodiscard]] std::vector<std::int32_t> const& home() const { return home_; }
    /// Atoms elsewhere that terms of this part need, ascending.
    [[nodiscard]] std::vector<std::int32_t> const& partners() const { return partners_; }
    /// The part's topology, with atoms that only pairs see behind the partners.
    [[nodiscard]] system::Topology finish(std::vector<std::int32_t> const& seen, double wholeMass) &&;

private:
    void sortMolecules(std::vector<std::int32_t> const& home);
    void cutMolecule(std::int64_t firstAtom, system::MoleculeType const& type, std::span<std::int32_t const> here);
    void takeTerm(system::Kind kind, std::int32_t parameters, std::int64_t firstAtom, std::span<std::int32_t const> atoms);
    [[nodiscard]] system::MoleculeType cutType();
    void copyAtomData();

    /// A term of a cut molecule, by numbers in the whole system.
    struct CutTerm {
        system::Kind kind;
        std::int32_t parameters;
        std::size_t atoms; ///< where its atoms begin in termAtoms_
    };

    system::Topology const& whole_;
    Units const& units_;
    system::Topology part_;
    std::vector<std::int32_t> home_, partners_;
    std::size_t wholeMolecules_ = 0; ///< home atoms of whole molecules
    std::vector<char> isHere_;       ///< by atom of the molecule being cut
    std::vector<CutTerm> terms_;
    std::vector<std::int32_t> termAtoms_;
    double labels_ = 0; ///< of distance restraints given so far
};

} // namespace alder::domain
