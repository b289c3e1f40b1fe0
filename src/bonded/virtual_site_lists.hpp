#pragma once
// The virtual sites of each molecule type, in the order in which they can be constructed.

#include "system/topology.hpp"

#include <vector>

namespace alder::bonded {

struct VirtualSite {
    system::Kind kind{};
    std::int32_t site = 0;             ///< within the molecule
    std::vector<std::int32_t> atoms;   ///< i, j, k, l of the construction; of a site N all its atoms
    system::ParameterSet parameters{}; ///< as the construction takes them
    std::vector<double> weights;       ///< of a site N, by atom
};

/// All sites of a type. A site that is made from other sites comes after them. Throws InputRefused where sites are made from each other.
std::vector<VirtualSite> virtualSitesOf(system::Topology const& topology, system::MoleculeType const& type);

} // namespace alder::bonded
