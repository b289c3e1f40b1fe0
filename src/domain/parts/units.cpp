#include "domain/parts/units.hpp"

#include "domain/atom_index.hpp"
#include "plan/supported.hpp"

#include <algorithm>
#include <numeric>

namespace alder::domain {

namespace {

/// Molecules up to this size are one unit, bonds or not: that spares the halo their bonded terms, and they are no larger than what a list
/// radius takes in.
constexpr std::size_t smallMolecule = 12;

bool joins(system::Kind kind)
{
    using system::Kind;
    return kind == Kind::constraint || kind == Kind::constraintNoExclusion || kind == Kind::settle ||
           plan::treatmentOf(kind) == plan::Treatment::virtualSite;
}

MoleculeUnits unitsOf(system::MoleculeType const& type)
{
    MoleculeUnits units;
    units.anchor.resize(type.atoms.size());
    if (type.atoms.size() <= smallMolecule) {
        units.single = true;
        return units;
    }
    std::vector<std::int32_t>& parent = units.anchor;
    std::iota(parent.begin(), parent.end(), 0);
    auto const root = [&](std::int32_t i) {
        while (parent[static_cast<std::size_t>(i)] != i)
            i = parent[static_cast<std::size_t>(i)] = parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
        return i;
    };
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<system::Kind>(k);
        if (!joins(kind)) continue;
        system::InteractionList const& list = type.of(kind);
        auto const width = static_cast<std::size_t>(system::infoOf(kind).atoms);
        for (std::size_t e = 0; e < list.size(); ++e)
            for (std::size_t n = 1; n < width; ++n) {
                std::int32_t const a = root(list.atoms[e * width]), b = root(list.atoms[e * width + n]);
                parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
            }
    }
    for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = root(static_cast<std::int32_t>(i));
    units.single = std::all_of(parent.begin(), parent.end(), [](std::int32_t p) { return p == 0; });
    return units;
}

} // namespace

Units::Units(system::Topology const& whole) : whole_(whole)
{
    for (system::MoleculeType const& type : whole.types) {
        types_.push_back(unitsOf(type));
        allSingle_ = allSingle_ && types_.back().single;
    }
}

std::int32_t Units::anchorOf(std::int32_t number) const
{
    system::MoleculeBlock const& block = blockOf(whole_.blocks, number);
    std::vector<std::int32_t> const& anchor = of(block.type).anchor;
    auto const size = static_cast<std::int64_t>(anchor.size());
    std::int64_t const within = (number - block.firstAtom) % size;
    return static_cast<std::int32_t>(number - within + anchor[static_cast<std::size_t>(within)]);
}

} // namespace alder::domain
