#include "domain/parts/part_topology.hpp"

#include "domain/atom_index.hpp"

#include <algorithm>

namespace alder::domain {

using system::Kind;

namespace {

system::Atom const& atomOf(system::Topology const& whole, std::int32_t number)
{
    system::MoleculeBlock const& block = blockOf(whole.blocks, number);
    std::vector<system::Atom> const& atoms = whole.types[static_cast<std::size_t>(block.type)].atoms;
    return atoms[static_cast<std::size_t>((number - block.firstAtom) % static_cast<std::int64_t>(atoms.size()))];
}

} // namespace

PartTopology::PartTopology(system::Topology const& whole, Units const& units, std::vector<std::int32_t> const& home)
    : whole_(whole),
      units_(units)
{
    part_.nonbonded.fudgeQQ = whole.nonbonded.fudgeQQ;
    part_.nonbonded.combinationRule = whole.nonbonded.combinationRule;
    part_.parameters = whole.parameters;
    part_.cmapGrids = whole.cmapGrids;
    part_.firstUse = whole.firstUse;
    part_.temperatureGroups.names = whole.temperatureGroups.names;
    part_.freezeGroups.names = whole.freezeGroups.names;
    home_.reserve(home.size());
    sortMolecules(home);
    std::sort(partners_.begin(), partners_.end());
    partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
}

void PartTopology::sortMolecules(std::vector<std::int32_t> const& home)
{
    std::vector<std::int32_t> typeHere(whole_.types.size(), -1); // a type that has whole molecules here
    std::vector<std::int32_t> cut;
    for (std::size_t begin = 0; begin < home.size();) {
        system::MoleculeBlock const& block = blockOf(whole_.blocks, home[begin]);
        auto const wholeType = static_cast<std::size_t>(block.type);
        system::MoleculeType const& type = whole_.types[wholeType];
        auto const size = static_cast<std::int64_t>(type.atoms.size());
        std::int64_t const molecule = (home[begin] - block.firstAtom) / size, first = block.firstAtom + molecule * size;
        std::size_t end = begin + 1;
        while (end < home.size() && home[end] < first + size) ++end;
        if (static_cast<std::int64_t>(end - begin) == size) {
            if (typeHere[wholeType] < 0) {
                typeHere[wholeType] = static_cast<std::int32_t>(part_.types.size());
                part_.types.push_back(type);
            }
            auto const firstHere = static_cast<std::int64_t>(home_.size());
            if (part_.blocks.empty() || part_.blocks.back().type != typeHere[wholeType])
                part_.blocks.push_back({typeHere[wholeType], 0, firstHere, 0});
            ++part_.blocks.back().count;
            home_.insert(home_.end(), home.begin() + static_cast<std::ptrdiff_t>(begin), home.begin() + static_cast<std::ptrdiff_t>(end));
        } else {
            cutMolecule(first, type, {home.data() + begin, end - begin});
            cut.insert(cut.end(), home.begin() + static_cast<std::ptrdiff_t>(begin), home.begin() + static_cast<std::ptrdiff_t>(end));
        }
        begin = end;
    }
    wholeMolecules_ = home_.size();
    home_.insert(home_.end(), cut.begin(), cut.end());
}

void PartTopology::cutMolecule(std::int64_t firstAtom, system::MoleculeType const& type, std::span<std::int32_t const> here)
{
    isHere_.assign(type.atoms.size(), 0);
    for (std::int32_t const number : here) isHere_[static_cast<std::size_t>(number - firstAtom)] = 1;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        system::InteractionList const& list = type.of(kind);
        auto const width = static_cast<std::size_t>(system::infoOf(kind).atoms);
        double label = -1;
        bool mine = false; // of distance restraints: the present one, which may have several pairs
        for (std::size_t e = 0; e < list.size(); ++e) {
            std::span<std::int32_t const> const atoms(list.atoms.data() + e * width, width);
            bool const begins = isHere_[static_cast<std::size_t>(atoms[0])] != 0;
            if (kind != Kind::distanceRestraint) {
                if (begins) takeTerm(kind, list.parameters[e], firstAtom, atoms);
                continue;
            }
            // Pairs that follow each other with one label are one restraint. Labels are made anew, so that restraints that were apart in the
            // whole do not follow each other with one label here.
            system::ParameterSet const& set = whole_.parametersOf(kind)[static_cast<std::size_t>(list.parameters[e])];
            if (e == 0 || set[0] != label) {
                mine = begins;
                labels_ += mine ? 1 : 0;
            }
            label = set[0];
            if (!mine) continue;
            std::vector<system::ParameterSet>& sets = part_.parameters[k];
            sets.push_back(set);
            sets.back()[0] = labels_;
            takeTerm(kind, static_cast<std::int32_t>(sets.size() - 1), firstAtom, atoms);
        }
    }
}

