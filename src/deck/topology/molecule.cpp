#include "deck/topology/molecule.hpp"

#include "deck/topology/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace alder::deck {

using system::Kind;

void MoleculeReader::refuse(TopologyLine const& line, std::string what, std::string instead)
{
    faults_.refuse(line.place(), std::move(what), std::move(instead));
}

void MoleculeReader::read(Section section, TopologyLine const& line, MoleculeDraft& molecule)
{
    switch (section) {
    case Section::atoms: readAtom(line, molecule); break;
    case Section::exclusions: readExclusions(line, molecule); break;
    case Section::virtualSitesN: readVirtualSiteN(line, molecule); break;
    case Section::cmap: readCmap(line, molecule); break;
    default: readEntry(section, line, molecule); break;
    }
}

void MoleculeReader::readAtom(TopologyLine const& line, MoleculeDraft& molecule)
{
    auto const& w = line.words;
    if (w.size() < 6) {
        refuse(line, "too few words for an atom", "write number type residue-number residue atom charge-group [charge [mass]]");
        return;
    }
    std::int64_t number = 0, residue = 0, chargeGroup = 0;
    if (!toInteger(w[0], number) || number != static_cast<std::int64_t>(molecule.atoms.size()) + 1) {
        refuse(line, fmt::format("atom number {} where {} is due", shown(w[0]), molecule.atoms.size() + 1),
               "number the atoms of a molecule type 1, 2, 3 ...");
        return;
    }
    if (number > std::numeric_limits<std::int32_t>::max() / 8) {
        refuse(line, "too many atoms in one molecule type", "split the molecule type");
        return;
    }
    std::string_view digits = w[2]; // an insertion code, a letter, may follow the residue number
    if (!digits.empty() && (digits.back() < '0' || digits.back() > '9')) digits.remove_suffix(1);
    if (!toInteger(digits, residue) || std::abs(residue) > std::numeric_limits<int>::max()) {
        refuse(line, fmt::format("{} is no residue number", shown(w[2])), "write an integer, with at most one letter behind it");
        return;
    }
    if (!toInteger(w[5], chargeGroup)) {
        refuse(line, fmt::format("{} is no charge group number", shown(w[5])), "write an integer");
        return;
    }
    std::optional<int> const type = forceField_.typeOf(w[1]);
    system::Atom atom;
    if (type) {
        AtomType const& known = forceField_.atomTypes()[static_cast<std::size_t>(*type)];
        atom.type = *type;
        atom.charge = known.charge;
        atom.mass = known.mass;
        atom.particle = known.particle;
    } else {
        refuse(line, fmt::format("atom type {} is not known", shown(w[1])), "define it in [ atomtypes ]");
        if (forceField_.atomTypes().empty()) return; // no type could stand in for it
    }
    atom.name = std::string(w[4]);
    atom.residueName = std::string(w[3]);
    atom.residue = static_cast<int>(residue);
    if (w.size() > 6 && !toReal(w[6], atom.charge)) refuse(line, fmt::format("{} is no charge", shown(w[6])), "write a number");
    if (w.size() > 7 && !toReal(w[7], atom.mass)) refuse(line, fmt::format("{} is no mass", shown(w[7])), "write a number");
    if (w.size() > 8) {
        std::optional<int> const typeB = forceField_.typeOf(w[8]);
        double chargeB = 0, massB = 0;
        if (!typeB) {
            refuse(line, fmt::format("atom type {} of state B is not known", shown(w[8])), "define it, or begin a comment with ';'");
        } else {
            chargeB = forceField_.atomTypes()[static_cast<std::size_t>(*typeB)].charge;
            massB = forceField_.atomTypes()[static_cast<std::size_t>(*typeB)].mass;
            bool const numbers = (w.size() < 10 || toReal(w[9], chargeB)) && (w.size() < 11 || toReal(w[10], massB));
            if (!numbers)
                refuse(line, "charge or mass of state B is no number", "write numbers");
            else if (w.size() > 11)
                refuse(line, fmt::format("{} follows the last column of an atom", shown(w[11])), "remove it");
            else if (!(massB > 0) && (atom.particle == 'A' || atom.particle == 'N'))
                refuse(line, fmt::format("atom {} has mass {} in state B", number, massB), "give it a mass above zero");
            else if (type && (*typeB != *type || chargeB != atom.charge || massB != atom.mass))
                warnOfStateB(line, faults_);
        }
    }
    molecule.atoms.push_back(std::move(atom));
    molecule.atomPlaces.push_back(line.place());
}

