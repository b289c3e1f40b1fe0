#include "constraints/distance_solver.hpp"

#include "constraints/coupled_bonds.hpp"
#include "physics/distance_constraint.hpp"

#include <algorithm>
#include <cmath>

namespace alder::constraints {

ConstraintFit DistanceSolver::solve(ConstraintShape const& shape, GroupWork& work, double tolerance) const
{
    if (plan_.shake) return solveByShake(shape, work, std::min(plan_.shakeTolerance, tolerance));
    return solveByLincs(shape, work, {plan_.lincsOrder, plan_.lincsIterations, tolerance});
}

namespace {

/// Moves atoms by what the linear equations say.
void applySolution(ConstraintShape const& shape, GroupWork& work)
{
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const& bond = shape.bonds[i];
        auto const a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
        double const projected = bond.scale * work.solution[i]; // g |r|
        work.multiplier[i] += projected / work.length[i];
        work.displacement[a] -= (shape.inverseMass[a] * projected) * work.direction[i];
        work.displacement[b] += (shape.inverseMass[b] * projected) * work.direction[i];
    }
}

/// True where every bond is within `tolerance` of its length.
bool allWithin(ConstraintShape const& shape, GroupWork const& work, double tolerance)
{
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        double const wanted = shape.bonds[i].length * shape.bonds[i].length;
        double const deviation = physics::relativeDeviation(norm2(work.after(shape.bonds[i], i)), wanted);
        if (!(std::fabs(deviation) <= tolerance)) return false;
    }
    return true;
}

} // namespace

namespace {

/// The projections of all bonds on their old directions become their lengths.
template <class Solve> void setProjections(ConstraintShape const& shape, GroupWork& work, Solve&& solve)
{
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const& bond = shape.bonds[i];
        work.side[i] = bond.scale * (dot(work.direction[i], work.after(bond, i)) - bond.length);
    }
    solve();
    applySolution(shape, work);
}

/// What the bonds have turned is taken out of their lengths.
template <class Solve> void correctLengths(ConstraintShape const& shape, GroupWork& work, Solve&& solve)
{
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const& bond = shape.bonds[i];
        double const wanted = bond.length * bond.length;
        work.side[i] = bond.scale * (bond.length - physics::shortenedProjection(wanted, norm2(work.after(bond, i))));
    }
    solve();
    applySolution(shape, work);
}

/// What to say of a group without a solution: how the free step left it. An iteration that diverges leaves lengths that mean nothing.
ConstraintFit failedFit(ConstraintShape const& shape, GroupWork& work)
{
    std::copy_n(work.freeDisplacement.begin(), shape.atoms.size(), work.displacement.begin());
    ConstraintFit fit = measureFit(shape, work);
    fit.good = false;
    return fit;
}

/// Once more from the free step, with the linear equations solved to rounding instead of a series cut short, until the tolerance is met.
ConstraintFit solveWithCare(ConstraintShape const& shape, GroupWork& work, double tolerance)
{
    constexpr int mostIterations = 100;
    auto const solve = [&] { solveExactly(shape, work); };
    std::copy_n(work.freeDisplacement.begin(), shape.atoms.size(), work.displacement.begin());
    std::fill_n(work.multiplier.begin(), shape.bonds.size(), 0.0);
    setProjections(shape, work, solve);
    for (int iteration = 0; iteration < mostIterations; ++iteration) {
        if (allWithin(shape, work, tolerance)) return {};
        correctLengths(shape, work, solve);
    }
    return failedFit(shape, work);
}

} // namespace

ConstraintFit solveByLincs(ConstraintShape const& shape, GroupWork& work, LincsChoice const& choice)
{
    auto const solve = [&] { expandSeries(shape, work, choice.order); };
    findDirections(shape, work);
    std::copy_n(work.displacement.begin(), shape.atoms.size(), work.freeDisplacement.begin());
    std::fill_n(work.multiplier.begin(), shape.bonds.size(), 0.0);
    setProjections(shape, work, solve);
    for (int iteration = 0; iteration < choice.iterations; ++iteration) correctLengths(shape, work, solve);
    return allWithin(shape, work, choice.tolerance) ? ConstraintFit{} : solveWithCare(shape, work, choice.tolerance);
}

ConstraintFit solveByShake(ConstraintShape const& shape, GroupWork& work, double tolerance)
{
    constexpr int mostSweeps = 1000;
    constexpr double leastOverlap = 1e-6; // cosine between old and new bond, about: beyond a right angle there is no way back
    std::copy_n(work.displacement.begin(), shape.atoms.size(), work.freeDisplacement.begin());
    std::fill_n(work.multiplier.begin(), shape.bonds.size(), 0.0);
    for (int sweep = 0; sweep < mostSweeps; ++sweep) {
        bool done = true;
        for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
            ConstraintBond const& bond = shape.bonds[i];
            auto const a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
            double const wanted = bond.length * bond.length;
            math::Vec3d const after = work.after(bond, i);
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

} // namespace alder::constraints
