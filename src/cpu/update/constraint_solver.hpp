#pragma once
// All constraints of a system at once, for whatever moves atoms: rigid waters by SETTLE, other distances by LINCS or SHAKE.

#include "constraints/constraint_set.hpp"
#include "constraints/distance_solver.hpp"
#include "constraints/group_work.hpp"
#include "constraints/settle_set.hpp"
#include "cpu/update/work_shares.hpp"
#include "engine/blame.hpp"
#include "math/fixed_sum.hpp"
#include "plan/run_plan.hpp"

#include <vector>

namespace alder::cpu {

using engine::Blame;

/// What solving for a whole step leaves behind.
struct ConstraintSums {
    math::FixedTensor virial; ///< -1/2 sum r outer F, kJ/mol
    Blame blame;              ///< the first atom whose constraints cannot be satisfied
};

class ConstraintSolver {
public:
    /// The topology must outlive this. Throws base::RunFailed where SETTLE's triangles or other constraints cannot exist.
    ConstraintSolver(system::Topology const& topology, plan::ConstraintPlan const& plan, int threads);

    [[nodiscard]] constraints::SettleSet const& waters() const { return waters_; }
    [[nodiscard]] constraints::ConstraintSet const& groups() const { return groups_; }
    [[nodiscard]] constraints::DistanceSolver const& distances() const { return distances_; }
    [[nodiscard]] constraints::GroupWork& work(int thread) { return work_[static_cast<std::size_t>(thread)]; }
    [[nodiscard]] bool empty() const { return waters_.empty() && groups_.empty(); }

    /// Corrects `displacements` (nm, by atom) of a free step of length dt from `before`, where constraints hold, so that they hold after
    /// it. The constraint forces act along the bonds of `before`; add (corrected - free)/dt to the velocities. Sums are of forces that
    /// act through dt and through dt again on positions, as in leap-frog: F = m (corrected - free)/dt^2.
    ConstraintSums solve(constraints::Placed before, std::vector<math::Vec3d>& displacements, double dt);

    /// Takes out of `velocities` what changes constrained distances at `placed`, leaving the momentum: v - M^-1 B^T (B M^-1 B^T)^-1 B v.
    /// Returns the virial (kJ/mol) of the forces that do this within `time` (ps). With `struck`, by atom: where one of those held together is.
    math::FixedTensor projectVelocities(constraints::Placed placed, std::vector<math::Vec3d>& velocities, double time,
                                        std::vector<std::uint8_t> const* struck = nullptr);

    /// Makes the positions of a start satisfy constraints; throws base::RunFailed naming atoms where that cannot be.
    void constrainPositions(std::vector<math::FractionVec>& positions, physics::Box const& box);
    /// Then velocities v(-dt/2), such that the step back from `placed` satisfies them too.
    void constrainVelocities(constraints::Placed placed, double dt, std::vector<math::Vec3d>& velocities);

    /// What is to be said of a group that was not solved.
    [[nodiscard]] Blame blameOf(constraints::ConstraintGroup group, constraints::ConstraintFit const& fit) const;

private:
    struct Pass;
    struct Projection {
        constraints::Placed placed;
        std::vector<math::Vec3d>& velocities;
        double time = 0; ///< ps
        std::vector<std::uint8_t> const* struck = nullptr;
        [[nodiscard]] bool concerns(std::size_t atom) const { return struck == nullptr || (*struck)[atom] != 0; }
    };
    void projectGroup(constraints::ConstraintGroup group, Projection const& of, constraints::GroupWork& work,
                      math::FixedTensor& virial) const;
    static void projectWater(constraints::SettleGroup const& group, constraints::WaterAtoms const& water, Projection const& of,
                             math::FixedTensor& virial);
    void solveGroups(Pass const& pass, ItemRange range, constraints::GroupWork& work, ConstraintSums& sums) const;
    void solveWaters(Pass const& pass, std::vector<ItemRange> const& blocks, ConstraintSums& sums) const;
    ConstraintSums solveAll(Pass const& pass);

    system::Topology const& topology_;
    int threads_ = 1;
    constraints::SettleSet waters_;
    constraints::ConstraintSet groups_;
    constraints::DistanceSolver distances_;
    std::vector<constraints::GroupWork> work_; ///< by thread
    std::vector<ThreadShare> shares_;
};

} // namespace alder::cpu
