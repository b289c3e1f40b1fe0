// Leap-frog steps by the kernels, against those of the CPU, which are tested against their formulas in tests/constraints.

#include "gpu_update/twins.hpp"

#include "simt/control.hpp"

#include <gmock/gmock.h>

namespace {

using namespace alder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using trial::failure;
using trial::Twins;

physics::Box const cube({3, 0, 0}, {0, 3, 0}, {0, 0, 3});
physics::Box const skewed({3, 0, 0}, {1.0, 2.8, 0}, {-0.9, 1.1, 2.6});

/// Waters, free atoms and (a type of their own) sites without mass; more than one block of each, and no multiple of a warp.
system::Topology mixture()
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 150, 39.948);
    trial::addWaters(topology, 141);
    trial::addFreeAtoms(topology, 7, 0);
    trial::addFreeAtoms(topology, 33, 4.0);
    return topology;
}

void divide(system::Topology& topology, std::vector<std::string> names)
{
    topology.temperatureGroups.names = std::move(names);
    auto const groups = static_cast<std::int64_t>(topology.temperatureGroups.names.size());
    for (std::int64_t i = 0; i < topology.atomCount; ++i)
        topology.temperatureGroups.groupOf.push_back(static_cast<std::uint8_t>(i < 100 ? i % groups : (i / 97) % groups));
}

plan::StepPlan planOf(std::int64_t step)
{
    plan::StepPlan plan;
    plan.step = step;
    plan.kinetic = step % 2 == 0;
    plan.energies = step % 4 == 0;
    plan.removeComm = step % 3 == 0;
    return plan;
}

TEST(GpuMotion, MovesWatersAndFreeAtomsAsTheCpuDoesToTheLastBit)
{
    system::Topology const topology = mixture();
    for (physics::Box const& box : {cube, skewed})
        for (std::uint64_t const seed : {0, 1, 2}) {
            simt::setSeed(seed);
            Twins twins(topology, trial::dynamicsPlan(0.002), box);
            twins.constrainStart();
            for (std::int64_t step = 0; step < 7; ++step) twins.advance(planOf(step));
            twins.expectSame("after seven steps");
            EXPECT_NE(twins.gpuSums.constraintVirial.xx.units, 0);
        }
    simt::setSeed(0);
}

TEST(GpuMotion, KnowsTemperatureGroupsTheirFactorsAndDrags)
{
    system::Topology topology = mixture();
    divide(topology, {"A", "B", "C"});
    Twins twins(topology, trial::dynamicsPlan(0.002, 3), skewed);
    twins.constrainStart();
    for (std::int64_t step = 0; step < 9; ++step) {
        engine::Scaling scaling;
        if (step % 3 == 1) scaling.velocity = {0.97, 1.02, 1.0};
        if (step % 3 == 2) scaling.drag = {0.01, -0.02, 0.003};
        twins.advance(planOf(step), scaling);
    }
    twins.expectSame("after nine steps");
    EXPECT_TRUE(trial::sameUnits(twins.gpu().motion(twins.device().velocities.constView()), twins.cpu().motion(twins.host().velocities)));
}

TEST(GpuMotion, DoesNotWaitInAPlainStep)
{
    system::Topology const topology = mixture();
    Twins twins(topology, trial::dynamicsPlan(0.002), cube);
    twins.constrainStart();
    plan::StepPlan plan = planOf(2);
    plan.kinetic = false;
    twins.gpu().advance(twins.device().moving(), cube, plan, {}, twins.gpuSums);
    twins.stream().synchronize();
    simt::resetCounts();
    plan.step = 3;
    plan.removeComm = true;
    twins.gpu().advance(twins.device().moving(), cube, plan, {}, twins.gpuSums);
    EXPECT_EQ(simt::counts().synchronizations, 0);
    EXPECT_EQ(simt::counts().bytesToHost, 0);
    twins.stream().synchronize();
    EXPECT_EQ(simt::counts().launchesOf("leapFrog"), 2);
    EXPECT_EQ(simt::counts().launchesOf("sumMotionOf"), 1);
    EXPECT_EQ(simt::counts().launchesOf("subtractDrift"), 1);
}

