#include "deck/topology/draft.hpp"

#include <algorithm>
#include <cctype>

namespace alder::deck {

using system::Kind;

namespace {

bool namedHydrogen(system::Atom const& atom) { return !atom.name.empty() && std::toupper(static_cast<unsigned char>(atom.name[0])) == 'H'; }

/// Chemical neighbours of each atom, as ranges of one array.
struct Neighbours {
    std::vector<std::size_t> start;
    std::vector<std::int32_t> atoms;
};

Neighbours neighboursOf(MoleculeDraft const& molecule)
{
    std::size_t const size = molecule.atoms.size();
    Neighbours out{std::vector<std::size_t>(size + 1, 0), {}};
    auto const forEachBond = [&](auto&& visit) {
        for (std::size_t k = 0; k < system::kindCount; ++k) {
            if (!rulesOf(static_cast<Kind>(k)).connects) continue;
            for (Entry const& entry : molecule.entries[k]) visit(entry.atoms[0], entry.atoms[1]);
        }
    };
    forEachBond([&](std::int32_t i, std::int32_t j) {
        ++out.start[static_cast<std::size_t>(i) + 1];
        ++out.start[static_cast<std::size_t>(j) + 1];
    });
    for (std::size_t i = 0; i < size; ++i) out.start[i + 1] += out.start[i];
    out.atoms.resize(out.start[size]);
    std::vector<std::size_t> next(out.start.begin(), out.start.end() - 1);
    forEachBond([&](std::int32_t i, std::int32_t j) {
        out.atoms[next[static_cast<std::size_t>(i)]++] = j;
        out.atoms[next[static_cast<std::size_t>(j)]++] = i;
    });
    return out;
}

} // namespace

base::Place placeOf(SourceText const& text, Entry const& entry) { return {text.files[static_cast<std::size_t>(entry.file)], entry.line}; }

Exclusions excludedPartners(MoleculeDraft const& molecule)
{
    std::size_t const size = molecule.atoms.size();
    Neighbours const bonds = neighboursOf(molecule);
    std::vector<std::vector<std::int32_t>> written(molecule.exclusions.empty() ? 0 : size);
    for (auto const& [i, j] : molecule.exclusions) {
        written[static_cast<std::size_t>(i)].push_back(j);
        written[static_cast<std::size_t>(j)].push_back(i);
    }
    Exclusions out;
    out.start.push_back(0);
    std::vector<std::int32_t> seenFrom(size, -1);
    std::vector<std::int32_t> reached;
    for (std::size_t i = 0; i < size; ++i) {
        auto const self = static_cast<std::int32_t>(i);
        reached.assign(1, self);
        seenFrom[i] = self;
        std::size_t front = 0;
        for (std::int64_t step = 0; step < molecule.exclusionBonds && front < reached.size(); ++step) {
            std::size_t const end = reached.size();
            for (; front < end; ++front) {
                auto const at = static_cast<std::size_t>(reached[front]);
                for (std::size_t n = bonds.start[at]; n < bonds.start[at + 1]; ++n) {
                    auto const j = bonds.atoms[n];
                    if (seenFrom[static_cast<std::size_t>(j)] == self) continue;
                    seenFrom[static_cast<std::size_t>(j)] = self;
                    reached.push_back(j);
                }
            }
        }
        reached.erase(reached.begin());
        if (!written.empty()) reached.insert(reached.end(), written[i].begin(), written[i].end());
        std::sort(reached.begin(), reached.end());
        reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
        out.partners.insert(out.partners.end(), reached.begin(), reached.end());
        out.start.push_back(static_cast<std::int32_t>(out.partners.size()));
    }
    return out;
}

void constrainBonds(MoleculeDraft& molecule, plan::Constraints which)
{
    if (which == plan::Constraints::none) return;
    for (Kind const kind : {Kind::bond, Kind::g96Bond, Kind::morse, Kind::cubicBond}) {
        std::vector<Entry>& bonds = molecule.of(kind);
        std::vector<Entry> kept;
        for (Entry const& bond : bonds) {
            bool const hydrogen = namedHydrogen(molecule.atoms[static_cast<std::size_t>(bond.atoms[0])]) ||
                                  namedHydrogen(molecule.atoms[static_cast<std::size_t>(bond.atoms[1])]);
            if (which == plan::Constraints::hBonds && !hydrogen) {
                kept.push_back(bond);
                continue;
            }
            Entry constraint = bond;
            constraint.parameters = {bond.parameters[0]};
            molecule.of(Kind::constraint).push_back(constraint);
        }
        bonds.swap(kept);
    }
}

void removeZeroEntries(MoleculeDraft& molecule)
{
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (!rulesOf(kind).dropsWhenZero) continue;
        auto const count = static_cast<std::ptrdiff_t>(system::infoOf(kind).parameters);
        // A periodic form is nothing without its force constant, whatever phase and multiplicity say.
        bool const periodic =
            kind == Kind::properDihedral || kind == Kind::periodicImproper || kind == Kind::angleRestraint || kind == Kind::angleRestraintZ;
        std::erase_if(molecule.entries[k], [&](Entry const& entry) {
            if (periodic) return entry.parameters[1] == 0;
            return std::all_of(entry.parameters.begin(), entry.parameters.begin() + count, [](double p) { return p == 0; });
        });
    }
}

} // namespace alder::deck
