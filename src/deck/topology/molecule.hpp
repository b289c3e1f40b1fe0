#pragma once
// A molecule type while it is read: its atoms and entries as written, before exclusions are generated, bonds become constraints and
// virtual sites are settled.

#include "base/error.hpp"
#include "deck/topology/forcefield.hpp"
#include "deck/topology/line.hpp"
#include "deck/topology/sections.hpp"
#include "system/topology.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace alder::deck {

/// One interaction as written, its parameters found.
struct Entry {
    std::array<std::int32_t, 5> atoms{};
    bool open = false;        ///< a virtual site whose parameters are to be worked out from the geometry of the bonds
    bool swapsParity = false; ///< of such a site: the mirror image of the construction
    std::int32_t file = 0;
    std::int64_t line = 0;
    system::ParameterSet parameters{};
};

struct MoleculeDraft {
    std::string name;
    base::Place place;
    std::int64_t exclusionBonds = 0;
    std::vector<system::Atom> atoms; ///< Atom::type is an index into ForceField::atomTypes()
    std::vector<base::Place> atomPlaces;
    std::array<std::vector<Entry>, system::kindCount> entries;
    std::vector<std::pair<std::int32_t, std::int32_t>> exclusions; ///< as [ exclusions ] names them

    [[nodiscard]] std::vector<Entry>& of(system::Kind kind) { return entries[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] std::vector<Entry> const& of(system::Kind kind) const { return entries[static_cast<std::size_t>(kind)]; }
};

/// Reads lines of the sections that describe a molecule.
class MoleculeReader {
public:
    MoleculeReader(ForceField const& forceField, base::FaultList& faults) : forceField_(forceField), faults_(faults) {}
    void read(Section section, TopologyLine const& line, MoleculeDraft& molecule);

private:
    void readAtom(TopologyLine const& line, MoleculeDraft& molecule);
    void readExclusions(TopologyLine const& line, MoleculeDraft& molecule);
    void readVirtualSiteN(TopologyLine const& line, MoleculeDraft& molecule);
    void readCmap(TopologyLine const& line, MoleculeDraft& molecule);
    void readEntry(Section section, TopologyLine const& line, MoleculeDraft& molecule);

    bool readAtoms(Section section, TopologyLine const& line, MoleculeDraft const& molecule, std::size_t count, Entry& entry);
    bool readKind(Section section, TopologyLine const& line, std::size_t at, system::Kind& kind, Entry& entry);
    void addByType(system::Kind kind, TopologyLine const& line, MoleculeDraft& molecule, Entry entry);
    void addPair(system::Kind kind, TopologyLine const& line, MoleculeDraft& molecule, Entry entry, std::size_t first);
    bool wholeNumbers(system::Kind kind, TopologyLine const& line, Entry& entry);
    void refuse(TopologyLine const& line, std::string what, std::string instead);

    ForceField const& forceField_;
    base::FaultList& faults_;
};

} // namespace alder::deck
