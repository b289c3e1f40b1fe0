// A bond, angle or dihedral all of whose atoms are virtual sites or what they are built from can be constant: it moves nothing, and as
// a constraint it would fight the construction. GROMACS removes such terms; so the energies and the degrees of freedom depend on it.

#include "deck/topology/draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>

namespace alder::deck {

using system::Kind;

namespace {

/// How a site is built.
struct Site {
    Kind kind = Kind::virtualSite2;
    std::vector<std::int32_t> from; ///< empty for virtual_sitesn, whose terms are never removed

    [[nodiscard]] bool fixedDistance() const
    {
        return kind == Kind::virtualSite3fd || kind == Kind::virtualSite3fad || kind == Kind::virtualSite4fd ||
               kind == Kind::virtualSite4fdn;
    }
    [[nodiscard]] bool isN() const { return kind == Kind::virtualSiteN; }
};

constexpr Kind constraintKinds[] = {Kind::constraint, Kind::constraintNoExclusion};

/// Pairs of atoms at a constrained distance, with how many constraints say so.
class ConstrainedPairs {
public:
    explicit ConstrainedPairs(MoleculeDraft const& molecule)
    {
        for (Kind const kind : {Kind::constraint, Kind::constraintNoExclusion, Kind::settle})
            for (Entry const& e : molecule.of(kind)) ++counts_[keyOf(e.atoms[0], e.atoms[1])];
    }
    void remove(Entry const& e) { --counts_[keyOf(e.atoms[0], e.atoms[1])]; }
    [[nodiscard]] bool holds(std::int32_t a, std::int32_t b) const
    {
        auto const found = counts_.find(keyOf(a, b));
        return found != counts_.end() && found->second > 0;
    }
    /// Every atom of the ring is constrained to the next, the last to the first.
    [[nodiscard]] bool holdRing(std::vector<std::int32_t> const& atoms) const
    {
        for (std::size_t m = 0; m < atoms.size(); ++m)
            if (!holds(atoms[m], atoms[(m + 1) % atoms.size()])) return false;
        return true;
    }

private:
    static std::uint64_t keyOf(std::int32_t a, std::int32_t b)
    {
        return (static_cast<std::uint64_t>(std::max(a, b)) << 32U) | static_cast<std::uint64_t>(std::min(a, b));
    }
    std::unordered_map<std::uint64_t, int> counts_;
};

/// What the atoms of one term are.
struct Judged {
    int sites = 0;                                   ///< how many are virtual sites
    std::vector<std::int32_t> const* from = nullptr; ///< what the first of them is built from
    bool sameFrom = true;                            ///< all sites are built from the same atoms
    bool sameFromOrSize = true;                      ///< the same, but for sites built from another number of atoms than the first
    bool allFixedDistance = true, allFixedAngle = true;
    bool othersUsed = true;     ///< the atoms that are no sites all belong to `from` ...
    bool othersFirstTwo = true; ///< ... and to its first two
};

class Cleaner {
public:
    Cleaner(MoleculeDraft& molecule, SourceText const& text, base::FaultList& faults)
        : molecule_(molecule),
          text_(text),
          faults_(faults),
          sites_(molecule.atoms.size())
    {}
    void run();

private:
    bool findSites();
    [[nodiscard]] std::optional<Site> const& site(std::int32_t atom) const { return sites_[static_cast<std::size_t>(atom)]; }
    [[nodiscard]] Judged judge(std::span<std::int32_t const> atoms) const;
    [[nodiscard]] bool touchesFixedAnchor(Entry const& bond, bool constraint) const;
    void cleanBonds(Kind kind, ConstrainedPairs& constrained);
    void cleanAngles(Kind kind, ConstrainedPairs const& constrained);
    void cleanDihedrals(Kind kind);

