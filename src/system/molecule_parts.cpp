#include "system/molecule_parts.hpp"

#include <string_view>

namespace alder::system {

namespace {

bool binds(Kind kind)
{
    std::string_view const section = infoOf(kind).section;
    return section == "bonds" || section == "constraints" || section == "settles" || section.starts_with("virtual_sites");
}

} // namespace

MoleculeParts partsOf(MoleculeType const& type)
{
    struct Bound {
        std::int32_t to, keeper;
    };
    std::vector<std::vector<Bound>> bound(type.atoms.size());
    for (std::size_t k = 0; k < kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (!binds(kind)) continue;
        InteractionList const& list = type.of(kind);
        auto const width = static_cast<std::size_t>(infoOf(kind).atoms);
        for (std::size_t e = 0; e < list.size(); ++e)
            for (std::size_t a = 1; a < width; ++a) {
                std::int32_t const i = list.atoms[e * width], j = list.atoms[e * width + a];
                bound[static_cast<std::size_t>(i)].push_back({j, i});
                bound[static_cast<std::size_t>(j)].push_back({i, i});
            }
    }
    MoleculeParts parts;
    std::vector<char> reached(type.atoms.size(), 0);
    for (std::size_t first = 0; first < type.atoms.size(); ++first) {
        if (reached[first]) continue;
        reached[first] = 1;
        std::size_t next = parts.links.size();
        parts.links.push_back({static_cast<std::int32_t>(first), -1, static_cast<std::int32_t>(first)});
        for (; next < parts.links.size(); ++next) {
            std::int32_t const from = parts.links[next].atom;
            for (auto const [to, keeper] : bound[static_cast<std::size_t>(from)])
                if (!reached[static_cast<std::size_t>(to)]) {
                    reached[static_cast<std::size_t>(to)] = 1;
                    parts.links.push_back({to, from, keeper});
                }
        }
    }
    return parts;
}

std::vector<DipoleArm> dipoleArmsOf(MoleculeType const& type)
{
    std::vector<double> carried;
    for (Atom const& atom : type.atoms) carried.push_back(atom.charge);
    std::vector<MoleculeParts::Link> const links = partsOf(type).links;
    for (auto link = links.rbegin(); link != links.rend(); ++link) // each atom after all that hangs on it
        if (link->from >= 0) carried[static_cast<std::size_t>(link->from)] += carried[static_cast<std::size_t>(link->atom)];
    std::vector<DipoleArm> arms;
    arms.reserve(links.size());
    for (MoleculeParts::Link const& link : links) arms.push_back({link, carried[static_cast<std::size_t>(link.atom)]});
    return arms;
}

} // namespace alder::system
