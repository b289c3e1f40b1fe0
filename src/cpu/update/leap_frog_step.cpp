#include "cpu/update/leap_frog_step.hpp"

#include "constraints/free_atoms.hpp"
#include "cpu/update/water_atoms.hpp"

#include <algorithm>

namespace alder::cpu {

using constraints::ConstraintFit;
using constraints::ConstraintGroup;
using constraints::ConstraintShape;
using constraints::GroupWork;
using math::Vec3d;

LeapFrogStep::LeapFrogStep(system::Topology const& topology, ConstraintSolver const& solver, std::vector<double> const& inverseMass,
                           double dt)
    : topology_(topology),
      solver_(solver),
      inverseMass_(inverseMass),
      dt_(dt),
      freeAtoms_(constraints::freeAtoms(topology, solver.waters(), solver.groups()))
{}

void LeapFrogStep::run(LeapFrogPass const& pass, LeapFrogTally& tally, ThreadShare const& share, GroupWork& work) const
{
    stepGroups(pass, tally, share.groups, work);
    stepFree(pass, tally, share.freeAtoms);
    stepWaters(pass, tally, share.waterBlocks);
}

/// The half-step velocity that the force alone makes.
Vec3d LeapFrogStep::kickedVelocity(LeapFrogPass const& pass, std::size_t atom) const
{
    auto const group = static_cast<std::size_t>(topology_.temperatureGroups.of(static_cast<std::int64_t>(atom)));
    double const factor = pass.kick[group] * physics::kickFactor(dt_, inverseMass_[atom]), lambda = pass.lambda[group];
    math::ForceUnits const f = pass.forces[atom];
    Vec3d const v = pass.velocities[atom];
    return {physics::kicked(v.x, lambda, physics::forceNumber(f.x), factor),
            physics::kicked(v.y, lambda, physics::forceNumber(f.y), factor),
            physics::kicked(v.z, lambda, physics::forceNumber(f.z), factor)};
}

void LeapFrogStep::stepFree(LeapFrogPass const& pass, LeapFrogTally& tally, ItemRange range) const
{
    for (std::int64_t k = range.begin; k < range.end; ++k) {
        std::int32_t const atom = freeAtoms_[static_cast<std::size_t>(k)];
        auto const i = static_cast<std::size_t>(atom);
        math::ForceUnits const f = pass.forces[i];
        Vec3d const v = kickedVelocity(pass, i);
        Vec3d const moved = v * dt_;
        if (physics::forceIsSuspect(physics::forceBits(f)) || !(norm2(moved) <= pass.squareLimit))
            tally.blame.take({atom, f, norm(moved), {}});
        pass.velocities[i] = v;
        pass.positions[i] = wrappingSum(pass.positions[i], pass.fractions.of(moved));
    }
}

void LeapFrogStep::stepGroups(LeapFrogPass const& pass, LeapFrogTally& tally, ItemRange range, GroupWork& work) const
{
    constraints::ConstraintSet const& set = solver_.groups();
    for (std::int64_t g = range.begin; g < range.end; ++g) {
        ConstraintGroup const group = set.groups()[static_cast<std::size_t>(g)];
        ConstraintShape const& shape = set.shapeOf(group);
        for (std::size_t k = 0; k < shape.atoms.size(); ++k) {
            work.velocity[k] = kickedVelocity(pass, constraints::atomOf(shape, group, k));
            work.displacement[k] = work.velocity[k] * dt_;
        }
        gatherBonds(shape, group, {pass.positions, pass.box}, work);
        ConstraintFit const fit = solver_.distances().solve(shape, work, constraints::stepTolerance);
        Blame const blame = storeGroup(pass, group, work);
        // a bad force spoils the whole group, so it is named first
        bool const byForce = blame.found() && physics::forceIsSuspect(physics::forceBits(blame.force));
        tally.blame.take(byForce || fit.good ? blame : solver_.blameOf(group, fit));
        if (pass.virial) tally.constraintVirial.add(groupVirial(shape, work, 1.0 / dt_));
    }
}

/// Commits a solved group; what is wrong with its atoms, if anything.
Blame LeapFrogStep::storeGroup(LeapFrogPass const& pass, ConstraintGroup group, GroupWork const& work) const
{
    ConstraintShape const& shape = solver_.groups().shapeOf(group);
    double const inverseDt = 1.0 / dt_;
    Blame byForce, byDisplacement;
    for (std::size_t k = 0; k < shape.atoms.size(); ++k) {
        std::size_t const i = constraints::atomOf(shape, group, k);
        Vec3d const free = work.velocity[k] * dt_, moved = work.displacement[k];
        pass.velocities[i] = work.velocity[k] + inverseDt * (moved - free);
        pass.positions[i] = wrappingSum(pass.positions[i], pass.fractions.of(moved));
        Blame const here{static_cast<std::int64_t>(i), pass.forces[i], norm(moved), {}};
        if (physics::forceIsSuspect(physics::forceBits(here.force))) byForce.take(here);
        if (!(norm2(moved) <= pass.squareLimit)) byDisplacement.take(here);
    }
    return byForce.found() ? byForce : byDisplacement;
}

void LeapFrogStep::loadWater(LeapFrogPass const& pass, constraints::WaterAtoms const& water, WaterLanes& lanes, std::size_t lane) const
{
    loadBonds(lanes, lane, water, pass.positions);
    for (std::size_t a = 0; a < 3; ++a) {
        std::size_t const i = atomOf(water, a);
        auto const group = static_cast<std::size_t>(topology_.temperatureGroups.of(static_cast<std::int64_t>(i)));
        lanes.lambda[a][lane] = pass.lambda[group];
        lanes.kick[a][lane] = pass.kick[group];
        putLane(lanes.velocity[a], lane, pass.velocities[i]);
        putLane(lanes.force[a], lane, pass.forces[i]);
    }
}

namespace {

void storeWater(LeapFrogPass const& pass, constraints::WaterAtoms const& water, WaterLanes const& lanes, std::size_t lane)
{
    for (std::size_t a = 0; a < 3; ++a) {
        std::size_t const i = atomOf(water, a);
        pass.velocities[i] = getLane(lanes.velocity[a], lane);
        pass.positions[i] = wrappingSum(pass.positions[i], getLane(lanes.step[a], lane));
    }
}

Blame blameOf(LeapFrogPass const& pass, constraints::WaterAtoms const& water, WaterLanes const& lanes, std::size_t lane)
{
    // a bad force spoils all three displacements, so it is looked for first
    Blame byForce, byDisplacement;
    for (std::size_t a = 0; a < 3; ++a) {
        math::ForceUnits const force = getLane(lanes.force[a], lane);
        Vec3d const moved = getLane(lanes.displacement[a], lane);
        Blame const here{static_cast<std::int64_t>(atomOf(water, a)), force, norm(moved), {}};
        if (physics::forceIsSuspect(physics::forceBits(force))) byForce.take(here);
        if (!(norm2(moved) <= pass.squareLimit)) byDisplacement.take(here);
    }
    return byForce.found() ? byForce : byDisplacement;
}

} // namespace

void LeapFrogStep::stepWaters(LeapFrogPass const& pass, LeapFrogTally& tally, std::vector<ItemRange> const& blocks) const
{
    static StepWaters const stepLanes = stepWatersVersions().back();
    WaterLanes lanes{};
    for (std::size_t g = 0; g < solver_.waters().groups().size(); ++g) {
        constraints::SettleGroup const& group = solver_.waters().groups()[g];
        WaterStep const step{group.geometry,
                             pass.box,
                             pass.fractions,
                             dt_,
                             1.0 / dt_,
                             physics::kickFactor(dt_, 1.0 / group.geometry.oxygenMass),
                             physics::kickFactor(dt_, 1.0 / group.geometry.hydrogenMass)};
        forEachBlock(group.waters, blocks[g].begin, blocks[g].end, [&](constraints::WaterAtoms const* waters, std::size_t used) {
            for (std::size_t l = 0; l < waterLanes; ++l) loadWater(pass, waters[std::min(l, used - 1)], lanes, l); // the last fills up
            stepLanes(lanes, step);
            for (std::size_t l = 0; l < used; ++l) {
                storeWater(pass, waters[l], lanes, l);
                if (physics::forceIsSuspect(lanes.forceBits[l]) || !(lanes.largestSquare[l] <= pass.squareLimit))
                    tally.blame.take(blameOf(pass, waters[l], lanes, l));
                if (pass.virial)
                    tally.constraintVirial.add(physics::settleVirial(
                        group.geometry, {getLane(lanes.before[0], l), getLane(lanes.before[1], l)},
                        {getLane(lanes.shift[oxygen], l), getLane(lanes.shift[hydrogen1], l), getLane(lanes.shift[hydrogen2], l)}, dt_));
            }
        });
    }
}

} // namespace alder::cpu
