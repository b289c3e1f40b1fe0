// Stochastic and Brownian dynamics, velocity Verlet and frozen atoms by the kernels, against the CPU's.

#include "gpu_update/twins.hpp"

#include "simt/control.hpp"

#include <utility>

namespace {

using namespace alder;
using plan::Integrator;
using trial::ConstrainedMolecule;
using trial::Twins;

physics::Box const box({4, 0, 0}, {1.0, 3.8, 0}, {-0.9, 1.1, 3.6});
std::vector<ConstrainedMolecule> const molecules{trial::star(), trial::triangle()};

/// Free atoms alone, or waters and groups of constraints too; three temperature groups that begin and end within warps.
system::Topology sample(bool constrained)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 177, 39.948);
    if (constrained) {
        for (ConstrainedMolecule const& m : molecules) trial::addConstrained(topology, m, 45);
        trial::addWaters(topology, 141);
    }
    trial::addFreeAtoms(topology, 40, 4.0);
    topology.temperatureGroups.names = {"A", "B", "C"};
    for (std::int64_t i = 0; i < topology.atomCount; ++i)
        topology.temperatureGroups.groupOf.push_back(static_cast<std::uint8_t>(i < 60 ? i % 3 : (i / 147) % 3));
    return topology;
}

plan::DynamicsPlan dynamicsOf(Integrator integrator)
{
    plan::DynamicsPlan dynamics = trial::dynamicsPlan(0.001, 3);
    dynamics.integrator = integrator;
    dynamics.seed = 0x123456789abcdef0u;
    double tau = 0.2;
    for (plan::TemperatureGroupPlan& group : dynamics.groups) {
        group.tau = tau;
        group.reference = 300;
        tau *= 2;
    }
    dynamics.groups[1].annealing = plan::Annealing::single;
    dynamics.groups[1].annealingTimes = {0, 0.004};
    dynamics.groups[1].annealingTemperatures = {200, 350};
    return dynamics;
}

plan::StepPlan planOf(std::int64_t step)
{
    plan::StepPlan plan;
    plan.step = step;
    plan.kinetic = step % 3 != 1;
    plan.energies = step % 3 == 0;
    plan.removeComm = step % 4 == 0;
    return plan;
}

TEST(GpuIntegrators, DrawTheNoiseOfTheCpu)
{
    for (Integrator const integrator : {Integrator::sd, Integrator::bd})
        for (bool const constrained : {false, true})
            for (std::uint64_t const seed : {0, 1}) {
                simt::setSeed(seed);
                system::Topology const topology = sample(constrained);
                Twins twins(topology, dynamicsOf(integrator), box, molecules);
                twins.constrainStart();
                for (std::int64_t step = 0; step < 7; ++step) twins.advance(planOf(step));
                twins.expectSame("after steps with noise");
                EXPECT_EQ(twins.gpuSums.heat.size(), 3u);
                EXPECT_EQ(twins.gpuSums.heat[0].units != 0, integrator == Integrator::sd);
            }
    simt::setSeed(0);
}

TEST(GpuIntegrators, LeaveHeatOnTheDeviceUntilItIsAskedFor)
{
    system::Topology const topology = sample(true);
    Twins twins(topology, dynamicsOf(Integrator::sd), box, molecules);
    twins.constrainStart();
    plan::StepPlan plain = planOf(1);
    twins.advance(plain);
    twins.stream().synchronize();
    simt::resetCounts();
    twins.gpu().advance(twins.device().moving(), box, plain, {}, twins.gpuSums);
    EXPECT_EQ(simt::counts().synchronizations, 0);
    EXPECT_EQ(simt::counts().bytesToHost, 0);
    EXPECT_TRUE(twins.gpuSums.heat.empty());
    twins.stream().synchronize();
    EXPECT_EQ(simt::counts().launchesOf("noisyStep"), 4);
}

TEST(GpuIntegrators, ArriveAsVelocityVerletDoes)
{
    system::Topology const topology = sample(true);
    for (bool const shake : {false, true}) {
        plan::DynamicsPlan dynamics = dynamicsOf(Integrator::mdVv);
        dynamics.constraints.shake = shake;
        Twins twins(topology, dynamics, box, molecules);
        twins.constrainStart();
        for (std::int64_t step = 0; step < 7; ++step) {
            twins.arrive(planOf(step), step == 0);
            engine::Scaling scaling;
            if (step % 2 == 0) scaling.velocity = {0.97, 1.02, 1.0};
            twins.advance(planOf(step), scaling);
        }
        twins.expectSame("after velocity Verlet");
    }
}

