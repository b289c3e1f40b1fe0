#pragma once
// Atoms that do not move along some axes. Whatever step moves the others, these feel no force along a frozen axis, have no velocity
// along it, and are put back.

#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace alder::cpu {

class FrozenAtoms {
public:
    FrozenAtoms(system::Topology const& topology, plan::DynamicsPlan const& dynamics);
    /// True where the run freezes nothing; not where its frozen atoms are elsewhere.
    [[nodiscard]] bool empty() const { return !active_; }
    /// `forces` without what acts along frozen axes.
    std::vector<math::ForceUnits> const& freed(std::vector<math::ForceUnits> const& forces);
    void remember(std::vector<math::FractionVec> const& positions);
    /// Undoes, along frozen axes, what has moved since remember().
    void putBack(std::vector<math::FractionVec>& positions, physics::Box const& box) const;
    void stop(std::vector<math::Vec3d>& velocities) const;

private:
    struct Frozen {
        std::int64_t atom = 0;
        std::array<bool, 3> axes{};
    };
    bool active_ = false;
    std::vector<Frozen> atoms_;
    std::vector<math::FractionVec> before_; ///< by entry of atoms_
    std::vector<math::ForceUnits> freed_;
};

} // namespace alder::cpu
