#include "constraints/force_projection.hpp"

#include "constraints/projection.hpp"

#include <utility>

namespace alder::constraints {

ForceProjection::ForceProjection(system::Topology const& topology, std::vector<std::array<bool, 3>> frozenAxes)
    : topology_(topology),
      frozenAxes_(std::move(frozenAxes)),
      waters_(topology),
      set_(topology, Weights::equal),
      work_(set_)
{}

void ForceProjection::stopFrozen(std::vector<math::Vec3d>& forces) const
{
    for (std::size_t i = 0; i < forces.size() && !frozenAxes_.empty(); ++i) {
        auto const& axes = frozenAxes_[static_cast<std::size_t>(topology_.freezeGroups.of(static_cast<std::int64_t>(i)))];
        forces[i] = {axes[0] ? 0 : forces[i].x, axes[1] ? 0 : forces[i].y, axes[2] ? 0 : forces[i].z};
    }
}

void ForceProjection::apply(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::Vec3d>& forces)
{
    stopFrozen(forces); // a frozen atom has no constraint
    for (SettleGroup const& group : waters_.groups())
        for (WaterAtoms const& water : group.waters) {
            auto const o = static_cast<std::size_t>(water.oxygen);
            auto const h1 = static_cast<std::size_t>(water.hydrogen1), h2 = static_cast<std::size_t>(water.hydrogen2);
            physics::WaterBonds<double> const bonds{box.difference(positions[h1], positions[o]),
                                                    box.difference(positions[h2], positions[o])};
            physics::WaterVectors<double> const left = physics::withoutStretching(bonds, {forces[o], forces[h1], forces[h2]});
            forces[o] = left.oxygen;
            forces[h1] = left.hydrogen1;
            forces[h2] = left.hydrogen2;
        }
    for (ConstraintGroup const group : set_.groups()) {
        ConstraintShape const& shape = set_.shapeOf(group);
        gatherBonds(shape, group, {positions, box}, work_);
        for (std::size_t k = 0; k < shape.atoms.size(); ++k) work_.velocity[k] = forces[atomOf(shape, group, k)];
        projectOut(shape, work_);
        for (std::size_t k = 0; k < shape.atoms.size(); ++k) forces[atomOf(shape, group, k)] = work_.velocity[k];
    }
}

} // namespace alder::constraints