void MoleculeReader::readExclusions(TopologyLine const& line, MoleculeDraft& molecule)
{
    auto const size = static_cast<std::int64_t>(molecule.atoms.size());
    std::int64_t first = 0;
    for (std::size_t i = 0; i < line.words.size(); ++i) {
        std::int64_t atom = 0;
        if (!toInteger(line.words[i], atom)) {
            refuse(line, fmt::format("{} is no atom number", shown(line.words[i])), "write atom numbers, or begin a comment with ';'");
            return;
        }
        if (atom < 1 || atom > size) {
            if (i == 0) {
                faults_.warn(line.place(), fmt::format("exclusions of atom {}, which the molecule type lacks, are ignored", atom),
                             "remove the line");
                return;
            }
            refuse(line, fmt::format("atom {} is not in this molecule type (1 to {})", atom, size), "correct the number");
            return;
        }
        if (i == 0)
            first = atom;
        else if (atom != first)
            molecule.exclusions.emplace_back(static_cast<std::int32_t>(first - 1), static_cast<std::int32_t>(atom - 1));
    }
}

/// Reads `count` atom numbers from the start of the line.
bool MoleculeReader::readAtoms(Section section, TopologyLine const& line, MoleculeDraft const& molecule, std::size_t count, Entry& entry)
{
    entry.file = line.line.file;
    entry.line = line.line.line;
    if (line.words.size() < count) {
        refuse(line, fmt::format("{} words where {} atom numbers are due", line.words.size(), count), "write all atoms");
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t atom = 0;
        if (!toInteger(line.words[i], atom)) {
            refuse(line, fmt::format("{} is no atom number", shown(line.words[i])), "write an integer, or begin a comment with ';'");
            return false;
        }
        if (atom < 1 || atom > static_cast<std::int64_t>(molecule.atoms.size())) {
            refuse(line, fmt::format("atom {} is not in molecule type '{}' (1 to {})", atom, molecule.name, molecule.atoms.size()),
                   fmt::format("correct it, or move [ {} ] to its molecule type", nameOf(section)));
            return false;
        }
        entry.atoms[i] = static_cast<std::int32_t>(atom - 1);
    }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            if (entry.atoms[i] == entry.atoms[j]) {
                // Two vectors of an angle restraint may share an atom.
                if (section == Section::angleRestraints) {
                    faults_.warn(line.place(), fmt::format("atom {} is named twice", entry.atoms[i] + 1), "check that this is meant");
                    return true;
                }
                refuse(line, fmt::format("atom {} is named twice in one entry of [ {} ]", entry.atoms[i] + 1, nameOf(section)),
                       "name different atoms");
                return false;
            }
    return true;
}

bool MoleculeReader::readKind(Section section, TopologyLine const& line, std::size_t at, Kind& kind, Entry& entry)
{
    std::int64_t function = 1;
    if (at < line.words.size() && !toInteger(line.words[at], function)) {
        refuse(line, fmt::format("{} is no function type", shown(line.words[at])),
               fmt::format("write one of {}, or #define the macro before it is used", functionTypesOf(section)));
        return false;
    }
    if (function < 0 && function > -100) {
        entry.swapsParity = true;
        function = -function;
    }
    std::optional<Kind> const known = kindOf(section, function);
    if (!known) {
        refuse(line, fmt::format("function type {} is not known in [ {} ]", shown(line.words[at]), nameOf(section)),
               fmt::format("write one of {}", functionTypesOf(section)));
        return false;
    }
    if (entry.swapsParity && *known != Kind::virtualSite3fad && *known != Kind::virtualSite3out) {
        refuse(line, fmt::format("negative function type {}", shown(line.words[at])), "only virtual_sites3 types 3 and 4 may be negative");
        return false;
    }
    kind = *known;
    return true;
}

