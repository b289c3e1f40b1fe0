#pragma once
// Corrects the free step of one group of atoms so that its distances are kept: by LINCS or by SHAKE, as the plan says.

#include "constraints/coupled_bonds.hpp"
#include "plan/run_plan.hpp"

#include <cmath>

namespace alder::constraints {

/// A step of a run is held to this relative deviation. In steps that make sense LINCS comes well below it by itself (1e-6 to 1e-4); a
/// rough start turns bonds by tens of degrees, and is worth more iterations rather than a wrong length.
inline constexpr double stepTolerance = 1e-3;
/// A starting configuration is solved once and may take its time.
inline constexpr double startTolerance = 1e-8;

/// How LINCS goes about it.
struct LincsChoice {
    int order = 4, iterations = 1;
    double tolerance = stepTolerance;
};

/// Moves atoms by what the linear equations say.
template <class Shape, class Work, class Team> ALDER_HD void applySolution(Shape const& shape, Work& work, Team const& team)
{
    auto const projected = [&](std::size_t i) { return shape.bonds[i].scale * work.solution[i]; }; // g |r|
    team.forEach(shape.bonds.size(), [&](std::size_t i) { work.multiplier[i] += projected(i) / work.length[i]; });
    team.moveEnds(shape, work.displacement,
                  [&](std::size_t i, double inverseMass) { return (inverseMass * projected(i)) * work.direction[i]; });
}

/// True where every bond is within `tolerance` of its length.
template <class Shape, class Work, class Team>
ALDER_HD bool allWithin(Shape const& shape, Work const& work, double tolerance, Team const& team)
{
    return team.all(shape.bonds.size(), [&](std::size_t i) {
        ConstraintBond const bond = shape.bonds[i];
        double const wanted = bond.length * bond.length;
        double const deviation = physics::relativeDeviation(norm2(bondAfter(work, bond, i)), wanted);
        return std::fabs(deviation) <= tolerance;
    });
}

/// Begins with the free step.
template <class Shape, class Work, class Team> ALDER_HD void returnToFreeStep(Shape const& shape, Work& work, Team const& team)
{
    team.forEach(shape.atoms.size(), [&](std::size_t k) { work.displacement[k] = work.freeDisplacement[k]; });
    team.forEach(shape.bonds.size(), [&](std::size_t i) { work.multiplier[i] = 0.0; });
}

/// The projections of all bonds on their old directions become their lengths.
template <class Shape, class Work, class Team, class Solve>
ALDER_HD void setProjections(Shape const& shape, Work& work, Team const& team, Solve&& solve)
{
    team.forEach(shape.bonds.size(), [&](std::size_t i) {
        ConstraintBond const bond = shape.bonds[i];
        work.side[i] = bond.scale * (dot(work.direction[i], bondAfter(work, bond, i)) - bond.length);
    });
    solve();
    applySolution(shape, work, team);
}

/// What the bonds have turned is taken out of their lengths.
template <class Shape, class Work, class Team, class Solve>
ALDER_HD void correctLengths(Shape const& shape, Work& work, Team const& team, Solve&& solve)
{
    team.forEach(shape.bonds.size(), [&](std::size_t i) {
        ConstraintBond const bond = shape.bonds[i];
        double const wanted = bond.length * bond.length;
        work.side[i] = bond.scale * (bond.length - physics::shortenedProjection(wanted, norm2(bondAfter(work, bond, i))));
    });
    solve();
    applySolution(shape, work, team);
}

/// What to say of a group without a solution: how the free step left it. An iteration that diverges leaves lengths that mean nothing.
template <class Shape, class Work, class Team = Alone>
ALDER_HD ConstraintFit failedFit(Shape const& shape, Work& work, Team const& team = {})
{
    team.forEach(shape.atoms.size(), [&](std::size_t k) { work.displacement[k] = work.freeDisplacement[k]; });
    ConstraintFit fit = measureFit(shape, work);
    fit.good = false;
    return fit;
}

/// Once more from the free step, with the linear equations solved to rounding instead of a series cut short, until the tolerance is met.
template <class Shape, class Work, class Team = Alone>
ALDER_HD ConstraintFit solveWithCare(Shape const& shape, Work& work, double tolerance, Team const& team = {})
{
    constexpr int mostIterations = 100;
    auto const solve = [&] { solveExactly(shape, work, team); };
    returnToFreeStep(shape, work, team);
    setProjections(shape, work, team, solve);
    for (int iteration = 0; iteration < mostIterations; ++iteration) {
        if (allWithin(shape, work, tolerance, team)) return {};
        correctLengths(shape, work, team, solve);
    }
    return failedFit(shape, work, team);
}

/// LINCS with `order` terms of the series (twice as many among the sides of triangles) and `iterations` corrections of lengths. Where a bond
/// is then off by more than `tolerance`, once more without cutting the series, with as many corrections as it takes.
template <class Shape, class Work, class Team = Alone>
ALDER_HD ConstraintFit solveByLincs(Shape const& shape, Work& work, LincsChoice const& choice, Team const& team = {})
{
    auto const solve = [&] { expandSeries(shape, work, choice.order, team); };
    findDirections(shape, work, team);
    team.forEach(shape.atoms.size(), [&](std::size_t k) { work.freeDisplacement[k] = work.displacement[k]; });
    returnToFreeStep(shape, work, team);
    setProjections(shape, work, team, solve);
    for (int iteration = 0; iteration < choice.iterations; ++iteration) correctLengths(shape, work, team, solve);
    return allWithin(shape, work, choice.tolerance, team) ? ConstraintFit{} : solveWithCare(shape, work, choice.tolerance, team);
}

/// SHAKE in the order of the topology, until each bond is within `tolerance` (relative) of its length.
template <class Shape, class Work> ALDER_HD ConstraintFit solveByShake(Shape const& shape, Work& work, double tolerance)
{
    constexpr int mostSweeps = 1000;
    constexpr double leastOverlap = 1e-6; // cosine between old and new bond, about: beyond a right angle there is no way back
    for (std::size_t k = 0; k < shape.atoms.size(); ++k) work.freeDisplacement[k] = work.displacement[k];
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) work.multiplier[i] = 0.0;
    for (int sweep = 0; sweep < mostSweeps; ++sweep) {
        bool done = true;
        for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
            ConstraintBond const bond = shape.bonds[i];
            auto const a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
            double const wanted = bond.length * bond.length;
            math::Vec3d const after = bondAfter(work, bond, i);
            double const present = norm2(after);
            if (std::fabs(physics::relativeDeviation(present, wanted)) <= tolerance) continue;
            double const overlap = dot(work.before[i], after);
            if (!(overlap > leastOverlap * wanted)) return failedFit(shape, work);
            double const g = physics::shakeMultiplier(present - wanted, overlap, shape.inverseMass[a] + shape.inverseMass[b]);
            work.multiplier[i] += g;
            work.displacement[a] -= (shape.inverseMass[a] * g) * work.before[i];
            work.displacement[b] += (shape.inverseMass[b] * g) * work.before[i];
            done = false;
        }
        if (done) return {};
    }
    return failedFit(shape, work);
}

class DistanceSolver {
public:
    explicit DistanceSolver(plan::ConstraintPlan const& plan) : plan_(plan) {}

    /// From work.before and work.displacement: corrects work.displacement, and leaves the multipliers. `tolerance`: what LINCS goes on for
    /// beyond lincs-iter iterations; SHAKE has shake-tol, or this where it is less.
    template <class Shape, class Work, class Team = Alone>
    [[nodiscard]] ALDER_HD ConstraintFit solve(Shape const& shape, Work& work, double tolerance, Team const& team = {}) const
    {
        if (plan_.shake)
            return team.once(
                [&] { return solveByShake(shape, work, plan_.shakeTolerance < tolerance ? plan_.shakeTolerance : tolerance); });
        return solveByLincs(shape, work, {plan_.lincsOrder, plan_.lincsIterations, tolerance}, team);
    }

private:
    plan::ConstraintPlan plan_;
};

} // namespace alder::constraints
