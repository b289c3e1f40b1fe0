// Stochastic and Brownian dynamics and velocity Verlet, against what their formulas promise.

#include "constraints/random_water.hpp"
#include "constraints/small_systems.hpp"
#include "cpu/update/motion.hpp"
#include "physics/constants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace {

using namespace alder;
using math::FractionVec;
using math::Vec3d;

physics::Box const box({6, 0, 0}, {1.0, 5.8, 0}, {-0.9, 1.1, 5.6});
constexpr double kT = physics::boltzmann * 300;

plan::DynamicsPlan dynamicsOf(plan::Integrator integrator, double dt, double tau)
{
    plan::DynamicsPlan dynamics = trial::dynamicsPlan(dt);
    dynamics.integrator = integrator;
    dynamics.seed = 77;
    dynamics.groups[0].tau = tau;
    dynamics.groups[0].reference = 300;
    return dynamics;
}

plan::StepPlan stepPlan(std::int64_t step)
{
    plan::StepPlan plan;
    plan.step = step;
    plan.energies = plan.kinetic = true;
    return plan;
}

struct Sample {
    std::vector<FractionVec> positions;
    std::vector<Vec3d> velocities;
    std::vector<math::ForceUnits> forces;
};

Sample atRest(system::Topology const& topology)
{
    auto const n = static_cast<std::size_t>(topology.atomCount);
    return {std::vector<FractionVec>(n), std::vector<Vec3d>(n), std::vector<math::ForceUnits>(n)};
}

double meanSquare(std::vector<Vec3d> const& v)
{
    double sum = 0;
    for (Vec3d const& x : v) sum += norm2(x);
    return sum / (3.0 * static_cast<double>(v.size()));
}

/// From rest the variance of velocities grows as kT/m (1 - exp(-2 t/tau)), at every step and for any step length.
TEST(StochasticDynamics, WarmsUpAsOrnsteinAndUhlenbeckSay)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 20000, 20.0);
    cpu::Motion motion(topology, dynamicsOf(plan::Integrator::sd, 0.02, 0.5), 2);
    Sample s = atRest(topology);
    engine::AdvanceSums sums;
    for (std::int64_t step = 0; step < 60; ++step) {
        motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
        double const expected = kT / 20.0 * (1 - std::exp(-2 * 0.02 * static_cast<double>(step + 1) / 0.5));
        EXPECT_NEAR(meanSquare(s.velocities) / expected, 1.0, 0.035) << step; // sqrt(2 / 60000) is 0.006
    }
}

/// A constant force gives the drift F tau / m, and the friction of a group that is not coupled is none.
TEST(StochasticDynamics, DriftsWithAForceAndLeavesUncoupledGroupsAlone)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 5000, 20.0);
    for (double const tau : {0.1, -1.0}) {
        cpu::Motion motion(topology, dynamicsOf(plan::Integrator::sd, 0.002, tau), 2);
        Sample s = atRest(topology);
        for (math::ForceUnits& f : s.forces) f = math::forceUnits({50.0, 0, 0});
        engine::AdvanceSums sums;
        int const steps = 500;
        for (std::int64_t step = 0; step < steps; ++step)
            motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
        double mean = 0;
        for (Vec3d const& v : s.velocities) mean += v.x / 5000;
        if (tau > 0)
            EXPECT_NEAR(mean, 50.0 * tau / 20.0, 6 * std::sqrt(kT / 20.0 / 5000));
        else
            EXPECT_NEAR(mean, steps * 0.002 * 50.0 / 20.0, 1e-9);
    }
}

/// Without forces friction and noise are all that changes energies: the heat is the change of the kinetic energy.
TEST(StochasticDynamics, AccountsForItsHeat)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 300, 20.0);
    cpu::Motion motion(topology, dynamicsOf(plan::Integrator::sd, 0.002, 0.1), 2);
    Sample s = atRest(topology);
    engine::AdvanceSums sums;
    double heat = 0;
    for (std::int64_t step = 0; step < 50; ++step) {
        motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
        heat += sums.heat.at(0).value();
        EXPECT_NEAR(heat, sums.motion.kinetic[0].value().trace(), 1e-4);
    }
    EXPECT_GT(heat, 100);
}