void MoleculeReader::readEntry(Section section, TopologyLine const& line, MoleculeDraft& molecule)
{
    std::optional<Kind> const firstKind = kindOf(section, 1);
    if (!firstKind) return; // a section without entries, which the caller has refused
    // A SETTLE line names its first atom only; the other two follow it.
    bool const settle = section == Section::settles;
    auto const count = settle ? 1U : static_cast<std::size_t>(system::infoOf(*firstKind).atoms);
    Entry entry;
    Kind kind = *firstKind;
    if (!readAtoms(section, line, molecule, count, entry) || !readKind(section, line, count, kind, entry)) return;
    if (settle) {
        entry.atoms[1] = entry.atoms[0] + 1;
        entry.atoms[2] = entry.atoms[0] + 2;
        if (entry.atoms[2] >= static_cast<std::int32_t>(molecule.atoms.size())) {
            refuse(line, fmt::format("SETTLE of atom {} needs the two atoms after it", entry.atoms[0] + 1),
                   "name the first of three atoms");
            return;
        }
    }
    std::size_t const first = std::min(count + 1, line.words.size());
    if (kind == Kind::pair14 || kind == Kind::pair14Charges || kind == Kind::pairNonbonded) {
        addPair(kind, line, molecule, entry, first);
        return;
    }
    switch (readParameters(line, first, countsOf(kind), entry.parameters, faults_)) {
    case ParameterFind::faulty: return;
    case ParameterFind::none: addByType(kind, line, molecule, entry); return;
    case ParameterFind::given: break;
    }
    if (!wholeNumbers(kind, line, entry)) return;
    if (kind == Kind::orientationRestraint) {
        // They act only where the .mdp switches them on, which is refused there.
        if (!line.said.restraints) faults_.warn(line.place(), fmt::format("[ {} ] have no effect", nameOf(section)), "orire is no");
        line.said.restraints = true;
        return;
    }
    molecule.of(kind).push_back(entry);
}

void MoleculeReader::addByType(Kind kind, TopologyLine const& line, MoleculeDraft& molecule, Entry entry)
{
    system::KindInfo const& info = system::infoOf(kind);
    if (info.parameters == 0) {
        molecule.of(kind).push_back(entry);
        return;
    }
    if (rulesOf(kind).isVirtualSite) {
        entry.open = true;
        molecule.of(kind).push_back(entry);
        return;
    }
    std::array<int, 5> types{};
    auto const count = static_cast<std::size_t>(info.atoms);
    for (std::size_t i = 0; i < count; ++i) types[i] = molecule.atoms[static_cast<std::size_t>(entry.atoms[i])].type;
    std::vector<system::ParameterSet> const sets = forceField_.find(kind, std::span(types).first(count));
    if (sets.empty()) {
        std::string names;
        for (std::size_t i = 0; i < count; ++i)
            names += fmt::format("{}{}", i > 0 ? " " : "", forceField_.atomTypes()[static_cast<std::size_t>(types[i])].name);
        refuse(line, fmt::format("no default {} parameters for atom types {}", info.name, names),
               fmt::format("write {} parameters here or in the force field", info.parameters));
        return;
    }
    for (system::ParameterSet const& set : sets) {
        entry.parameters = set;
        if (!wholeNumbers(kind, line, entry)) return;
        molecule.of(kind).push_back(entry);
    }
}

void MoleculeReader::addPair(Kind kind, TopologyLine const& line, MoleculeDraft& molecule, Entry entry, std::size_t first)
{
    system::Atom const& a = molecule.atoms[static_cast<std::size_t>(entry.atoms[0])];
    system::Atom const& b = molecule.atoms[static_cast<std::size_t>(entry.atoms[1])];
    system::ParameterSet& p = entry.parameters;
    ParameterFind const find = readParameters(line, first, countsOf(kind), p, faults_);
    if (find == ParameterFind::faulty) return;
    if (kind == Kind::pair14) {
        std::optional<LjNumbers> lj = LjNumbers{p[0], p[1]};
        lj = find == ParameterFind::given ? forceField_.toC6C12(*lj) : forceField_.pairBetween(a.type, b.type);
        if (!lj) {
            refuse(line,
                   fmt::format("no pair type for atom types {} and {}", forceField_.atomTypes()[static_cast<std::size_t>(a.type)].name,
                               forceField_.atomTypes()[static_cast<std::size_t>(b.type)].name),
                   "add it to [ pairtypes ], or set gen-pairs to yes in [ defaults ]");
            return;
        }
        p[0] = (*lj)[0];
        p[1] = (*lj)[1];
    } else if (kind == Kind::pair14Charges && find == ParameterFind::none) {
        // GROMACS means to take the 1-4 parameters of the types here, and leaves Lennard-Jones out instead.
        faults_.warn(line.place(), "a pair of type 2 without Lennard-Jones parameters has no Lennard-Jones interaction",
                     "write fudgeQQ qi qj and two Lennard-Jones parameters");
        p[0] = forceField_.fudgeQQ();
        p[1] = a.charge;
        p[2] = b.charge;
    } else if (find == ParameterFind::none) {
        refuse(line, fmt::format("a {} without parameters", system::infoOf(kind).name), "write qi qj and two Lennard-Jones parameters");
        return;
    } else {
        std::size_t const at = kind == Kind::pair14Charges ? 3 : 2;
        LjNumbers const lj = forceField_.toC6C12({p[at], p[at + 1]});
        p[at] = lj[0];
        p[at + 1] = lj[1];
    }
    molecule.of(kind).push_back(entry);
}