    MoleculeDraft& molecule_;
    SourceText const& text_;
    base::FaultList& faults_;
    std::vector<std::optional<Site>> sites_;
};

/// False where there are none.
bool Cleaner::findSites()
{
    bool any = false;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (!rulesOf(kind).isVirtualSite) continue;
        Entry const* before = nullptr;
        for (Entry const& e : molecule_.entries[k]) {
            std::optional<Site>& site = sites_[static_cast<std::size_t>(e.atoms[0])];
            bool const sameLine = before && before->atoms[0] == e.atoms[0] && before->file == e.file && before->line == e.line;
            before = &e;
            if (kind == Kind::virtualSiteN && sameLine) continue;
            any = true;
            if (site) {
                faults_.refuse(placeOf(text_, e), fmt::format("atom {} is constructed twice", e.atoms[0] + 1), "keep one construction");
                continue;
            }
            site.emplace();
            site->kind = kind;
            if (kind != Kind::virtualSiteN) site->from.assign(e.atoms.begin() + 1, e.atoms.begin() + system::infoOf(kind).atoms);
        }
    }
    return any;
}

Judged Cleaner::judge(std::span<std::int32_t const> atoms) const
{
    Judged out;
    for (std::int32_t const atom : atoms) {
        std::optional<Site> const& s = site(atom);
        if (!s || s->isN()) continue;
        ++out.sites;
        out.allFixedDistance = out.allFixedDistance && s->fixedDistance();
        out.allFixedAngle = out.allFixedAngle && s->kind == Kind::virtualSite3fad;
        if (!out.from) {
            out.from = &s->from;
            continue;
        }
        auto const inFirst = [&](std::int32_t a) { return std::find(out.from->begin(), out.from->end(), a) != out.from->end(); };
        bool const sameSize = s->from.size() == out.from->size();
        bool const inside = std::all_of(s->from.begin(), s->from.end(), inFirst);
        out.sameFrom = out.sameFrom && sameSize && inside;
        out.sameFromOrSize = out.sameFromOrSize && (!sameSize || inside);
    }
    if (!out.from) return out;
    for (std::int32_t const atom : atoms) {
        if (site(atom)) continue;
        auto const at = std::find(out.from->begin(), out.from->end(), atom) - out.from->begin();
        if (at == static_cast<std::ptrdiff_t>(out.from->size())) out.othersUsed = false;
        if (at > 1) out.othersFirstTwo = false;
    }
    return out;
}

/// A site at a fixed distance from the atom it hangs on, bonded to that atom.
bool Cleaner::touchesFixedAnchor(Entry const& bond, bool constraint) const
{
    for (std::size_t k = 0; k < 2; ++k) {
        std::optional<Site> const& s = site(bond.atoms[k]);
        std::int32_t const other = bond.atoms[1 - k];
        if (!s || s->isN() || site(other) || s->from.empty() || s->from[0] != other) continue;
        if (s->fixedDistance() || (constraint && s->kind == Kind::virtualSite3out)) return true;
    }
    return false;
}

void Cleaner::cleanBonds(Kind kind, ConstrainedPairs& constrained)
{
    bool const constraint = kind == Kind::constraint || kind == Kind::constraintNoExclusion;
    std::vector<Entry> kept;
    for (Entry const& bond : molecule_.of(kind)) {
        bool goes = touchesFixedAnchor(bond, constraint);
        if (!goes) {
            Judged const j = judge(std::span(bond.atoms).first(2));
            goes = j.sites > 0 && j.sameFrom && j.othersUsed && ((j.allFixedDistance && j.othersFirstTwo) || constrained.holdRing(*j.from));
        }
        if (!goes) {
            kept.push_back(bond);
            continue;
        }
        if (constraint) constrained.remove(bond);
        if (!rulesOf(kind).connects) continue;
        // The atoms stay chemically connected.
        Entry connection = bond;
        connection.parameters = {};
        molecule_.of(Kind::connectBond).push_back(connection);
    }
    molecule_.of(kind).swap(kept);
}

void Cleaner::cleanAngles(Kind kind, ConstrainedPairs const& constrained)
{
    std::erase_if(molecule_.of(kind), [&](Entry const& angle) {
        Judged const j = judge(std::span(angle.atoms).first(3));
        if (j.sites == 0 || !j.sameFrom || !j.othersUsed) return false;
        return (j.allFixedAngle && j.othersFirstTwo) || constrained.holdRing(*j.from);
    });
}

void Cleaner::cleanDihedrals(Kind kind)
{
    std::erase_if(molecule_.of(kind), [&](Entry const& dihedral) {
        Judged const j = judge(std::span(dihedral.atoms).first(4));
        // GROMACS compares only sites built from equally many atoms here, unlike for bonds and angles; its energies show it.
        return j.sites > 0 && j.sameFromOrSize && j.othersUsed;
    });
}

void Cleaner::run()
{
    if (!findSites()) return;
    ConstrainedPairs constrained(molecule_);
    ConstrainedPairs const asWritten = constrained;
    for (Kind const kind : {Kind::bond, Kind::g96Bond, Kind::morse, Kind::cubicBond}) cleanBonds(kind, constrained);
    for (Kind const kind : {Kind::angle, Kind::g96Angle, Kind::restrictedAngle, Kind::linearAngle, Kind::ureyBradley, Kind::quarticAngle})
        cleanAngles(kind, asWritten);
    for (Kind const kind : {Kind::properDihedral, Kind::improperDihedral}) cleanDihedrals(kind);
    for (Kind const kind : constraintKinds) cleanBonds(kind, constrained);
    for (Kind const kind : {Kind::constraint, Kind::constraintNoExclusion, Kind::settle}) {
        for (Entry const& e : molecule_.of(kind))
            for (std::size_t i = 0; i < (kind == Kind::settle ? 3U : 2U); ++i)
                if (site(e.atoms[i]))
                    faults_.refuse(placeOf(text_, e), fmt::format("virtual site {} takes part in a constraint", e.atoms[i] + 1),
                                   "constrain the atoms that it is built from");
    }
}

} // namespace

void removeConstantTerms(MoleculeDraft& molecule, SourceText const& text, base::FaultList& faults)
{
    Cleaner(molecule, text, faults).run();
}

} // namespace alder::deck