/// What steps have brought that nobody looked at is handed over, to the last unit, at the next one where somebody does.
TEST(StochasticDynamics, KeepsHeatUntilItIsAskedFor)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 300, 20.0);
    std::vector<std::int64_t> units;
    for (std::int64_t const interval : {1, 7}) {
        cpu::Motion motion(topology, dynamicsOf(plan::Integrator::sd, 0.002, 0.1), 2);
        Sample s = atRest(topology);
        engine::AdvanceSums sums;
        math::FixedSum heat;
        for (std::int64_t step = 0; step < 21; ++step) {
            plan::StepPlan plan = stepPlan(step);
            plan.kinetic = step % interval == interval - 1;
            motion.advance(s.positions, s.velocities, box, s.forces, plan, {}, sums);
            ASSERT_EQ(sums.heat.size(), plan.kinetic ? 1u : 0u) << step;
            if (plan.kinetic) heat.add(sums.heat[0]);
        }
        units.push_back(heat.units);
    }
    EXPECT_EQ(units[0], units[1]);
    EXPECT_GT(units[0], 0);
}

system::Topology waters(std::int64_t count)
{
    system::Topology topology = trial::emptyTopology();
    trial::addWaters(topology, count);
    return topology;
}

Sample placedWaters(system::Topology const& topology, cpu::Motion& motion)
{
    Sample s = atRest(topology);
    physics::WaterGeometry<double> const geometry = physics::waterGeometry(15.9994, 1.008, 0.1, 0.1633);
    for (std::size_t w = 0; 3 * w < s.positions.size(); ++w) {
        trial::RandomWater random(static_cast<std::int64_t>(w));
        Vec3d const place = random.vector(2.0);
        physics::WaterBonds<double> const bonds = random.bonds(geometry);
        Vec3d const offsets[3] = {{}, bonds.toHydrogen1, bonds.toHydrogen2};
        for (std::size_t a = 0; a < 3; ++a) {
            s.positions[3 * w + a] = box.toFraction(place + offsets[a]);
            s.velocities[3 * w + a] = random.vector(0.5);
            s.forces[3 * w + a] = math::forceUnits(random.vector(400));
        }
    }
    motion.constrainStart(s.positions, s.velocities, box);
    return s;
}

void expectRigid(Sample const& s, double tolerance)
{
    for (std::size_t o = 0; o < s.positions.size(); o += 3) {
        EXPECT_NEAR(norm(box.difference(s.positions[o + 1], s.positions[o])), 0.1, tolerance);
        EXPECT_NEAR(norm(box.difference(s.positions[o + 2], s.positions[o + 1])), 0.1633, tolerance);
    }
}

/// Rigid waters come to 300 K with six degrees of freedom each, and stay rigid; noise along bonds must not count.
TEST(StochasticDynamics, KeepsWatersRigidAtTheirTemperature)
{
    system::Topology const topology = waters(4000);
    cpu::Motion motion(topology, dynamicsOf(plan::Integrator::sd, 0.002, 0.02), 2);
    Sample s = placedWaters(topology, motion);
    s.forces.assign(s.forces.size(), {});
    engine::AdvanceSums sums;
    double mean = 0;
    for (std::int64_t step = 0; step < 100; ++step) {
        motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
        if (step >= 50) mean += sums.motion.kinetic[0].value().trace() / 50;
    }
    expectRigid(s, 1e-8);
    EXPECT_NEAR(mean / (0.5 * 6 * 4000 * kT), 1.0, 0.012); // 50 steps are 5 tau: some 1e5 values of spread 0.004
}

TEST(BrownianDynamics, DriftsAndDiffuses)
{
    double const friction = 400, dt = 0.01;
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 20000, physics::brownianMass(friction, dt)); // what stands for the mass
    cpu::Motion motion(topology, dynamicsOf(plan::Integrator::bd, dt, 1.0), 2);
    Sample s = atRest(topology);
    for (math::ForceUnits& f : s.forces) f = math::forceUnits({0, 80.0, 0});
    engine::AdvanceSums sums;
    int const steps = 20;
    std::vector<Vec3d> moved(s.positions.size());
    for (std::int64_t step = 0; step < steps; ++step) {
        std::vector<FractionVec> const before = s.positions;
        motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += box.difference(s.positions[i], before[i]);
    }
    Vec3d mean;
    for (Vec3d const& m : moved) mean += (1.0 / static_cast<double>(moved.size())) * m;
    double const time = steps * dt, width = std::sqrt(2 * kT * time / friction);
    EXPECT_NEAR(mean.y, 80.0 * time / friction, 5 * width / std::sqrt(20000.0));
    EXPECT_NEAR(mean.x, 0.0, 5 * width / std::sqrt(20000.0));
    double spread = 0;
    for (Vec3d const& m : moved) spread += m.x * m.x / 20000;
    EXPECT_NEAR(spread / (width * width), 1.0, 0.05);
    EXPECT_NEAR(sums.motion.kinetic[0].value().trace() / (1.5 * 20000 * kT), 1.0, 0.05);
}