/// Multiplicities, labels and table numbers must be whole; they are rounded to be so exactly.
bool MoleculeReader::wholeNumbers(Kind kind, TopologyLine const& line, Entry& entry)
{
    auto const whole = [&](std::size_t index, std::string_view what, double least, double most = 1e6) {
        double const rounded = std::round(entry.parameters[index]);
        if (std::fabs(entry.parameters[index] - rounded) > 0.01 || rounded < least || rounded > most) {
            refuse(line, fmt::format("{} {} in this {}", what, entry.parameters[index], system::infoOf(kind).name), "write a whole number");
            return false;
        }
        entry.parameters[index] = rounded;
        return true;
    };
    switch (kind) {
    case Kind::properDihedral:
    case Kind::periodicImproper: // GROMACS asks for a whole multiplicity only where the force constant counts
        return entry.parameters[1] == 0 || whole(2, "multiplicity", -99);
    case Kind::angleRestraint:
    case Kind::angleRestraintZ: return whole(2, "multiplicity", -99);
    case Kind::tabulatedBond:
    case Kind::tabulatedBondNoExclusion:
    case Kind::tabulatedAngle:
    case Kind::tabulatedDihedral: return whole(0, "table number", 0);
    case Kind::flatBottomRestraint: return whole(0, "geometry", 1, 8);
    case Kind::distanceRestraint: return whole(0, "label", 0) && whole(1, "type", 1);
    case Kind::orientationRestraint: return whole(0, "experiment", 1) && whole(1, "label", 1) && whole(2, "power", 0);
    default: return true;
    }
}

void MoleculeReader::readCmap(TopologyLine const& line, MoleculeDraft& molecule)
{
    Entry entry;
    Kind kind = Kind::cmap;
    if (!readAtoms(Section::cmap, line, molecule, 5, entry) || !readKind(Section::cmap, line, 5, kind, entry)) return;
    if (line.words.size() > 6)
        faults_.warn(line.place(), fmt::format("{} after the function type is ignored", shown(line.words[6])), "remove it");
    std::array<int, 5> types{};
    for (std::size_t i = 0; i < types.size(); ++i) types[i] = molecule.atoms[static_cast<std::size_t>(entry.atoms[i])].type;
    std::optional<int> const grid = forceField_.findCmap(types);
    if (!grid) {
        refuse(line, "no CMAP grid for the types of these atoms", "add it to [ cmaptypes ], or remove the line");
        return;
    }
    entry.parameters[0] = *grid;
    molecule.of(Kind::cmap).push_back(entry);
}

/// site type atom..., or site 3 atom weight atom weight ...: one entry per constructing atom, {number of atoms, weight}.
void MoleculeReader::readVirtualSiteN(TopologyLine const& line, MoleculeDraft& molecule)
{
    auto const& w = line.words;
    Entry entry;
    Kind kind = Kind::virtualSiteN;
    if (w.size() < 3) {
        refuse(line, "too few words for a virtual site", "write site, function type and the constructing atoms");
        return;
    }
    if (!readAtoms(Section::virtualSitesN, line, molecule, 1, entry) || !readKind(Section::virtualSitesN, line, 1, kind, entry)) return;
    bool const byMass = w[1] == "2", byWeight = w[1] == "3";
    std::vector<std::pair<std::int32_t, double>> parts;
    double total = 0;
    for (std::size_t i = 2; i < w.size(); ++i) {
        std::int64_t atom = 0;
        if (!toInteger(w[i], atom) || atom < 1 || atom > static_cast<std::int64_t>(molecule.atoms.size()) || atom == entry.atoms[0] + 1) {
            refuse(line, fmt::format("{} is no constructing atom", shown(w[i])), "write numbers of other atoms of this molecule type");
            return;
        }
        double weight = byMass ? molecule.atoms[static_cast<std::size_t>(atom - 1)].mass : 1;
        if (byWeight && (++i == w.size() || !toReal(w[i], weight) || weight < 0)) {
            refuse(line, fmt::format("no weight for constructing atom {}", atom), "write a weight of zero or more behind each atom");
            return;
        }
        parts.emplace_back(static_cast<std::int32_t>(atom - 1), weight);
        total += weight;
    }
    if (!(total > 0) || !std::isfinite(total)) {
        refuse(line, "the weights of the constructing atoms add up to nothing", "give weights or masses above zero");
        return;
    }
    for (auto const& [atom, weight] : parts) {
        entry.atoms[1] = atom;
        entry.parameters[0] = static_cast<double>(parts.size());
        entry.parameters[1] = weight / total;
        molecule.of(kind).push_back(entry);
    }
}

} // namespace alder::deck
