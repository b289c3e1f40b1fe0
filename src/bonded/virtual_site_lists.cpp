#include "bonded/virtual_site_lists.hpp"

#include "physics/constants.hpp"
#include "plan/supported.hpp"

#include <algorithm>
#include <cmath>

namespace alder::bonded {

using system::Kind;

namespace {

system::ParameterSet prepareSite(Kind kind, system::ParameterSet const& p)
{
    if (kind != Kind::virtualSite3fad) return p;
    double const angle = p[0] * physics::pi / 180; // written as angle and distance
    return {p[1] * std::cos(angle), p[1] * std::sin(angle)};
}

/// Entries of sites N hold one constructing atom each; consecutive ones make a site.
std::vector<VirtualSite> weightedSites(system::Topology const& topology, system::InteractionList const& list)
{
    std::vector<VirtualSite> sites;
    for (std::size_t e = 0; e < list.size();) {
        auto const parametersAt = [&](std::size_t entry) -> system::ParameterSet const& {
            return topology.parametersOf(Kind::virtualSiteN)[static_cast<std::size_t>(list.parameters[entry])];
        };
        auto const count = static_cast<std::size_t>(std::lround(parametersAt(e)[0]));
        VirtualSite site{Kind::virtualSiteN, list.atoms[2 * e], {}, {}, {}};
        for (std::size_t n = 0; n < std::max<std::size_t>(count, 1); ++n, ++e) {
            site.atoms.push_back(list.atoms[2 * e + 1]);
            site.weights.push_back(parametersAt(e)[1]);
        }
        sites.push_back(std::move(site));
    }
    return sites;
}

} // namespace

std::vector<VirtualSite> virtualSitesOf(system::Topology const& topology, system::MoleculeType const& type)
{
    std::vector<VirtualSite> waiting;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        system::InteractionList const& list = type.of(kind);
        if (plan::treatmentOf(kind) != plan::Treatment::virtualSite || list.size() == 0) continue;
        if (kind == Kind::virtualSiteN) {
            for (VirtualSite& site : weightedSites(topology, list)) waiting.push_back(std::move(site));
            continue;
        }
        auto const width = static_cast<std::size_t>(system::infoOf(kind).atoms);
        for (std::size_t e = 0; e < list.size(); ++e) {
            auto const first = list.atoms.begin() + static_cast<std::ptrdiff_t>(e * width);
            system::ParameterSet const& set = topology.parametersOf(kind)[static_cast<std::size_t>(list.parameters[e])];
            waiting.push_back({kind, *first, {first + 1, first + static_cast<std::ptrdiff_t>(width)}, prepareSite(kind, set), {}});
        }
    }

    std::vector<char> open(type.atoms.size(), 0); // sites not yet placed
    for (VirtualSite const& site : waiting) open[static_cast<std::size_t>(site.site)] = 1;
    std::vector<VirtualSite> ordered;
    while (!waiting.empty()) {
        std::vector<VirtualSite> later;
        std::vector<std::int32_t> placed;
        for (VirtualSite& site : waiting) {
            auto const isOpen = [&](std::int32_t atom) { return open[static_cast<std::size_t>(atom)] != 0; };
            bool const ready = std::none_of(site.atoms.begin(), site.atoms.end(), isOpen);
            if (ready) placed.push_back(site.site);
            (ready ? ordered : later).push_back(std::move(site));
        }
        if (placed.empty())
            base::refuseInput({}, "virtual sites of molecule " + type.name + " are made from each other",
                              "build each from atoms, or from sites that are");
        for (std::int32_t const site : placed) open[static_cast<std::size_t>(site)] = 0;
        waiting = std::move(later);
    }
    return ordered;
}

} // namespace alder::bonded
