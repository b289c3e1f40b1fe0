#include "cpu/update/motion.hpp"

#include "base/error.hpp"
#include "couple/andersen.hpp"
#include "engine/group_factors.hpp"
#include "engine/rank_sums.hpp"
#include "physics/leap_frog.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace alder::cpu {

using math::Vec3d;

Motion::Motion(system::Topology const& topology, plan::DynamicsPlan const& dynamics, int threads, domain::Communicator* ranks)
    : topology_(topology),
      dynamics_(dynamics),
      ranks_(ranks),
      threads_(std::max(1, threads)),
      mass_(static_cast<std::size_t>(topology.atomCount)),
      inverse_(static_cast<std::size_t>(topology.atomCount)),
      groupCount_(std::max<std::size_t>(1, dynamics.groups.size())),
      solver_(topology, dynamics.constraints, threads_),
      step_(topology, solver_, inverse_, dynamics.dt),
      shares_(shareOut({solver_.groups(), solver_.waters(), step_.freeAtomCount()}, threads_))
{
    if (topology.atomCount > std::numeric_limits<std::int32_t>::max())
        throw base::RunFailed("more atoms than one process can hold: split the run over more ranks");
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        mass_[static_cast<std::size_t>(i)] = atom.mass;
        inverse_[static_cast<std::size_t>(i)] = atom.mass > 0 ? 1.0 / atom.mass : 0.0;
        totalMass_ += atom.mass;
    });
    if (topology.part.whole != nullptr) totalMass_ = topology.part.wholeMass;
    if (dynamics.integrator == plan::Integrator::sd || dynamics.integrator == plan::Integrator::bd)
        stochastic_ = std::make_unique<StochasticStep>(topology, solver_, inverse_, dynamics_, threads_);
}

void Motion::goOnFrom(Motion const& before)
{
    if (stochastic_) stochastic_->goOnFrom(*before.stochastic_);
}

void Motion::advance(std::vector<math::FractionVec>& positions, std::vector<Vec3d>& velocities, physics::Box const& box,
                     std::vector<math::ForceUnits> const& forces, plan::StepPlan const& plan, engine::Scaling const& scaling,
                     engine::AdvanceSums& out)
{
    engine::GroupFactors factors = engine::groupFactors(scaling, dynamics_);
    LeapFrogPass pass{positions, velocities,   forces, box, physics::FractionSteps(box), std::move(factors.lambda), std::move(factors.kick),
                      0,         plan.virial()};
    double const limit = physics::largestDisplacement(box);
    pass.squareLimit = limit * limit;

    if (dynamics_.thermostat == plan::Thermostat::andersen || dynamics_.thermostat == plan::Thermostat::andersenMassive)
        drawAnew(positions, box, plan.step, velocities);

    Blame const blame = stochastic_ ? stochastic_->run(pass, plan, out) : advanceAll(pass, out);
    if (blame.found()) failStep(topology_, plan.step, blame);
    // before the kinetic energies, so that they are those of the velocities a checkpoint holds
    if (plan.removeComm) removeDrift(velocities);
    if (plan.kinetic) out.motion = motion(velocities);
}

Blame Motion::advanceAll(LeapFrogPass const& pass, engine::AdvanceSums& out)
{
    std::vector<LeapFrogTally> tallies(static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
        auto const t = static_cast<std::size_t>(thread);
        step_.run(pass, tallies[t], shares_[t], solver_.work(thread));
    }
    Blame blame;
    out.constraintVirial = {};
    for (LeapFrogTally const& tally : tallies) {
        blame.take(tally.blame);
        out.constraintVirial.add(tally.constraintVirial);
    }
    return blame;
}

void Motion::kick(std::vector<Vec3d>& velocities, std::vector<math::ForceUnits> const& forces, double time) const
{
    auto const count = static_cast<std::int64_t>(velocities.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t atom = 0; atom < count; ++atom) {
        auto const i = static_cast<std::size_t>(atom);
        double const factor = physics::kickFactor(time, inverse_[i]);
        math::ForceUnits const f = forces[i];
        velocities[i] += factor * Vec3d{physics::forceNumber(f.x), physics::forceNumber(f.y), physics::forceNumber(f.z)};
    }
}

math::FixedTensor Motion::constraintVirial(constraints::Placed const& at, std::vector<Vec3d> velocities,
                                           std::vector<math::ForceUnits> const& forces)
{
    if (solver_.empty()) return {};
    kick(velocities, forces, dynamics_.dt);
    for (Vec3d& v : velocities) v = dynamics_.dt * v;
    return solver_.solve(at, velocities, dynamics_.dt).virial;
}

