#pragma once
// Which atoms of a molecule hang together, for making molecules whole that a periodic box has cut, and their dipoles.

#include "system/topology.hpp"

#include <vector>

namespace alder::system {

/// An order in which each atom but the first of its part follows one that it is bound to.
struct MoleculeParts {
    struct Link {
        std::int32_t atom, from; ///< from = -1: the first atom of a part
        std::int32_t keeper;     ///< whichever of both is the first atom of the term that binds them; without `from` the atom
    };
    std::vector<Link> links; ///< every atom once
};

/// What an atom and all that hangs on it add to the dipole of their molecule: the place of an atom is that of the one it hangs on plus their
/// difference, so the dipole is, over the first atoms of parts, their place times the charge of the part, and over all others that difference
/// times the charge of what hangs on it. No atom waits for another.
struct DipoleArm {
    MoleculeParts::Link link;
    double carried; ///< e, of the atom and of all that hangs on it
};

/// Bound are the atoms of a bond, a constraint, a rigid water and a virtual site. The first atom of a part is its lowest.
MoleculeParts partsOf(MoleculeType const& type);
/// One arm for each atom, in the order of links.
std::vector<DipoleArm> dipoleArmsOf(MoleculeType const& type);

} // namespace alder::system
