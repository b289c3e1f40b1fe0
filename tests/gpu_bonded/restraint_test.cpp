// Distance restraints and electric fields on the device: the integers of the CPU.

#include "base/error.hpp"
#include "bonded/distance_restraints.hpp"
#include "bonded/electric_field.hpp"
#include "cpu/bonded/distance_restraints.hpp"
#include "cpu/bonded/electric_field.hpp"
#include "device_terms.hpp"

#include <random>

namespace alder::tests {
namespace {

using math::Vec3d;
using system::Kind;

physics::Box const cube({4, 0, 0}, {0, 4, 0}, {0, 0, 4});

/// A restraint of one pair within its linear part, one of three pairs in its harmonic part, one too short, one always by the slope.
std::vector<Entries> restraints()
{
    return {{Kind::distanceRestraint,
             {{0, 3, 0, 1, 0.0, 0.2, 0.3, 1.0},
              {0, 4, 1, 1, 0.0, 0.25, 0.9, 2.0},
              {1, 4, 1, 1, 0.0, 0.25, 0.9, 2.0},
              {1, 5, 1, 1, 0.0, 0.25, 0.9, 2.0},
              {2, 5, 2, 1, 0.6, 0.7, 0.8, 0.5},
              {3, 5, 3, 2, 0.0, 0.1, 0.8, 0.5}}}};
}

std::vector<math::FractionVec> places(std::int64_t copies)
{
    std::vector<Vec3d> const r{{3.9, 0.1, 3.95}, {0.02, 0.05, 0.1}, {0.3, 3.9, 3.9}, {0.2, 3.85, 0.1}, {0.35, 3.9, 0.2}, {0.4, 0.1, 0.3}};
    std::mt19937 random(5);
    std::normal_distribution<double> push(0, 0.02);
    std::vector<math::FractionVec> positions;
    for (std::int64_t m = 0; m < copies; ++m)
        for (Vec3d const x : r) positions.push_back(cube.toFraction(x + Vec3d{push(random), push(random), push(random)}));
    return positions;
}

TEST(DeviceRestraints, GiveTheIntegersOfTheCpu)
{
    for (bool const equalWeights : {false, true}) {
        system::Topology const topology = moleculesWith(restraints(), 6, 33);
        auto const positions = places(33);
        plan::DistanceRestraintPlan plan;
        plan.active = true;
        plan.equalWeights = equalWeights;
        std::vector<math::ForceUnits> forces(positions.size());
        system::ForceSums sums;
        cpu::DistanceRestraints(topology, plan).add(positions, cube, forces, &sums);
        EXPECT_GT(sums.of(system::Term::distanceRestraint).value(), 100);

        cuda::Stream stream;
        cuda::DistanceRestraints onDevice(topology, plan, stream);
        cuda::DeviceBuffer<math::FractionVec> const given(positions, stream);
        for (bool const wanted : {false, true}) {
            DeviceSums found(positions.size(), stream);
            onDevice.add(given.constView(), cube, found.target(wanted));
            onDevice.check();
            EXPECT_TRUE(found.forceUnits() == forces);
            EXPECT_EQ(found.sumUnits(), wanted ? unitsOf(sums) : std::vector<std::int64_t>(cuda::sumCount, 0));
        }
        plan.active = false;
        EXPECT_TRUE(cuda::DistanceRestraints(topology, plan, stream).empty());
    }
}

TEST(DeviceRestraints, PairsWithoutAForceAreNamed)
{
    system::Topology const topology = moleculesWith({{Kind::distanceRestraint, {{0, 1, 0, 1, 0.1, 0.2, 0.3, 1e30}}}}, 2);
    plan::DistanceRestraintPlan plan;
    plan.active = true;
    cuda::Stream stream;
    cuda::DistanceRestraints restraint(topology, plan, stream);
    cuda::DeviceBuffer<math::FractionVec> const given({cube.toFraction({1, 1, 1}), cube.toFraction({1.5, 1, 1})}, stream);
    DeviceSums found(2, stream);
    restraint.add(given.constView(), cube, found.target(true));
    EXPECT_THROW(restraint.check(), base::RunFailed);
}

TEST(DeviceField, PullsOnChargesAsOnTheCpu)
{
    system::Topology topology = moleculesWith({}, 2, 100);
    topology.types[0].atoms[0].charge = 0.5;
    topology.types[0].atoms[1].charge = -0.91;
    plan::ElectricFieldPlan plan;
    cuda::Stream stream;
    EXPECT_FALSE(cuda::ElectricField(topology, plan, stream).active());
    plan.active = true;
    plan.axes[1] = {0.4, 0, 0, 0};
    plan.axes[2] = {1, 10, 0.1, 0.3};
    std::vector<math::ForceUnits> forces(200);
    cpu::ElectricField(topology, plan, 1).add(0.2, forces);
    DeviceSums found(200, stream);
    cuda::ElectricField field(topology, plan, stream);
    field.prepare({0.1, 0.2});
    field.add(1, found.forces.view());
    EXPECT_TRUE(found.forceUnits() == forces);
}

} // namespace
} // namespace alder::tests
