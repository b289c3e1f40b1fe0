#pragma once
// Corrects the free step of one group of atoms so that its distances are kept: by LINCS or by SHAKE, as the plan says.

#include "constraints/group_work.hpp"
#include "plan/run_plan.hpp"

namespace alder::constraints {

class DistanceSolver {
public:
    explicit DistanceSolver(plan::ConstraintPlan const& plan) : plan_(plan) {}

    /// From work.before and work.displacement: corrects work.displacement, and leaves the multipliers. `tolerance`: what LINCS goes on for
    /// beyond lincs-iter iterations; SHAKE has shake-tol, or this where it is less.
    [[nodiscard]] ConstraintFit solve(ConstraintShape const& shape, GroupWork& work, double tolerance) const;

    /// A step of a run is held to this relative deviation. In steps that make sense LINCS comes well below it by itself (1e-6 to 1e-4); a
    /// rough start turns bonds by tens of degrees, and is worth more iterations rather than a wrong length.
    static constexpr double stepTolerance = 1e-3;
    /// A starting configuration is solved once and may take its time.
    static constexpr double startTolerance = 1e-8;

private:
    plan::ConstraintPlan plan_;
};

/// LINCS with `order` terms of the series (twice as many among the sides of triangles) and `iterations` corrections of lengths. Where a bond
/// is then off by more than `tolerance`, once more without cutting the series, with as many corrections as it takes.
struct LincsChoice {
    int order = 4, iterations = 1;
    double tolerance = DistanceSolver::stepTolerance;
};
ConstraintFit solveByLincs(ConstraintShape const& shape, GroupWork& work, LincsChoice const& choice);

/// SHAKE in the order of the topology, until each bond is within `tolerance` (relative) of its length.
ConstraintFit solveByShake(ConstraintShape const& shape, GroupWork& work, double tolerance);

} // namespace alder::constraints