void PartTopology::takeTerm(Kind kind, std::int32_t parameters, std::int64_t firstAtom, std::span<std::int32_t const> atoms)
{
    terms_.push_back({kind, parameters, termAtoms_.size()});
    for (std::int32_t const atom : atoms) {
        auto const number = static_cast<std::int32_t>(firstAtom + atom);
        termAtoms_.push_back(number);
        if (!isHere_[static_cast<std::size_t>(atom)]) partners_.push_back(number);
    }
}

system::MoleculeType PartTopology::cutType()
{
    system::MoleculeType type;
    type.name = "parts of molecules";
    std::vector<std::int32_t> numbers(home_.begin() + static_cast<std::ptrdiff_t>(wholeMolecules_), home_.end());
    for (std::int32_t const number : numbers) type.atoms.push_back(atomOf(whole_, number));
    for (std::int32_t const number : partners_) {
        type.atoms.push_back(atomOf(whole_, number));
        type.atoms.back().mass = 0;
    }
    numbers.insert(numbers.end(), partners_.begin(), partners_.end());
    AtomIndex const index(numbers);
    for (CutTerm const& term : terms_) {
        system::InteractionList& list = type.of(term.kind);
        list.parameters.push_back(term.parameters);
        auto const width = static_cast<std::size_t>(system::infoOf(term.kind).atoms);
        for (std::size_t n = 0; n < width; ++n) list.atoms.push_back(index.find(termAtoms_[term.atoms + n]));
    }
    return type;
}

system::Topology PartTopology::finish(std::vector<std::int32_t> const& seen, double wholeMass) &&
{
    auto const add = [&](system::MoleculeType type, std::int64_t count, std::size_t first) {
        part_.blocks.push_back({static_cast<std::int32_t>(part_.types.size()), count, static_cast<std::int64_t>(first), 0});
        part_.types.push_back(std::move(type));
    };
    std::size_t const cut = home_.size() - wholeMolecules_ + partners_.size();
    if (cut > 0) add(cutType(), 1, wholeMolecules_);
    if (!seen.empty()) {
        system::MoleculeType type;
        type.name = "seen by pairs";
        type.atoms.emplace_back();
        add(std::move(type), static_cast<std::int64_t>(seen.size()), home_.size() + partners_.size());
    }
    part_.part = {&whole_, home_, static_cast<std::int64_t>(home_.size()), wholeMass};
    std::vector<std::int32_t>& numbers = part_.part.numbers;
    numbers.insert(numbers.end(), partners_.begin(), partners_.end());
    numbers.insert(numbers.end(), seen.begin(), seen.end());
    part_.atomCount = static_cast<std::int64_t>(numbers.size());
    for (system::MoleculeBlock& block : part_.blocks) {
        block.firstMolecule = part_.moleculeCount;
        part_.moleculeCount += block.count;
    }
    copyAtomData();
    return std::move(part_);
}

void PartTopology::copyAtomData()
{
    auto const pick = [&](auto const& from, auto& to, std::size_t count) {
        if (from.empty()) return;
        to.assign(part_.part.numbers.size(), {});
        for (std::size_t i = 0; i < count; ++i) to[i] = from[static_cast<std::size_t>(part_.part.numbers[i])];
    };
    std::size_t const all = part_.part.numbers.size(), home = home_.size();
    pick(whole_.temperatureGroups.groupOf, part_.temperatureGroups.groupOf, all);
    pick(whole_.freezeGroups.groupOf, part_.freezeGroups.groupOf, home);
    pick(whole_.restraintReference, part_.restraintReference, home);
    pick(whole_.restraintFractions, part_.restraintFractions, home);
}

} // namespace alder::domain