/// Velocities drawn anew one by one or all at once, and held to constraints where that struck.
TEST(GpuIntegrators, CollideAsOnTheCpu)
{
    for (plan::Thermostat const thermostat : {plan::Thermostat::andersen, plan::Thermostat::andersenMassive})
        for (std::uint64_t const seed : {0, 1}) {
            simt::setSeed(seed);
            system::Topology const topology = sample(true);
            plan::DynamicsPlan dynamics = dynamicsOf(Integrator::mdVv);
            dynamics.thermostat = thermostat;
            dynamics.groups[0].tau = 0.003;
            dynamics.groups[1].tau = thermostat == plan::Thermostat::andersen ? 0.02 : 0.002;
            dynamics.groups[2].tau = 0;
            Twins twins(topology, dynamics, box, molecules);
            twins.constrainStart();
            for (std::int64_t step = 0; step < 7; ++step) {
                twins.arrive(planOf(step), step == 0);
                std::vector<math::Vec3d> const before = twins.host().velocities;
                twins.advance(planOf(step));
                twins.expectSame("after collisions");
                std::size_t struck = 0; // a velocity changes by 0.1 nm/ps in a step at most where nothing strikes
                for (std::size_t i = 0; i < before.size(); ++i) struck += norm(twins.host().velocities[i] - before[i]) > 0.5 ? 1 : 0;
                EXPECT_EQ(struck > 50, thermostat == plan::Thermostat::andersen || step % 3 == 0 || step % 2 == 0) << step << " " << struck;
            }
        }
    simt::setSeed(0);
}

/// With multiple time steps the virial is that of a step which is not taken.
TEST(GpuIntegrators, KnowTheConstraintVirialOfAStepNotTaken)
{
    system::Topology const topology = sample(true);
    Twins twins(topology, dynamicsOf(Integrator::md), box, molecules);
    twins.constrainStart();
    math::FixedTensor const cpu = twins.cpu().constraintVirial({twins.host().positions, box}, twins.host().velocities, twins.host().forces);
    EXPECT_TRUE(trial::sameUnits(twins.gpu().constraintVirial(twins.device().moving(), box), cpu));
    EXPECT_NE(cpu.xx.units, 0);
    twins.expectSame("after a step not taken");
}

TEST(GpuIntegrators, HoldFrozenAtomsWhereTheyAre)
{
    system::Topology topology = sample(true);
    topology.freezeGroups.names = {"rest", "Walls", "Flat"};
    for (std::int64_t i = 0; i < topology.atomCount; ++i)
        topology.freezeGroups.groupOf.push_back(static_cast<std::uint8_t>(i < 150 ? (i / 20) % 3 : 0));
    for (Integrator const integrator : {Integrator::md, Integrator::sd, Integrator::bd, Integrator::mdVv}) {
        plan::DynamicsPlan dynamics = dynamicsOf(integrator);
        dynamics.frozenAxes = {{false, false, false}, {true, true, true}, {false, false, true}};
        Twins twins(topology, dynamics, box, molecules);
        cpu::FrozenAtoms frozen(topology, dynamics);
        twins.constrainStart();
        frozen.stop(twins.host().velocities);
        twins.gpu().stopFrozen(twins.device().velocities.view());
        std::vector<math::FractionVec> const start = twins.host().positions;
        for (std::int64_t step = 0; step < 5; ++step) {
            // what the CPU's back end does around a step
            plan::StepPlan const plan = planOf(step);
            trial::MovingSystem& host = twins.host();
            if (integrator == Integrator::mdVv) {
                twins.cpu().arrive({host.positions, host.velocities, box, frozen.freed(host.forces), step == 0}, plan, twins.cpuSums);
                twins.gpu().arrive({twins.device().moving(), box, step == 0}, plan, twins.gpuSums);
                twins.expectSameSums(plan, "where it arrives at");
            }
            frozen.remember(host.positions);
            twins.cpu().advance(host.positions, host.velocities, box, frozen.freed(host.forces), plan, {}, twins.cpuSums);
            frozen.putBack(host.positions, box);
            frozen.stop(host.velocities);
            if (plan.kinetic) twins.cpuSums.motion = twins.cpu().motion(host.velocities);
            twins.gpu().advance(twins.device().moving(), box, plan, {}, twins.gpuSums);
            twins.expectSameSums(plan, "after");
        }
        twins.expectSame("with frozen atoms");
        EXPECT_EQ(twins.host().positions[25], start[25]);
        EXPECT_EQ(twins.host().positions[45].z, start[45].z);
        EXPECT_FALSE(twins.host().positions[45] == start[45]);
    }
}

} // namespace
