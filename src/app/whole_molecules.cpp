#include "app/whole_molecules.hpp"

namespace alder::app {

std::vector<math::Vec3d> wholeMolecules(system::Topology const& topology, system::State const& state)
{
    std::vector<math::Vec3d> positions;
    positions.reserve(state.positions.size());
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        auto atom = static_cast<std::size_t>(first);
        for (std::size_t i = 0; i < type.atoms.size(); ++i, ++atom)
            positions.push_back(i == 0 ? state.box.toPosition(state.positions[atom])
                                       : positions.back() + state.box.difference(state.positions[atom], state.positions[atom - 1]));
    });
    return positions;
}

} // namespace alder::app
