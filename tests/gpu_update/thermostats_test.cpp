// Thermostats by the kernels, against those of the host.

#include "gpu_update/twins.hpp"

#include "couple/thermostat.hpp"
#include "simt/control.hpp"

#include <cmath>

namespace {

using namespace alder;
using trial::sameBits;
using trial::Twins;

physics::Box const box({3, 0, 0}, {1.0, 2.8, 0}, {-0.9, 1.1, 2.6});

/// Groups of many atoms and of one, and one that has no kinetic energy.
system::Topology sixGroups()
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 150, 39.948);
    trial::addWaters(topology, 141);
    trial::addFreeAtoms(topology, 7, 0);
    topology.temperatureGroups.names = {"A", "B", "C", "D", "E", "F"};
    for (std::int64_t i = 0; i < topology.atomCount; ++i)
        topology.temperatureGroups.groupOf.push_back(static_cast<std::uint8_t>(i == 0 ? 1 : i < 60 ? 2 : i < 150 ? 3 : i < 573 ? 0 : 5));
    topology.temperatureGroups.groupOf[149] = 4;
    return topology;
}

struct Way {
    char const* name;
    plan::Thermostat thermostat;
    plan::Integrator integrator = plan::Integrator::md;
    int links = 1;
};

plan::DynamicsPlan dynamicsOf(Way const& way)
{
    plan::DynamicsPlan dynamics = trial::dynamicsPlan(0.002, 6);
    dynamics.integrator = way.integrator;
    dynamics.thermostat = way.thermostat;
    dynamics.chainLength = way.links;
    dynamics.coupleInterval = 3;
    dynamics.seed = 0x123456789abcdefull;
    dynamics.tinit = 5;
    double const shortest = way.thermostat == plan::Thermostat::vRescale ? 0.0005 : 0.3;
    double const freedom[] = {846, 1.5, 177, 267, 3, 21}, tau[] = {0.5, 0.8, 0, shortest, -1, 0.5};
    for (std::size_t g = 0; g < 6; ++g) dynamics.groups[g] = {300.0 + 10 * static_cast<double>(g), tau[g], freedom[g]};
    dynamics.groups[1].annealing = plan::Annealing::periodic;
    dynamics.groups[1].annealingTimes = {0, 0.02};
    dynamics.groups[1].annealingTemperatures = {200, 500};
    return dynamics;
}

/// What the host makes of the kinetic energies that the CPU's velocities have.
engine::Scaling scalingOnHost(plan::DynamicsPlan const& dynamics, Twins& twins, std::int64_t step, system::CouplingState& coupling)
{
    system::MotionSums const motion = twins.cpu().motion(twins.host().velocities);
    if (dynamics.integrator == plan::Integrator::mdVv && dynamics.thermostat == plan::Thermostat::noseHoover)
        return {couple::chainFactors(dynamics, motion, step, coupling), {}};
    return {couple::thermostatFactors(dynamics, motion, step, coupling), couple::noseHooverDrags(dynamics, motion, step, coupling)};
}

void expectSameMemory(system::CouplingState here, system::CouplingState const& there, plan::DynamicsPlan const& dynamics)
{
    here.thermostatIntegral.resize(dynamics.groups.size(), 0.0); // chains keep none
    EXPECT_TRUE(sameBits(there.thermostatIntegral, here.thermostatIntegral));
    EXPECT_TRUE(sameBits(there.chainPosition, here.chainPosition));
    EXPECT_TRUE(sameBits(there.chainVelocity, here.chainVelocity));
}

bool remembers(system::CouplingState const& coupling)
{
    std::vector<double> const& numbers = coupling.chainVelocity.empty() ? coupling.thermostatIntegral : coupling.chainVelocity;
    return !numbers.empty() && std::isfinite(numbers[0]) && numbers[0] != 0;
}

TEST(GpuThermostats, ActAsOnTheHostToTheLastBit)
{
    system::Topology const topology = sixGroups();
    std::vector<double> times;
    for (std::int64_t n = 0; n < 12; ++n) times.push_back(5 + static_cast<double>(40 + n) * 0.002);
    for (Way const& way :
         {Way{"v-rescale", plan::Thermostat::vRescale}, Way{"Berendsen", plan::Thermostat::berendsen},
          Way{"v-rescale by md-vv", plan::Thermostat::vRescale, plan::Integrator::mdVv}, Way{"Nose-Hoover", plan::Thermostat::noseHoover},
          Way{"chains", plan::Thermostat::noseHoover, plan::Integrator::mdVv, 4}}) {
        SCOPED_TRACE(way.name);
        plan::DynamicsPlan const dynamics = dynamicsOf(way);
        Twins twins(topology, dynamics, box);
        twins.constrainStart();
        twins.gpu().coupleHere();
        ASSERT_TRUE(twins.gpu().couples());
        twins.gpu().countFrom(40);
        twins.gpu().coupleFrom(40, times);
        system::CouplingState onHost, onDevice;
        for (std::int64_t step = 40; step < 52; ++step) {
            plan::StepPlan plan;
            plan.step = step;
            plan.couple = step % 3 == 1;
            plan.kinetic = step == 46;
            if (way.integrator == plan::Integrator::mdVv) twins.arrive(plan, step == 40);
            twins.advance(plan, plan.couple ? scalingOnHost(dynamics, twins, step, onHost) : engine::Scaling());
            if (step < 46) continue; // what they remember comes where somebody asks
            twins.gpu().giveCoupling(onDevice);
            expectSameMemory(onHost, onDevice, dynamics);
            if (step == 48) twins.gpu().adopt(onDevice); // a restart
        }
        twins.expectSame("after twelve steps");
        EXPECT_TRUE(remembers(onDevice));
    }
}

TEST(GpuThermostats, WaitForNobodyAndAreBroughtWithSums)
{
    system::Topology const topology = sixGroups();
    plan::DynamicsPlan const dynamics = dynamicsOf({"v-rescale", plan::Thermostat::vRescale});
    Twins twins(topology, dynamics, box);
    twins.gpu().coupleHere();
    twins.gpu().coupleFrom(0, {0.0, 0.1, 0.2});
    plan::StepPlan plan;
    plan.couple = true;
    twins.gpu().advance(twins.device().moving(), box, plan, {}, twins.gpuSums);
    twins.stream().synchronize();
    simt::resetCounts();
    plan.step = 1;
    twins.gpu().advance(twins.device().moving(), box, plan, {}, twins.gpuSums);
    EXPECT_EQ(simt::counts().synchronizations, 0);
    plan.step = 2;
    plan.kinetic = true;
    twins.gpu().advance(twins.device().moving(), box, plan, {}, twins.gpuSums);
    EXPECT_EQ(simt::counts().synchronizations, 1);
    system::CouplingState coupling;
    twins.gpu().giveCoupling(coupling);
    EXPECT_EQ(simt::counts().synchronizations, 1);
    EXPECT_EQ(simt::counts().launchesOf("coupleGroups"), 2);
}

} // namespace