TEST(Integrators, GiveTheSameBitsOnAnyNumberOfThreads)
{
    system::Topology topology = waters(50);
    trial::addFreeAtoms(topology, 30, 12.0);
    for (plan::Integrator const integrator : {plan::Integrator::sd, plan::Integrator::bd, plan::Integrator::mdVv}) {
        std::vector<Sample> results;
        std::vector<std::int64_t> virials;
        for (int const threads : {1, 2, 3}) {
            cpu::Motion motion(topology, dynamicsOf(integrator, 0.002, 0.1), threads);
            Sample s = atRest(topology);
            physics::WaterGeometry<double> const geometry = physics::waterGeometry(15.9994, 1.008, 0.1, 0.1633);
            for (std::size_t i = 0; i < s.positions.size(); i += i < 150 ? 3 : 1) {
                trial::RandomWater random(static_cast<std::int64_t>(i));
                Vec3d const place = random.vector(2.0);
                physics::WaterBonds<double> const bonds = random.bonds(geometry);
                s.positions[i] = box.toFraction(place);
                if (i >= 150) continue;
                s.positions[i + 1] = box.toFraction(place + bonds.toHydrogen1);
                s.positions[i + 2] = box.toFraction(place + bonds.toHydrogen2);
            }
            engine::AdvanceSums sums;
            for (std::int64_t step = 0; step < 8; ++step) {
                for (std::size_t i = 0; i < s.forces.size(); ++i)
                    s.forces[i] = math::forceUnits(trial::RandomWater(step * 1000 + static_cast<std::int64_t>(i)).vector(300));
                if (integrator == plan::Integrator::mdVv)
                    motion.arrive({s.positions, s.velocities, box, s.forces, step == 0}, stepPlan(step), sums);
                motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
            }
            results.push_back(s);
            virials.push_back(sums.constraintVirial.xy.units);
        }
        for (std::size_t k = 1; k < results.size(); ++k) {
            EXPECT_EQ(virials[0], virials[k]);
            EXPECT_EQ(0, std::memcmp(results[0].positions.data(), results[k].positions.data(),
                                     results[0].positions.size() * sizeof(FractionVec)));
            EXPECT_EQ(
                0, std::memcmp(results[0].velocities.data(), results[k].velocities.data(), results[0].velocities.size() * sizeof(Vec3d)));
        }
    }
}

/// Whole-step velocities are orthogonal to bonds, positions rigid, and the first step's virial is that of the later ones' kind: with the
/// same forces and atoms at rest it is exact, since nothing turns yet.
TEST(VelocityVerlet, KeepsConstraintsAndKnowsTheirVirial)
{
    system::Topology const topology = waters(20);
    cpu::Motion motion(topology, dynamicsOf(plan::Integrator::mdVv, 0.0002, -1), 1);
    Sample s = placedWaters(topology, motion);
    s.velocities.assign(s.velocities.size(), {});
    engine::AdvanceSums sums;
    motion.arrive({s.positions, s.velocities, box, s.forces, true}, stepPlan(0), sums);
    // constraint forces by least squares from accelerations: F_c = m (a_projected - a)
    std::vector<Vec3d> velocities(s.velocities.size());
    std::vector<double> const mass{15.9994, 1.008, 1.008};
    for (std::size_t i = 0; i < velocities.size(); ++i) velocities[i] = (1e-3 / mass[i % 3]) * math::forceValue(s.forces[i]);
    std::vector<Vec3d> projected = velocities;
    static_cast<void>(motion.constraintSolver().projectVelocities({s.positions, box}, projected, 1.0));
    math::Mat3d virial{};
    for (std::size_t o = 0; o < velocities.size(); o += 3)
        for (std::size_t h : {o + 1, o + 2})
            virial =
                virial + (-0.5 * mass[1] * 1e3) * math::outer(box.difference(s.positions[h], s.positions[o]), projected[h] - velocities[h]);
    EXPECT_NEAR(sums.constraintVirial.value().x.x, virial.x.x, 1e-3 * std::fabs(virial.x.x));
    EXPECT_NEAR(sums.constraintVirial.value().y.z, virial.y.z, 1e-3 * std::fabs(virial.x.x));
    EXPECT_GT(std::fabs(virial.x.x), 1.0);
    for (Vec3d const& v : s.velocities) EXPECT_EQ(norm2(v), 0.0) << "the probing kick is not kept";

    for (std::int64_t step = 0; step < 20; ++step) {
        motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
        motion.arrive({s.positions, s.velocities, box, s.forces, false}, stepPlan(step + 1), sums);
        expectRigid(s, 1e-8);
        for (std::size_t o = 0; o < s.positions.size(); o += 3) {
            Vec3d const bond = box.difference(s.positions[o + 1], s.positions[o]);
            EXPECT_NEAR(dot(bond, s.velocities[o + 1] - s.velocities[o]), 0.0, 1e-10);
        }
    }
}

