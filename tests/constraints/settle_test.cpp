#include "physics/settle.hpp"

#include "constraints/random_water.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

using alder::math::Mat3d;
using alder::math::Vec3d;
using alder::physics::WaterBonds;
using alder::physics::WaterGeometry;
using alder::physics::WaterVectors;
using alder::trial::RandomWater;

struct Model {
    char const* name;
    double oxygenMass, hydrogenMass, dOH, dHH;
    [[nodiscard]] WaterGeometry<double> geometry() const { return alder::physics::waterGeometry(oxygenMass, hydrogenMass, dOH, dHH); }
};
/// SPC/E, TIP3P, one with heavy hydrogens, and a flat one.
std::vector<Model> const models{{"SPC/E", 15.99940, 1.00800, 0.1, 0.16330},
                                {"TIP3P", 15.99940, 1.00800, 0.09572, 0.15139},
                                {"heavy", 11.9994, 3.0080, 0.1, 0.16330},
                                {"flat", 15.99940, 1.00800, 0.1, 0.18}};

/// Three distance constraints by SHAKE (Ryckaert, Ciccotti and Berendsen 1977), iterated until they hold to 1e-14 relative. `strength`
/// receives the multipliers: bond k pushed its atoms apart by strength[k] before[k] / mass.
struct Shaken {
    std::array<Vec3d, 3> shift;
    std::array<double, 3> strength{};
};
Shaken shake(Model const& model, WaterBonds<double> const& before, WaterVectors<double> const& moved)
{
    std::array<Vec3d, 3> const old{Vec3d{}, before.toHydrogen1, before.toHydrogen2};
    std::array<Vec3d, 3> const free{old[0] + moved.oxygen, old[1] + moved.hydrogen1, old[2] + moved.hydrogen2};
    std::array<double, 3> const mass{model.oxygenMass, model.hydrogenMass, model.hydrogenMass};
    std::array<std::array<int, 2>, 3> const pairs{{{0, 1}, {0, 2}, {1, 2}}};
    std::array<double, 3> const length{model.dOH, model.dOH, model.dHH};
    std::array<Vec3d, 3> now = free;
    Shaken result;
    for (int round = 0; round < 100000; ++round) {
        double worst = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            auto const i = static_cast<std::size_t>(pairs[k][0]), j = static_cast<std::size_t>(pairs[k][1]);
            Vec3d const r = now[j] - now[i], s = old[j] - old[i];
            double const off = length[k] * length[k] - dot(r, r);
            worst = std::max(worst, std::fabs(off) / (length[k] * length[k]));
            double const g = off / (2 * dot(r, s) * (1 / mass[i] + 1 / mass[j]));
            now[i] -= (g / mass[i]) * s;
            now[j] += (g / mass[j]) * s;
            result.strength[k] += g;
        }
        if (worst < 1e-14) break;
    }
    for (std::size_t a = 0; a < 3; ++a) result.shift[a] = now[a] - free[a];
    return result;
}

WaterBonds<double> bondsAfter(WaterBonds<double> const& before, WaterVectors<double> const& moved)
{
    return {before.toHydrogen1 + moved.hydrogen1 - moved.oxygen, before.toHydrogen2 + moved.hydrogen2 - moved.oxygen};
}

double largest(Vec3d v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

class Settle : public ::testing::TestWithParam<Model> {};

TEST_P(Settle, AgreesWithIteratedConstraints)
{
    Model const model = GetParam();
    WaterGeometry<double> const water = model.geometry();
    for (int trial = 0; trial < 2000; ++trial) {
        RandomWater random(trial);
        WaterBonds<double> const before = random.bonds(water);
        WaterVectors<double> const moved = random.vectors(trial % 2 ? 0.003 : 0.0003);
        WaterVectors<double> const shift = settle(water, before, bondsAfter(before, moved));
        Shaken const reference = shake(model, before, moved);
        double const scale = std::max(largest(reference.shift[1]), 1e-4);
        EXPECT_LT(largest(shift.oxygen - reference.shift[0]), 1e-9 * scale);
        EXPECT_LT(largest(shift.hydrogen1 - reference.shift[1]), 1e-9 * scale);
        EXPECT_LT(largest(shift.hydrogen2 - reference.shift[2]), 1e-9 * scale);
    }
}

TEST_P(Settle, LeavesRigidMoleculesOfTheRightShapeAndTheirMomentum)
{
    Model const model = GetParam();
    WaterGeometry<double> const water = model.geometry();
    double worstLength = 0, worstMomentum = 0, worstSpin = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        RandomWater random(trial);
        WaterBonds<double> const before = random.bonds(water);
        WaterVectors<double> const moved = random.vectors(0.003);
        WaterVectors<double> const s = settle(water, before, bondsAfter(before, moved));
        Vec3d const h1 = before.toHydrogen1 + moved.hydrogen1 + s.hydrogen1 - moved.oxygen - s.oxygen;
        Vec3d const h2 = before.toHydrogen2 + moved.hydrogen2 + s.hydrogen2 - moved.oxygen - s.oxygen;
        worstLength = std::max({worstLength, std::fabs(norm(h1) / model.dOH - 1), std::fabs(norm(h2) / model.dOH - 1),
                                std::fabs(norm(h2 - h1) / model.dHH - 1)});
        worstMomentum = std::max(worstMomentum, largest(model.oxygenMass * s.oxygen + model.hydrogenMass * (s.hydrogen1 + s.hydrogen2)));
        // forces along the old bonds have no torque
        worstSpin = std::max(worstSpin, largest(cross(before.toHydrogen1, s.hydrogen1) + cross(before.toHydrogen2, s.hydrogen2)));
    }
    EXPECT_LT(worstLength, 3e-14);
    EXPECT_LT(worstMomentum, 3e-16);
    EXPECT_LT(worstSpin, 3e-16);
}

