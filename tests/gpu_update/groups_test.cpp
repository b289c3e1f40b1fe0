// Groups of constraints by the kernels, against the CPU's.

#include "gpu_update/twins.hpp"

#include "simt/control.hpp"

#include <gmock/gmock.h>

namespace {

using namespace alder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using trial::ConstrainedMolecule;
using trial::failure;
using trial::Twins;

physics::Box const box({4, 0, 0}, {1.0, 3.8, 0}, {-0.9, 1.1, 3.6});

std::vector<ConstrainedMolecule> const molecules{trial::star(), trial::chain(1), trial::triangle(), trial::cage()};

/// Stars, fragments of chains, triangles and cages among waters and free atoms; no count is a multiple of a warp.
system::Topology groupsInWater()
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 20, 39.948);
    for (ConstrainedMolecule const& m : molecules) trial::addConstrained(topology, m, 75);
    trial::addWaters(topology, 40);
    trial::addConstrained(topology, molecules[1], 90);
    return topology;
}

plan::DynamicsPlan dynamicsOf(bool shake)
{
    plan::DynamicsPlan dynamics = trial::dynamicsPlan(0.002);
    dynamics.constraints.shake = shake;
    dynamics.constraints.lincsIterations = 2;
    return dynamics;
}

plan::StepPlan planOf(std::int64_t step)
{
    plan::StepPlan plan;
    plan.step = step;
    plan.kinetic = plan.energies = step % 2 == 0;
    return plan;
}

TEST(GpuGroups, AreSolvedAsOnTheCpuToTheLastBit)
{
    system::Topology const topology = groupsInWater();
    for (bool const shake : {false, true})
        for (std::uint64_t const seed : {0, 1}) {
            simt::setSeed(seed);
            Twins twins(topology, dynamicsOf(shake), box, molecules);
            twins.constrainStart();
            for (std::int64_t step = 0; step < 5; ++step) twins.advance(planOf(step));
            twins.expectSame(shake ? "after SHAKE" : "after LINCS");
            EXPECT_NE(twins.gpuSums.constraintVirial.yx.units, 0);
        }
    simt::setSeed(0);
}

/// Velocities that turn bonds by tens of degrees in a step: LINCS then goes on beyond its series.
TEST(GpuGroups, AreSolvedWithCareWhereTheyTurnFar)
{
    system::Topology const topology = groupsInWater();
    plan::DynamicsPlan dynamics = dynamicsOf(false);
    dynamics.dt = 0.006;
    Twins twins(topology, dynamics, box, molecules);
    for (std::int64_t step = 0; step < 3; ++step) twins.advance(planOf(step));
    twins.expectSame("after steps of 6 fs");
}

TEST(GpuGroups, SayWhichDistanceIsLost)
{
    system::Topology const topology = groupsInWater();
    Twins twins(topology, dynamicsOf(false), box, molecules);
    twins.constrainStart();
    // the star of atoms 45 to 49, in its hydrogens, and a fragment of a chain beyond it
    twins.host().velocities[46] = {140, 0, 0};
    twins.host().velocities[47] = {-150, 0, 0};
    twins.host().velocities[403] = {0, 90, 0};
    trial::OnDevice device(twins.host(), twins.stream());
    trial::MovingSystem host = twins.host();
    plan::StepPlan plain;
    plain.step = 12;
    std::string const told =
        failure([&] { twins.cpu().advance(host.positions, host.velocities, box, host.forces, plain, {}, twins.cpuSums); });
    EXPECT_THAT(told, AllOf(HasSubstr("step 12: the distance of atom 4"), HasSubstr("of residue CH4 1, molecule CH4 26")));
    twins.gpu().advance(device.moving(), box, plain, {}, twins.gpuSums);
    EXPECT_EQ(failure([&] { twins.gpu().requireHealthy(); }), told);
}

TEST(GpuGroups, SayWhichStartIsTooFarOff)
{
    system::Topology const topology = groupsInWater();
    Twins twins(topology, dynamicsOf(true), box, molecules);
    twins.host().positions[46] = wrappingSum(twins.host().positions[45], {-1 << 20, 0, 0});
    twins.host().positions[47] = wrappingSum(twins.host().positions[45], {1 << 30, 0, 0});
    trial::OnDevice device(twins.host(), twins.stream());
    trial::MovingSystem host = twins.host();
    std::string const told = failure([&] { twins.cpu().constrainStart(host.positions, host.velocities, box); });
    EXPECT_THAT(told, HasSubstr("the starting positions are too far from what constraints ask"));
    EXPECT_EQ(failure([&] { twins.gpu().constrainStart(device.moving(), box); }), told);
}

TEST(GpuGroups, OfWholeMoleculesAreSolvedByBlocksToTheLastBit)
{
    std::vector<ConstrainedMolecule> const whole{trial::chain(20), trial::ring(), trial::star()};
    for (ConstrainedMolecule const& large : {whole[0], whole[1]})
        for (std::uint64_t const seed : {0, 1}) {
            simt::setSeed(seed);
            system::Topology topology = trial::emptyTopology();
            trial::addConstrained(topology, large, 7);
            trial::addConstrained(topology, whole[2], 40);
            trial::addWaters(topology, 20);
            for (double const dt : {0.002, 0.005}) { // the longer one turns bonds so far that LINCS goes on
                plan::DynamicsPlan dynamics = dynamicsOf(false);
                dynamics.dt = dt;
                Twins twins(topology, dynamics, box, {large, whole[2]});
                twins.constrainStart();
                for (std::int64_t step = 0; step < 5; ++step) twins.advance(planOf(step));
                twins.expectSame("after steps of " + large.name);
            }
        }
    simt::setSeed(0);
}

