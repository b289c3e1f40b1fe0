// The energy map: exact at its nodes, smooth between them, and close to a function that a grid of 15 degrees resolves.

#include "small_system.hpp"

#include <gtest/gtest.h>

namespace alder::tests {
namespace {

physics::CmapTerm<double> at(bonded::CmapTable const& table, double phi, double psi)
{
    double const radian = physics::pi / 180;
    return physics::interpolateCmap(table.nodes.data(), table.size, phi * radian, psi * radian);
}

TEST(Cmap, NodesAreReproduced)
{
    bonded::CmapTable const table = bonded::makeCmapTable(mapGrid());
    ASSERT_EQ(table.size, 24);
    for (int i = 0; i < 24; ++i)
        for (int j = 0; j < 24; ++j)
            EXPECT_NEAR(at(table, -180 + 15 * i, -180 + 15 * j).energy, mapEnergy(-180 + 15 * i, -180 + 15 * j), 1e-12);
}

/// A spline through a wave of n periods on 24 points misses it by about (2 pi n/24)^4/384: 2e-3 relative at n = 3.
TEST(Cmap, FollowsASmoothFunction)
{
    bonded::CmapTable const table = bonded::makeCmapTable(mapGrid());
    for (double phi = -180; phi <= 180; phi += 7.3)
        for (double psi = -180; psi <= 180; psi += 6.1)
            EXPECT_NEAR(at(table, phi, psi).energy, mapEnergy(phi, psi), 5e-3) << phi << ' ' << psi;
}

TEST(Cmap, SlopesAreThoseOfTheEnergyAlsoAcrossTheSeam)
{
    bonded::CmapTable const table = bonded::makeCmapTable(mapGrid());
    double const h = 0.01, radian = physics::pi / 180;
    for (double const phi : {-180.0, -179.995, -172.5, 0.0, 14.999, 179.99, 180.0})
        for (double const psi : {-180.0, -7.0, 165.0, 179.995, 180.0}) {
            auto const v = at(table, phi, psi);
            EXPECT_NEAR(v.slopePhi, (at(table, phi + h, psi).energy - at(table, phi - h, psi).energy) / (2 * h * radian), 2e-5);
            EXPECT_NEAR(v.slopePsi, (at(table, phi, psi + h).energy - at(table, phi, psi - h).energy) / (2 * h * radian), 2e-5);
        }
}

} // namespace
} // namespace alder::tests