/// Two atoms go wrong in one step, others in a later one: the first in order is named, whatever the order of blocks, in the CPU's words.
TEST(GpuMotion, NamesTheFirstAtomThatGoesWrongAndStopsThere)
{
    system::Topology const topology = mixture();
    struct Case {
        std::size_t atom;
        math::ForceUnits force;
    };
    std::vector<std::vector<Case>> const cases{{{300, math::forceUnits({0, 4e7, 0})}, {420, math::forceUnits({1e6, 0, 0})}},
                                               {{580, math::forceUnits({0, 0, 3e7})}, {149, math::forceUnits({1e7, 0, 0})}},
                                               {{433, math::forceUnits({0, 0, std::nan("")})}}};
    for (std::vector<Case> const& bad : cases)
        for (std::uint64_t const seed : {0, 3, 4}) {
            simt::setSeed(seed);
            Twins twins(topology, trial::dynamicsPlan(0.002), cube);
            twins.constrainStart();
            twins.advance(planOf(0));
            twins.gpu().requireHealthy();
            for (Case const& c : bad) twins.host().forces[c.atom] = c.force;
            twins.device().setForces(twins.host().forces, twins.stream());
            trial::MovingSystem host = twins.host();
            std::string const told =
                failure([&] { twins.cpu().advance(host.positions, host.velocities, cube, host.forces, planOf(1), {}, twins.cpuSums); });
            EXPECT_THAT(told, HasSubstr("step 1: "));
            plan::StepPlan plain;
            plain.step = 1;
            twins.gpu().advance(twins.device().moving(), cube, plain, {}, twins.gpuSums);
            std::vector<math::FractionVec> const then = twins.device().positions.download(twins.stream());
            // a later step, in which an earlier atom is worse
            std::vector<math::ForceUnits> forces(host.forces.size());
            forces[2] = math::forceUnits({5e7, 0, 0});
            twins.device().setForces(forces, twins.stream());
            plain.step = 2;
            twins.gpu().advance(twins.device().moving(), cube, plain, {}, twins.gpuSums);
            EXPECT_TRUE(trial::sameBits(twins.device().positions.download(twins.stream()), then)) << "a lost run moved on";
            EXPECT_EQ(failure([&] { twins.gpu().requireHealthy(); }), told);
            plain.step = 3;
            plain.kinetic = true;
            EXPECT_EQ(failure([&] { twins.gpu().advance(twins.device().moving(), cube, plain, {}, twins.gpuSums); }), told);
        }
    simt::setSeed(0);
}

TEST(GpuMotion, RefusesAStartThatNoConstraintFits)
{
    system::Topology topology = trial::emptyTopology();
    trial::addWaters(topology, 40);
    Twins twins(topology, trial::dynamicsPlan(0.002), cube);
    for (std::size_t const water : {30, 4}) twins.host().positions[3 * water + 1] = twins.host().positions[3 * water];
    trial::OnDevice device(twins.host(), twins.stream());
    trial::MovingSystem host = twins.host();
    std::string const told = failure([&] { twins.cpu().constrainStart(host.positions, host.velocities, cube); });
    EXPECT_THAT(told, HasSubstr("SETTLE cannot make the water of"));
    EXPECT_EQ(failure([&] { twins.gpu().constrainStart(device.moving(), cube); }), told);
}

TEST(GpuMotion, ChangesVelocitiesWithTheBox)
{
    system::Topology const topology = mixture();
    Twins twins(topology, trial::dynamicsPlan(0.002), cube);
    math::Mat3d const factor{{1.01, 0.02, 0}, {0, 0.99, -0.01}, {0, 0, 1.003}};
    twins.gpu().changeVelocities(twins.device().velocities.view(), factor);
    for (math::Vec3d& v : twins.host().velocities) v = factor * v;
    twins.expectSame("after a change of the box");
}

} // namespace