TEST_P(Settle, LeavesWhatIsRigidAlone)
{
    WaterGeometry<double> const water = GetParam().geometry();
    for (int trial = 0; trial < 200; ++trial) {
        RandomWater random(trial);
        WaterBonds<double> const before = random.bonds(water);
        Vec3d const together = random.vector(0.01);
        WaterVectors<double> const s = settle(water, before, bondsAfter(before, {together, together, together}));
        EXPECT_LT(largest(s.oxygen), 1e-14);
        EXPECT_LT(largest(s.hydrogen1), 1e-14);
        EXPECT_LT(largest(s.hydrogen2), 1e-14);
    }
}

/// -1/2 sum over bonds of r outer F with the bond forces that SHAKE found: along the old bond s its second atom feels
/// strength s / dt^2, its first atom the opposite.
TEST_P(Settle, GivesTheVirialOfTheBondForces)
{
    Model const model = GetParam();
    WaterGeometry<double> const water = model.geometry();
    double const dt = 0.002;
    for (int trial = 0; trial < 200; ++trial) {
        RandomWater random(trial);
        WaterBonds<double> const before = random.bonds(water);
        WaterVectors<double> const moved = random.vectors(0.002);
        Mat3d const ours = settleVirial(water, before, settle(water, before, bondsAfter(before, moved)), dt);
        std::array<double, 3> const g = shake(model, before, moved).strength;
        Vec3d const b1 = before.toHydrogen1, b2 = before.toHydrogen2, b3 = b2 - b1;
        double const factor = -0.5 / (dt * dt);
        Mat3d const bonds = (factor * g[0]) * outer(b1, b1) + (factor * g[1]) * outer(b2, b2) + (factor * g[2]) * outer(b3, b3);
        Mat3d const off = ours + (-1.0) * bonds;
        double const size = std::fabs(bonds.trace()) + 1;
        EXPECT_LT(largest(off.x), 1e-9 * size);
        EXPECT_LT(largest(off.y), 1e-9 * size);
        EXPECT_LT(largest(off.z), 1e-9 * size);
    }
}

TEST_P(Settle, SaysWhenTheStepToreTheMoleculeApart)
{
    WaterGeometry<double> const water = GetParam().geometry();
    RandomWater random(1);
    WaterBonds<double> const before = random.bonds(water);
    Vec3d z = cross(before.toHydrogen1, before.toHydrogen2);
    z = (1 / norm(z)) * z;
    WaterVectors<double> const s = settle(water, before, bondsAfter(before, {{}, z, z}));
    EXPECT_TRUE(std::isnan(s.hydrogen1.x));
}

TEST_P(Settle, ProjectionLeavesNoStretchingAndTakesNothingElse)
{
    WaterGeometry<double> const water = GetParam().geometry();
    for (int trial = 0; trial < 500; ++trial) {
        RandomWater random(trial);
        WaterBonds<double> const bonds = random.bonds(water);
        WaterVectors<double> const v = random.vectors(1.0);
        WaterVectors<double> const p = withoutStretching(bonds, v);
        EXPECT_NEAR(dot(bonds.toHydrogen1, p.hydrogen1 - p.oxygen), 0, 1e-13);
        EXPECT_NEAR(dot(bonds.toHydrogen2, p.hydrogen2 - p.oxygen), 0, 1e-13);
        EXPECT_NEAR(dot(bonds.toHydrogen2 - bonds.toHydrogen1, p.hydrogen2 - p.hydrogen1), 0, 1e-13);
        // the part taken out is a sum of bond forces: no net force, no torque, no work on the motion that is left
        Vec3d const qo = v.oxygen - p.oxygen, q1 = v.hydrogen1 - p.hydrogen1, q2 = v.hydrogen2 - p.hydrogen2;
        EXPECT_LT(largest(qo + q1 + q2), 1e-13);
        EXPECT_LT(largest(cross(bonds.toHydrogen1, q1) + cross(bonds.toHydrogen2, q2)), 1e-13);
        EXPECT_NEAR(dot(qo, p.oxygen) + dot(q1, p.hydrogen1) + dot(q2, p.hydrogen2), 0, 1e-12);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, Settle, ::testing::ValuesIn(models),
                         [](auto const& info) { return std::string("model") + std::to_string(info.index); });

} // namespace