void Motion::arrive(Arrival const& at, plan::StepPlan const& plan, engine::AdvanceSums& out)
{
    constraints::Placed const placed{at.positions, at.box};
    double const half = 0.5 * dynamics_.dt;
    out.constraintVirial = {};
    if (at.first) {
        if (!solver_.empty()) {
            static_cast<void>(solver_.projectVelocities(placed, at.velocities, half));
            // What constraints do here, molecules kept from flying apart as they turn among it, is seen by a step that is not kept: it
            // shifts atoms by F dt^2 / (2 m), half of what solve() takes a force to do.
            std::vector<Vec3d> moved = at.velocities;
            kick(moved, at.forces, half);
            for (Vec3d& v : moved) v = dynamics_.dt * v;
            math::FixedTensor const virial = solver_.solve(placed, moved, dynamics_.dt).virial;
            out.constraintVirial.add(virial);
            out.constraintVirial.add(virial);
        }
    } else {
        kick(at.velocities, at.forces, half);
        if (!solver_.empty()) out.constraintVirial = solver_.projectVelocities(placed, at.velocities, half);
    }
    if (plan.kinetic) out.motion = motion(at.velocities);
}

/// Andersen's collisions, between the whole step and the next half kick. Where one strikes atoms that constraints hold together, what it
/// puts along the constraints is taken out.
void Motion::drawAnew(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::int64_t step,
                      std::vector<Vec3d>& velocities)
{
    std::vector<couple::Collisions> const collisions = couple::collisionsOf(dynamics_, step);
    couple::CollisionDraws const draws{dynamics_.seed, step};
    auto const count = static_cast<std::int64_t>(velocities.size());
    std::vector<std::uint8_t> struck(velocities.size());
    bool any = false;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(|| : any)
    for (std::int64_t atom = 0; atom < count; ++atom) {
        auto const i = static_cast<std::size_t>(atom);
        couple::Collisions const& with = collisions[static_cast<std::size_t>(topology_.temperatureGroups.of(atom))];
        if (!couple::collide(with, draws, topology_.numberOf(atom), mass_[i], velocities[i])) continue;
        struck[i] = 1;
        any = true;
    }
    if (any && !solver_.empty()) static_cast<void>(solver_.projectVelocities({positions, box}, velocities, dynamics_.dt, &struck));
}

void Motion::removeDrift(std::vector<Vec3d>& velocities) const
{
    if (!(totalMass_ > 0)) return;
    system::MotionSums sums = motion(velocities);
    engine::RankSums over;
    over.take(sums);
    over.sumOver(ranks_);
    Vec3d const drift = (1.0 / totalMass_) * Vec3d{sums.momentumX.value(), sums.momentumY.value(), sums.momentumZ.value()};
    auto const count = static_cast<std::int64_t>(velocities.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < count; ++i)
        if (mass_[static_cast<std::size_t>(i)] > 0) velocities[static_cast<std::size_t>(i)] -= drift;
}

system::MotionSums Motion::motion(std::vector<Vec3d> const& velocities) const
{
    std::vector<system::MotionSums> parts(static_cast<std::size_t>(threads_));
    for (system::MotionSums& part : parts) part.kinetic.resize(groupCount_);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
        system::MotionSums part;
        part.kinetic.resize(groupCount_);
        auto const count = static_cast<std::int64_t>(velocities.size());
        for (std::int64_t i = count * thread / threads_; i < count * (thread + 1) / threads_; ++i) {
            double const mass = mass_[static_cast<std::size_t>(i)];
            Vec3d const v = velocities[static_cast<std::size_t>(i)];
            part.kinetic[static_cast<std::size_t>(topology_.temperatureGroups.of(i))].add(physics::kineticTensor(mass, v));
            part.momentumX.add(mass * v.x);
            part.momentumY.add(mass * v.y);
            part.momentumZ.add(mass * v.z);
        }
        parts[static_cast<std::size_t>(thread)] = std::move(part);
    }
    system::MotionSums all;
    all.kinetic.resize(groupCount_);
    for (system::MotionSums const& part : parts) {
        for (std::size_t g = 0; g < groupCount_; ++g) all.kinetic[g].add(part.kinetic[g]);
        all.momentumX.add(part.momentumX);
        all.momentumY.add(part.momentumY);
        all.momentumZ.add(part.momentumZ);
    }
    return all;
}

void Motion::constrainStart(std::vector<math::FractionVec>& positions, std::vector<Vec3d>& velocities, physics::Box const& box)
{
    solver_.constrainPositions(positions, box);
    if (velocities.empty() || !(dynamics_.dt > 0)) return;
    if (dynamics_.integrator == plan::Integrator::mdVv)
        static_cast<void>(solver_.projectVelocities({positions, box}, velocities, dynamics_.dt));
    else
        solver_.constrainVelocities({positions, box}, dynamics_.dt, velocities);
}

} // namespace alder::cpu