/// Waters that turn freely: the virial of what keeps their hydrogens is minus their kinetic energy of turning, in the first step as in the
/// later ones.
TEST(VelocityVerlet, HoldsTurningWatersInTheFirstStepToo)
{
    system::Topology const topology = waters(200);
    cpu::Motion motion(topology, dynamicsOf(plan::Integrator::mdVv, 0.0005, -1), 1);
    Sample s = placedWaters(topology, motion);
    s.forces.assign(s.forces.size(), {});
    engine::AdvanceSums sums;
    std::vector<double> virials, kinetic;
    for (std::int64_t step = 0; step < 4; ++step) {
        motion.arrive({s.positions, s.velocities, box, s.forces, step == 0}, stepPlan(step), sums);
        double turning = 0;
        for (std::size_t o = 0; o < s.velocities.size(); o += 3) {
            double const mass = 15.9994 + 2 * 1.008;
            Vec3d const whole = (1 / mass) * (15.9994 * s.velocities[o] + 1.008 * (s.velocities[o + 1] + s.velocities[o + 2]));
            turning -= 0.5 * mass * norm2(whole);
        }
        kinetic.push_back(sums.motion.kinetic[0].value().trace() + turning);
        virials.push_back(sums.constraintVirial.value().trace());
        motion.advance(s.positions, s.velocities, box, s.forces, stepPlan(step), {}, sums);
    }
    // sum r F = -sum m omega^2 r^2 = -2 K, and the virial is -1/2 of it
    for (std::size_t k = 0; k < virials.size(); ++k) EXPECT_NEAR(virials[k] / kinetic[k], 1.0, 0.01) << k;
}

/// The same positions as leap-frog from v(-dt/2), and a whole-step velocity between its halves.
TEST(VelocityVerlet, FollowsLeapFrog)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 3, 2.0);
    double const dt = 0.01, stiffness = 800;
    cpu::Motion verlet(topology, dynamicsOf(plan::Integrator::mdVv, dt, -1), 1),
        leap(topology, dynamicsOf(plan::Integrator::md, dt, -1), 1);
    Vec3d const origin = box.toPosition({});
    auto const forcesAt = [&](Sample& s) {
        for (std::size_t i = 0; i < 3; ++i)
            s.forces[i] = math::forceUnits(-stiffness * box.difference(s.positions[i], box.toFraction(origin)));
    };
    Sample a = atRest(topology);
    for (std::size_t i = 0; i < 3; ++i) {
        a.positions[i] = box.toFraction({0.1 * static_cast<double>(i + 1), 0.05, -0.1});
        a.velocities[i] = {0.3, -0.2, 0.1 * static_cast<double>(i)};
    }
    Sample b = a;
    forcesAt(b);
    for (std::size_t i = 0; i < 3; ++i) b.velocities[i] -= (0.5 * dt / 2.0) * math::forceValue(b.forces[i]);
    engine::AdvanceSums sums;
    double lowest = 1e9, highest = 0;
    for (std::int64_t step = 0; step < 100; ++step) {
        forcesAt(a);
        verlet.arrive({a.positions, a.velocities, box, a.forces, step == 0}, stepPlan(step), sums);
        double energy = sums.motion.kinetic[0].value().trace();
        for (FractionVec const f : a.positions) energy += 0.5 * stiffness * norm2(box.difference(f, box.toFraction(origin)));
        lowest = std::min(lowest, energy);
        highest = std::max(highest, energy);
        verlet.advance(a.positions, a.velocities, box, a.forces, stepPlan(step), {}, sums);
        forcesAt(b);
        leap.advance(b.positions, b.velocities, box, b.forces, stepPlan(step), {}, sums);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_LT(norm(box.difference(a.positions[i], b.positions[i])), 1e-7);
            EXPECT_LT(norm(a.velocities[i] - b.velocities[i]), 1e-6);
        }
    }
    EXPECT_LT((highest - lowest) / highest, 0.02); // (omega dt)^2 / 4 is 0.01
    EXPECT_GT(highest, 1.0);
}

} // namespace
