#include "system/topology.hpp"

namespace alder::system {

bool Topology::uses(Kind kind) const
{
    for (MoleculeBlock const& block : blocks)
        if (block.count > 0 && types[static_cast<std::size_t>(block.type)].of(kind).size() > 0) return true;
    return false;
}

} // namespace alder::system
