#pragma once
// Which atoms of a molecule hang together, for making molecules whole that a periodic box has cut.

#include "system/topology.hpp"

#include <vector>

namespace alder::system {

/// An order in which each atom but the first of its part follows one that it is bound to.
struct MoleculeParts {
    struct Link {
        std::int32_t atom, from; ///< from = -1: the first atom of a part
    };
    std::vector<Link> links; ///< every atom once
};

/// Bound are the atoms of a bond, a constraint, a rigid water and a virtual site. The first atom of a part is its lowest.
MoleculeParts partsOf(MoleculeType const& type);

} // namespace alder::system