/// What can go wrong with whole molecules: a force that is not finite, a distance that is lost, and molecules that fly as a whole.
enum class Fault : std::uint8_t { force, distance, flight };

void causeFault(trial::MovingSystem& system, Fault fault)
{
    if (fault == Fault::force) system.forces[87] = math::forceUnits({0, 4e7, 0});
    if (fault == Fault::distance) system.velocities[130] = {0, 160, 0};
    if (fault == Fault::flight)
        for (std::size_t i = 180; i < 240; ++i) system.velocities[i] = {600, 0, 0};
}

/// The CPU tells the fault, and the device in the same words.
void expectBothTell(Twins& twins, Fault fault)
{
    twins.constrainStart();
    causeFault(twins.host(), fault);
    trial::OnDevice device(twins.host(), twins.stream());
    trial::MovingSystem host = twins.host();
    plan::StepPlan plain;
    plain.step = 3;
    std::string const told =
        failure([&] { twins.cpu().advance(host.positions, host.velocities, box, host.forces, plain, {}, twins.cpuSums); });
    EXPECT_THAT(told, HasSubstr(fault == Fault::force      ? "the force on atom 88"
                                : fault == Fault::distance ? "the distance of atom"
                                                           : "would move 1.2 nm"));
    twins.gpu().advance(device.moving(), box, plain, {}, twins.gpuSums);
    EXPECT_EQ(failure([&] { twins.gpu().requireHealthy(); }), told);
}

TEST(GpuGroups, OfWholeMoleculesSayWhatIsWrong)
{
    system::Topology topology = trial::emptyTopology();
    trial::addConstrained(topology, trial::chain(20), 5);
    for (Fault const fault : {Fault::force, Fault::distance, Fault::flight}) {
        Twins twins(topology, dynamicsOf(false), box, {trial::chain(20)});
        expectBothTell(twins, fault);
    }
}

/// What can be asked of the groups of a system in a run.
struct Way {
    char const* name;
    plan::Integrator integrator;
    bool shake;
    plan::Thermostat thermostat = plan::Thermostat::no;
};
std::vector<Way> const ways{{"SHAKE", plan::Integrator::md, true},
                            {"sd", plan::Integrator::sd, false},
                            {"sd by SHAKE", plan::Integrator::sd, true},
                            {"bd", plan::Integrator::bd, false},
                            {"md-vv", plan::Integrator::mdVv, false},
                            {"md-vv by SHAKE", plan::Integrator::mdVv, true},
                            {"collisions", plan::Integrator::mdVv, false, plan::Thermostat::andersenMassive}};

plan::DynamicsPlan dynamicsOf(Way const& way)
{
    plan::DynamicsPlan dynamics = dynamicsOf(way.shake);
    dynamics.integrator = way.integrator;
    dynamics.thermostat = way.thermostat;
    dynamics.seed = 99;
    for (plan::TemperatureGroupPlan& group : dynamics.groups) {
        group.tau = way.thermostat == plan::Thermostat::no ? 0.4 : 0.006;
        group.reference = 300;
    }
    return dynamics;
}

system::Topology wholeMolecules(ConstrainedMolecule const& large)
{
    system::Topology topology = trial::emptyTopology();
    trial::addConstrained(topology, large, 5);
    trial::addConstrained(topology, trial::star(), 40);
    trial::addWaters(topology, 20);
    return topology;
}

TEST(GpuGroups, OfWholeMoleculesGoAllWaysToTheLastBit)
{
    for (ConstrainedMolecule const& large : {trial::chain(20), trial::ring()})
        for (Way const& way : ways)
            for (std::uint64_t const seed : {0, 1}) {
                SCOPED_TRACE(std::string(large.name) + ", " + way.name);
                simt::setSeed(seed);
                system::Topology const topology = wholeMolecules(large);
                Twins twins(topology, dynamicsOf(way), box, {large, trial::star()});
                twins.constrainStart();
                for (std::int64_t step = 0; step < 4; ++step) {
                    if (way.integrator == plan::Integrator::mdVv) twins.arrive(planOf(step), step == 0);
                    twins.advance(planOf(step));
                }
                twins.expectSame("after steps of whole molecules");
                math::FixedTensor const cpu =
                    twins.cpu().constraintVirial({twins.host().positions, box}, twins.host().velocities, twins.host().forces);
                EXPECT_TRUE(trial::sameUnits(twins.gpu().constraintVirial(twins.device().moving(), box), cpu));
            }
    simt::setSeed(0);
}

TEST(GpuGroups, OfWholeMoleculesSayWhatIsWrongWhateverTheWay)
{
    for (Way const& way : ways)
        for (Fault const fault : {Fault::force, Fault::distance, Fault::flight}) {
            // Brownian velocities are made in the step
            if (way.thermostat != plan::Thermostat::no || (fault != Fault::force && way.integrator == plan::Integrator::bd)) continue;
            SCOPED_TRACE(std::string(way.name) + ", fault " + std::to_string(static_cast<int>(fault)));
            system::Topology const topology = wholeMolecules(trial::chain(20));
            Twins twins(topology, dynamicsOf(way), box, {trial::chain(20), trial::star()});
            expectBothTell(twins, fault);
        }
}

} // namespace
