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
    std::vector<std::vector<std::int32_t>> bound(type.atoms.size());
    for (std::size_t k = 0; k < kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (!binds(kind)) continue;
        InteractionList const& list = type.of(kind);
        auto const width = static_cast<std::size_t>(infoOf(kind).atoms);
        for (std::size_t e = 0; e < list.size(); ++e)
            for (std::size_t a = 1; a < width; ++a) {
                std::int32_t const i = list.atoms[e * width], j = list.atoms[e * width + a];
                bound[static_cast<std::size_t>(i)].push_back(j);
                bound[static_cast<std::size_t>(j)].push_back(i);
            }
    }
    MoleculeParts parts;
    std::vector<char> reached(type.atoms.size(), 0);
    for (std::size_t first = 0; first < type.atoms.size(); ++first) {
        if (reached[first]) continue;
        reached[first] = 1;
        std::size_t next = parts.links.size();
        parts.links.push_back({static_cast<std::int32_t>(first), -1});
        for (; next < parts.links.size(); ++next) {
            std::int32_t const from = parts.links[next].atom;
            for (std::int32_t const to : bound[static_cast<std::size_t>(from)])
                if (!reached[static_cast<std::size_t>(to)]) {
                    reached[static_cast<std::size_t>(to)] = 1;
                    parts.links.push_back({to, from});
                }
        }
    }
    return parts;
}

} // namespace alder::system
