#include "cpu/update/stochastic_step.hpp"

#include "math/variates.hpp"
#include "physics/leap_frog.hpp"

#include <cmath>

namespace alder::cpu {

using math::Vec3d;

StochasticStep::StochasticStep(system::Topology const& topology, ConstraintSolver& solver, std::vector<double> const& inverseMass,
                               plan::DynamicsPlan const& dynamics, int threads)
    : topology_(topology),
      solver_(solver),
      inverseMass_(inverseMass),
      dynamics_(dynamics),
      threads_(threads),
      brownian_(dynamics.integrator == plan::Integrator::bd),
      noise_(dynamics.groups.size()),
      heat_(dynamics.groups.size())
{
    inverseRootMass_.reserve(inverseMass.size());
    for (double const inverse : inverseMass) inverseRootMass_.push_back(std::sqrt(inverse));
    displacement_.resize(inverseMass.size());
    if (!brownian_) undisturbed_.resize(inverseMass.size());
}

Blame StochasticStep::run(LeapFrogPass const& pass, plan::StepPlan const& plan, engine::AdvanceSums& out)
{
    out.heat.clear();
    out.constraintVirial = {};
    noise_ = couple::groupNoise(dynamics_, plan.step);
    Blame blame = kick(pass, plan.step);
    if (blame.found()) return blame;
    if (!solver_.empty()) {
        ConstraintSums const sums = solver_.solve({pass.positions, pass.box}, displacement_, dynamics_.dt);
        blame.take(sums.blame);
        // A Brownian displacement is F dt / gamma = F dt^2 / (2 m) with the mass that stands for gamma: half of what leap-frog makes of F.
        out.constraintVirial.add(sums.virial);
        if (brownian_) out.constraintVirial.add(sums.virial);
    }
    if (blame.found() || brownian_) {
        blame.take(commit(pass, dynamics_.dt));
    } else {
        takeConstraintsIntoVelocities(pass);
        addImpulses(pass, plan.step);
        // what the noise puts along bonds is taken out of the half step that it acts through
        if (!solver_.empty()) blame.take(solver_.solve({pass.positions, pass.box}, displacement_, dynamics_.dt).blame);
        blame.take(commit(pass, 0.5 * dynamics_.dt));
    }
    if (plan.kinetic) {
        out.heat = heat_;
        heat_.assign(heat_.size(), {});
    }
    return blame;
}

/// Velocities by force (and in Brownian dynamics noise) alone, and the displacements they make.
Blame StochasticStep::kick(LeapFrogPass const& pass, std::int64_t step)
{
    std::vector<Blame> blames(static_cast<std::size_t>(threads_));
    auto const count = static_cast<std::int64_t>(inverseMass_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread)
        for (std::int64_t atom = count * thread / threads_; atom < count * (thread + 1) / threads_; ++atom) {
            auto const i = static_cast<std::size_t>(atom);
            math::ForceUnits const f = pass.forces[i];
            Vec3d const force{physics::forceNumber(f.x), physics::forceNumber(f.y), physics::forceNumber(f.z)};
            // half of dt / m where the mass is gamma dt / 2: F / gamma
            double const factor = (brownian_ ? 0.5 : 1.0) * physics::kickFactor(dynamics_.dt, inverseMass_[i]);
            Vec3d v = factor * force;
            if (brownian_) {
                double const width = noise_[groupOf(i)].brownianWidth * inverseRootMass_[i];
                math::Variates normals(dynamics_.seed, math::RandomPurpose::brownian, step, topology_.numberOf(atom));
                double const x = normals.normal(), y = normals.normal(), z = normals.normal();
                v += width * Vec3d{x, y, z};
            } else {
                v += pass.velocities[i];
            }
            pass.velocities[i] = v;
            displacement_[i] = dynamics_.dt * v;
            if (physics::forceIsSuspect(physics::forceBits(f)) || !(norm2(displacement_[i]) <= pass.squareLimit))
                blames[static_cast<std::size_t>(thread)].take({atom, f, norm(displacement_[i]), {}});
        }
    Blame first;
    for (Blame const& blame : blames) first.take(blame);
    return first;
}

void StochasticStep::takeConstraintsIntoVelocities(LeapFrogPass const& pass)
{
    double const inverseDt = 1.0 / dynamics_.dt;
    auto const count = static_cast<std::int64_t>(displacement_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t atom = 0; atom < count; ++atom) {
        auto const i = static_cast<std::size_t>(atom);
        Vec3d const v = pass.velocities[i];
        pass.velocities[i] = v + inverseDt * (displacement_[i] - dynamics_.dt * v);
    }
}

/// Friction and noise on velocities, and through half a step on displacements.
void StochasticStep::addImpulses(LeapFrogPass const& pass, std::int64_t step)
{
    auto const count = static_cast<std::int64_t>(displacement_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t atom = 0; atom < count; ++atom) {
        auto const i = static_cast<std::size_t>(atom);
        physics::LangevinCoupling const coupling = noise_[groupOf(i)].langevin;
        Vec3d const v = pass.velocities[i];
        undisturbed_[i] = v;
        math::Variates normals(dynamics_.seed, math::RandomPurpose::langevin, step, topology_.numberOf(atom));
        double const x = normals.normal(), y = normals.normal(), z = normals.normal();
        Vec3d const impulse{physics::langevinImpulse(coupling, inverseRootMass_[i], v.x, x),
                            physics::langevinImpulse(coupling, inverseRootMass_[i], v.y, y),
                            physics::langevinImpulse(coupling, inverseRootMass_[i], v.z, z)};
        Vec3d const after = v + impulse;
        pass.velocities[i] = after;
        displacement_[i] = physics::langevinDisplacement(dynamics_.dt, v, after);
    }
}

/// Moves atoms by the solved displacements. What constraints added to them is put into velocities over `velocityPart`, the time through
/// which it acted, and the heat that friction and noise brought is summed.
Blame StochasticStep::commit(LeapFrogPass const& pass, double velocityPart)
{
    struct alignas(128) Part {
        Blame blame;
        std::vector<math::FixedSum> heat;
    };
    std::vector<Part> parts(static_cast<std::size_t>(threads_));
    auto const count = static_cast<std::int64_t>(displacement_.size());
    double const dt = dynamics_.dt;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
        Part& part = parts[static_cast<std::size_t>(thread)];
        part.heat.resize(noise_.size());
        for (std::int64_t atom = count * thread / threads_; atom < count * (thread + 1) / threads_; ++atom) {
            auto const i = static_cast<std::size_t>(atom);
            Vec3d const moved = displacement_[i];
            Vec3d v = pass.velocities[i];
            if (!solver_.empty()) {
                Vec3d const free = brownian_ ? dt * v : physics::langevinDisplacement(dt, undisturbed_[i], v);
                v += (1.0 / velocityPart) * (moved - free);
            }
            pass.velocities[i] = v;
            pass.positions[i] = wrappingSum(pass.positions[i], pass.fractions.of(moved));
            if (!brownian_ && inverseMass_[i] > 0) part.heat[groupOf(i)].add(physics::langevinHeat(inverseMass_[i], undisturbed_[i], v));
            if (!(norm2(moved) <= pass.squareLimit)) part.blame.take({atom, pass.forces[i], norm(moved), {}});
        }
    }
    Blame blame;
    for (Part const& part : parts) {
        blame.take(part.blame);
        for (std::size_t g = 0; g < noise_.size(); ++g) heat_[g].add(part.heat[g]);
    }
    return blame;
}

} // namespace alder::cpu
