#include "cpu/update/constraint_solver.hpp"

#include "constraints/projection.hpp"
#include "cpu/update/water_atoms.hpp"
#include "physics/distance_constraint.hpp"
#include "physics/leap_frog.hpp"

#include <algorithm>
#include <cmath>

namespace alder::cpu {

using constraints::ConstraintFit;
using constraints::ConstraintGroup;
using constraints::ConstraintShape;
using constraints::GroupWork;
using constraints::Placed;
using constraints::startTolerance;
using constraints::stepTolerance;
using math::Vec3d;

ConstraintSolver::ConstraintSolver(system::Topology const& topology, plan::ConstraintPlan const& plan, int threads)
    : topology_(topology),
      threads_(std::max(1, threads)),
      waters_(topology),
      groups_(topology),
      distances_(plan),
      work_(static_cast<std::size_t>(threads_), GroupWork(groups_)),
      shares_(shareOut({groups_, waters_, 0}, threads_))
{}

/// One call for all constraints.
struct ConstraintSolver::Pass {
    Placed before;
    std::vector<Vec3d>& displacements;
    double dt = 0;
    double tolerance = stepTolerance;
};

Blame ConstraintSolver::blameOf(ConstraintGroup group, ConstraintFit const& fit) const
{
    ConstraintShape const& shape = groups_.shapeOf(group);
    constraints::ConstraintBond const& bond = shape.bonds[static_cast<std::size_t>(fit.worst)];
    Blame blame;
    blame.atom = static_cast<std::int64_t>(constraints::atomOf(shape, group, static_cast<std::size_t>(bond.a)));
    blame.distance = {static_cast<std::int64_t>(constraints::atomOf(shape, group, static_cast<std::size_t>(bond.b))), bond.length,
                      fit.present, fit.rootMeanSquare, static_cast<std::int64_t>(shape.bonds.size())};
    return blame;
}

void ConstraintSolver::solveGroups(Pass const& pass, ItemRange range, GroupWork& work, ConstraintSums& sums) const
{
    for (std::int64_t g = range.begin; g < range.end; ++g) {
        ConstraintGroup const group = groups_.groups()[static_cast<std::size_t>(g)];
        ConstraintShape const& shape = groups_.shapeOf(group);
        gatherBonds(shape, group, pass.before, work);
        for (std::size_t k = 0; k < shape.atoms.size(); ++k)
            work.displacement[k] = pass.displacements[constraints::atomOf(shape, group, k)];
        ConstraintFit const fit = distances_.solve(shape, work, pass.tolerance);
        if (!fit.good) sums.blame.take(blameOf(group, fit));
        for (std::size_t k = 0; k < shape.atoms.size(); ++k)
            pass.displacements[constraints::atomOf(shape, group, k)] = work.displacement[k];
        sums.virial.add(groupVirial(shape, work, 1.0 / pass.dt));
    }
}

void ConstraintSolver::solveWaters(Pass const& pass, std::vector<ItemRange> const& blocks, ConstraintSums& sums) const
{
    WaterLanes lanes{};
    for (std::size_t g = 0; g < waters_.groups().size(); ++g) {
        constraints::SettleGroup const& group = waters_.groups()[g];
        forEachBlock(group.waters, blocks[g].begin, blocks[g].end, [&](constraints::WaterAtoms const* waters, std::size_t used) {
            for (std::size_t l = 0; l < waterLanes; ++l) {
                constraints::WaterAtoms const& water = waters[std::min(l, used - 1)]; // the last fills up
                loadBonds(lanes, l, water, pass.before.positions);
                for (std::size_t a = 0; a < 3; ++a) putLane(lanes.displacement[a], l, pass.displacements[atomOf(water, a)]);
            }
            settleLanes(lanes, group.geometry, pass.before.box);
            for (std::size_t l = 0; l < used; ++l) {
                Vec3d const shift[3] = {getLane(lanes.shift[oxygen], l), getLane(lanes.shift[hydrogen1], l),
                                        getLane(lanes.shift[hydrogen2], l)};
                for (std::size_t a = 0; a < 3; ++a) {
                    Blame here;
                    here.atom = static_cast<std::int64_t>(atomOf(waters[l], a));
                    here.displacement = norm(shift[a]);
                    if (!std::isfinite(here.displacement)) sums.blame.take(here);
                    pass.displacements[atomOf(waters[l], a)] += shift[a];
                }
                sums.virial.add(physics::settleVirial(group.geometry, {getLane(lanes.before[0], l), getLane(lanes.before[1], l)},
                                                      {shift[0], shift[1], shift[2]}, pass.dt));
            }
        });
    }
}

ConstraintSums ConstraintSolver::solveAll(Pass const& pass)
{
    std::vector<ConstraintSums> parts(static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
        auto const t = static_cast<std::size_t>(thread);
        ConstraintSums part;
        solveGroups(pass, shares_[t].groups, work_[t], part);
        solveWaters(pass, shares_[t].waterBlocks, part);
        parts[t] = part;
    }
    ConstraintSums all;
    for (ConstraintSums const& part : parts) {
        all.virial.add(part.virial);
        all.blame.take(part.blame);
    }
    return all;
}

ConstraintSums ConstraintSolver::solve(Placed before, std::vector<Vec3d>& displacements, double dt)
{
    return solveAll({before, displacements, dt, stepTolerance});
}

void ConstraintSolver::projectWater(constraints::SettleGroup const& group, constraints::WaterAtoms const& water, Projection const& of,
                                    math::FixedTensor& virial)
{
    physics::WaterWeights const weights{1.0 / group.geometry.oxygenMass, 1.0 / group.geometry.hydrogenMass};
    std::size_t const o = atomOf(water, oxygen), h1 = atomOf(water, hydrogen1), h2 = atomOf(water, hydrogen2);
    if (!of.concerns(o) && !of.concerns(h1) && !of.concerns(h2)) return;
    physics::WaterBonds<double> const bonds{of.placed.box.difference(of.placed.positions[h1], of.placed.positions[o]),
                                            of.placed.box.difference(of.placed.positions[h2], of.placed.positions[o])};
    physics::WaterVectors<double> const left =
        physics::withoutStretching(bonds, {of.velocities[o], of.velocities[h1], of.velocities[h2]}, weights);
    virial.add(physics::stretchingVirial(group.geometry, bonds, {of.velocities[o], of.velocities[h1], of.velocities[h2]}, left, of.time));
    of.velocities[o] = left.oxygen;
    of.velocities[h1] = left.hydrogen1;
    of.velocities[h2] = left.hydrogen2;
}

void ConstraintSolver::projectGroup(ConstraintGroup group, Projection const& of, GroupWork& work, math::FixedTensor& virial) const
{
    ConstraintShape const& shape = groups_.shapeOf(group);
    bool concerned = false;
    for (std::size_t k = 0; k < shape.atoms.size(); ++k) concerned = concerned || of.concerns(constraints::atomOf(shape, group, k));
    if (!concerned) return;
    gatherBonds(shape, group, of.placed, work);
    for (std::size_t k = 0; k < shape.atoms.size(); ++k) work.velocity[k] = of.velocities[constraints::atomOf(shape, group, k)];
    projectOut(shape, work);
    for (std::size_t k = 0; k < shape.atoms.size(); ++k) of.velocities[constraints::atomOf(shape, group, k)] = work.velocity[k];
    virial.add(projectionVirial(shape, work, 1.0 / of.time));
}

math::FixedTensor ConstraintSolver::projectVelocities(Placed placed, std::vector<Vec3d>& velocities, double time,
                                                      std::vector<std::uint8_t> const* struck)
{
    Projection const of{placed, velocities, time, struck};
    std::vector<math::FixedTensor> virials(static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
        ThreadShare const& share = shares_[static_cast<std::size_t>(thread)];
        GroupWork& work = work_[static_cast<std::size_t>(thread)];
        math::FixedTensor virial;
        for (std::int64_t g = share.groups.begin; g < share.groups.end; ++g)
            projectGroup(groups_.groups()[static_cast<std::size_t>(g)], of, work, virial);
        for (std::size_t s = 0; s < waters_.groups().size(); ++s) {
            constraints::SettleGroup const& group = waters_.groups()[s];
            forEachBlock(group.waters, share.waterBlocks[s].begin, share.waterBlocks[s].end,
                         [&](constraints::WaterAtoms const* waters, std::size_t used) {
                             for (std::size_t l = 0; l < used; ++l) projectWater(group, waters[l], of, virial);
                         });
        }
        virials[static_cast<std::size_t>(thread)] = virial;
    }
    math::FixedTensor all;
    for (math::FixedTensor const& virial : virials) all.add(virial);
    return all;
}

void ConstraintSolver::constrainPositions(std::vector<math::FractionVec>& positions, physics::Box const& box)
{
    if (empty()) return;
    std::vector<Vec3d> displacements(positions.size());
    Blame const blame = solveAll({{positions, box}, displacements, 1.0, startTolerance}).blame;
    if (blame.found()) failStartPositions(topology_, blame);
    physics::FractionSteps const fractions(box);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = wrappingSum(positions[i], fractions.of(displacements[i]));
}

void ConstraintSolver::constrainVelocities(Placed placed, double dt, std::vector<Vec3d>& velocities)
{
    if (empty()) return;
    // a step back from constrained positions: v(-dt/2) is to join two configurations that satisfy the constraints
    std::vector<Vec3d> displacements;
    displacements.reserve(velocities.size());
    for (Vec3d const v : velocities) displacements.push_back(-dt * v);
    std::vector<Vec3d> const free = displacements;
    Blame const blame = solveAll({placed, displacements, dt, startTolerance}).blame;
    if (blame.found()) failStartVelocities(topology_, blame);
    for (std::size_t i = 0; i < velocities.size(); ++i) velocities[i] -= (1.0 / dt) * (displacements[i] - free[i]);
}

} // namespace alder::cpu
