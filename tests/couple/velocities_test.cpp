#include "couple/velocities.hpp"

#include "math/distribution.hpp"
#include "physics/constants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace alder;
using math::Vec3d;

/// `count` pairs of a heavy and a light atom, each pair with a massless site.
system::Topology mixture(std::int64_t count)
{
    system::Topology topology;
    system::MoleculeType type;
    type.name = "MIX";
    type.atoms = {{"A", "MIX", 1, 0, 0, 39.948, 'A'}, {"V", "MIX", 1, 0, 0, 0.0, 'V'}, {"B", "MIX", 1, 0, 0, 1.008, 'A'}};
    topology.types.push_back(type);
    topology.blocks.push_back({0, count, 0, 0});
    topology.atomCount = 3 * count;
    topology.moleculeCount = count;
    return topology;
}

struct Total {
    double kinetic = 0;
    Vec3d momentum;
};
Total totalOf(std::vector<Vec3d> const& velocities)
{
    Total total;
    double const masses[3] = {39.948, 0, 1.008};
    for (std::size_t i = 0; i < velocities.size(); ++i) {
        total.kinetic += 0.5 * masses[i % 3] * norm2(velocities[i]);
        total.momentum += masses[i % 3] * velocities[i];
    }
    return total;
}

TEST(GenerateVelocities, FollowsMaxwellForEachMass)
{
    auto const velocities = couple::generateVelocities(mixture(5000), 300, 17);
    std::vector<double> scaled[2];
    for (std::size_t i = 0; i < velocities.size(); ++i) {
        if (i % 3 == 1) {
            EXPECT_EQ(velocities[i], (Vec3d{}));
            continue;
        }
        double const width = std::sqrt(physics::boltzmann * 300 / (i % 3 == 0 ? 39.948 : 1.008));
        for (double const v : {velocities[i].x, velocities[i].y, velocities[i].z}) scaled[i % 3 == 2].push_back(v / width);
    }
    for (auto const& values : scaled) EXPECT_LT(trial::kolmogorov(values, trial::normalCumulative), 1.95);
}

/// As GROMACS does it: exactly the temperature over all 3N components, of which the removal of the drift then takes its share.
TEST(GenerateVelocities, HasTheTemperatureAndNoMomentum)
{
    std::int64_t const count = 50;
    Total const total = totalOf(couple::generateVelocities(mixture(count), 300, 17));
    EXPECT_LT(std::max({std::fabs(total.momentum.x), std::fabs(total.momentum.y), std::fabs(total.momentum.z)}), 1e-5);
    double const wanted = 0.5 * 3 * 2 * static_cast<double>(count) * physics::boltzmann * 300;
    EXPECT_LT(total.kinetic, wanted);
    EXPECT_GT(total.kinetic, wanted * (1 - 20.0 / (3 * 2 * static_cast<double>(count)))); // 3 of 300 components on average
}

TEST(GenerateVelocities, DependsOnSeedAndAtomAlone)
{
    auto const few = couple::generateVelocities(mixture(100), 300, 17), again = couple::generateVelocities(mixture(100), 300, 17);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), again.begin()));
    auto const other = couple::generateVelocities(mixture(100), 300, 18);
    EXPECT_FALSE(few[0] == other[0]);
    // the same atom in a larger system differs by scale and drift alone
    auto const many = couple::generateVelocities(mixture(200), 300, 17);
    Vec3d const a = few[0] - few[2], b = many[0] - many[2];
    EXPECT_NEAR(dot(a, b) / (norm(a) * norm(b)), 1.0, 1e-12);
}

TEST(GenerateVelocities, StandsStillAtZero)
{
    for (Vec3d const v : couple::generateVelocities(mixture(3), 0, 1)) EXPECT_EQ(v, (Vec3d{}));
}

} // namespace
