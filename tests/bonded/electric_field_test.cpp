// Electric fields: their course in time, the force on charges, and that they leave no trace in energies and virial.

#include "cpu/bonded/electric_field.hpp"
#include "physics/electric_field.hpp"
#include "small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace alder::tests {
namespace {

TEST(ElectricField, SwingsAndPulsesAsWritten)
{
    for (double const t : {0.0, 0.3, 1.7, 250.0}) {
        double const since = t - 1.5;
        EXPECT_NEAR(physics::fieldAt({2, 40, 1.5, 0.8}, t), 2 * std::cos(40 * since) * std::exp(-since * since / (2 * 0.64)), 1e-12);
        EXPECT_NEAR(physics::fieldAt({2, 40, 1.5, 0}, t), 2 * std::cos(40 * t), 1e-11) << "without a width t0 has no part";
        EXPECT_EQ(physics::fieldAt({-0.7, 0, 9, 0}, t), -0.7);
    }
}

TEST(ElectricField, PullsOnCharges)
{
    system::Topology topology = moleculesWith({}, 2, 3);
    topology.types[0].atoms[0].charge = 0.5;
    topology.types[0].atoms[1].charge = -1;
    plan::ElectricFieldPlan plan;
    EXPECT_FALSE(cpu::ElectricField(topology, plan, 1).active());
    plan.active = true;
    plan.axes[1] = {0.4, 0, 0, 0};
    plan.axes[2] = {1, 10, 0, 0};
    cpu::ElectricField const field(topology, plan, 2);
    std::vector<math::ForceUnits> forces(6);
    field.add(0.2, forces);
    for (std::size_t i = 0; i < 6; ++i) {
        double const charge = i % 2 ? -1 : 0.5;
        math::Vec3d const f = math::forceValue(forces[i]);
        EXPECT_EQ(f.x, 0);
        EXPECT_NEAR(f.y, 96.4853321233 * 0.4 * charge, 1e-6); // forces are rounded to 6e-8 kJ/mol/nm
        EXPECT_NEAR(f.z, 96.4853321233 * std::cos(2) * charge, 1e-6);
    }
}

} // namespace
} // namespace alder::tests
