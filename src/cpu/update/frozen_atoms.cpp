#include "cpu/update/frozen_atoms.hpp"

namespace alder::cpu {

FrozenAtoms::FrozenAtoms(system::Topology const& topology, plan::DynamicsPlan const& dynamics) : active_(!dynamics.frozenAxes.empty())
{
    if (!active_) return;
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        std::array<bool, 3> const axes = dynamics.frozenAxes[static_cast<std::size_t>(topology.freezeGroups.of(i))];
        if (atom.mass > 0 && (axes[0] || axes[1] || axes[2])) atoms_.push_back({i, axes});
    });
}

std::vector<math::ForceUnits> const& FrozenAtoms::freed(std::vector<math::ForceUnits> const& forces)
{
    freed_ = forces;
    for (Frozen const& frozen : atoms_) {
        math::ForceUnits& f = freed_[static_cast<std::size_t>(frozen.atom)];
        f = {frozen.axes[0] ? 0 : f.x, frozen.axes[1] ? 0 : f.y, frozen.axes[2] ? 0 : f.z};
    }
    return freed_;
}

void FrozenAtoms::remember(std::vector<math::FractionVec> const& positions)
{
    before_.clear();
    for (Frozen const& frozen : atoms_) before_.push_back(positions[static_cast<std::size_t>(frozen.atom)]);
}

void FrozenAtoms::putBack(std::vector<math::FractionVec>& positions, physics::Box const& box) const
{
    for (std::size_t n = 0; n < atoms_.size(); ++n) {
        std::array<bool, 3> const axes = atoms_[n].axes;
        math::FractionVec& now = positions[static_cast<std::size_t>(atoms_[n].atom)];
        if (now == before_[n]) continue;
        math::Vec3d const moved = box.difference(now, before_[n]);
        math::Vec3d const kept{axes[0] ? 0 : moved.x, axes[1] ? 0 : moved.y, axes[2] ? 0 : moved.z};
        now = wrappingSum(before_[n], box.toFractionStep(kept));
    }
}

void FrozenAtoms::stop(std::vector<math::Vec3d>& velocities) const
{
    for (Frozen const& frozen : atoms_) {
        math::Vec3d& v = velocities[static_cast<std::size_t>(frozen.atom)];
        v = {frozen.axes[0] ? 0 : v.x, frozen.axes[1] ? 0 : v.y, frozen.axes[2] ? 0 : v.z};
    }
}

} // namespace alder::cpu
