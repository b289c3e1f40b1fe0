// Distance restraints: forces against differences of the energy, the virial against a strain, equal shares.

#include "base/error.hpp"
#include "cpu/bonded/distance_restraints.hpp"
#include "small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace alder::tests {
namespace {

using math::Vec3d;
using system::Kind;

/// Six atoms; a restraint of one pair within its linear part, one of three pairs in its harmonic part, one too short.
system::Topology restrained()
{
    return moleculesWith({{Kind::distanceRestraint,
                           {{0, 3, 0, 1, 0.0, 0.2, 0.3, 1.0},
                            {0, 4, 1, 1, 0.0, 0.25, 0.9, 2.0},
                            {1, 4, 1, 1, 0.0, 0.25, 0.9, 2.0},
                            {1, 5, 1, 1, 0.0, 0.25, 0.9, 2.0},
                            {2, 5, 2, 1, 0.6, 0.7, 0.8, 0.5}}}},
                         6);
}

std::vector<Vec3d> const places{{3.9, 0.1, 3.95}, {0.02, 0.05, 0.1}, {0.3, 3.9, 3.9}, {0.2, 3.85, 0.1}, {0.35, 3.9, 0.2}, {0.4, 0.1, 0.3}};

struct Restraining {
    std::vector<math::ForceUnits> forces = std::vector<math::ForceUnits>(6);
    system::ForceSums sums;
    Restraining(std::vector<Vec3d> const& r, physics::Box const& box, bool equalWeights)
    {
        std::vector<math::FractionVec> positions;
        for (Vec3d const x : r) positions.push_back(box.toFraction(x));
        plan::DistanceRestraintPlan plan;
        plan.active = true;
        plan.equalWeights = equalWeights;
        cpu::DistanceRestraints(restrained(), plan).add(positions, box, forces, &sums);
    }
    [[nodiscard]] double energy() const { return sums.of(system::Term::distanceRestraint).value(); }
};

double& axis(Vec3d& v, int d) { return d == 0 ? v.x : d == 1 ? v.y : v.z; }

physics::Box const cube({4, 0, 0}, {0, 4, 0}, {0, 0, 4});

/// The energy of restrained(), written out, at positions that are not rounded to fractions of the box: a displacement by h would be to
/// 1e-9 nm / h of it.
double exactEnergy(std::vector<Vec3d> const& r)
{
    auto const inverseSixth = [&](std::size_t i, std::size_t j) {
        Vec3d d = r[i] - r[j];
        for (int k = 0; k < 3; ++k) axis(d, k) -= 4 * std::round(axis(d, k) / 4);
        return std::pow(norm2(d), -3);
    };
    auto const restrain = [](double sum, double low, double up1, double up2, double factor) {
        double const distance = std::pow(sum, -1.0 / 6), k = 1000 * factor;
        if (distance < low) return 0.5 * k * (distance - low) * (distance - low);
        if (distance < up1) return 0.0;
        if (distance < up2) return 0.5 * k * (distance - up1) * (distance - up1);
        return k * (up2 - up1) * (0.5 * (up2 - up1) + distance - up2);
    };
    return restrain(inverseSixth(0, 3), 0.0, 0.2, 0.3, 1.0) +
           restrain(inverseSixth(0, 4) + inverseSixth(1, 4) + inverseSixth(1, 5), 0.0, 0.25, 0.9, 2.0) +
           restrain(inverseSixth(2, 5), 0.6, 0.7, 0.8, 0.5);
}

TEST(DistanceRestraints, ForcesAreTheSlopeOfTheEnergy)
{
    Restraining const here(places, cube, false);
    EXPECT_GT(here.energy(), 10);
    std::vector<Vec3d> rounded;
    for (Vec3d const r : places) rounded.push_back(cube.toPosition(cube.toFraction(r)));
    EXPECT_NEAR(here.energy(), exactEnergy(rounded), 1e-7);
    double scale = 0;
    for (math::ForceUnits const f : here.forces) scale = std::max(scale, norm(math::forceValue(f)));
    double const h = 2e-4;
    for (std::size_t a = 0; a < 6; ++a)
        for (int d = 0; d < 3; ++d) {
            auto const at = [&](double step) {
                std::vector<Vec3d> moved = rounded;
                axis(moved[a], d) += step;
                return exactEnergy(moved);
            };
            double const slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
            Vec3d force = math::forceValue(here.forces[a]);
            EXPECT_NEAR(axis(force, d), -slope, 1e-8 * scale) << a << d;
        }
}

TEST(DistanceRestraints, VirialIsTheSlopeByAStrain)
{
    auto const at = [&](double strain) {
        std::vector<Vec3d> moved = places;
        for (Vec3d& r : moved) r = (1 + strain) * r;
        double const edge = 4 * (1 + strain);
        return Restraining(moved, physics::Box({edge, 0, 0}, {0, edge, 0}, {0, 0, edge}), false).energy();
    };
    double const h = 1e-3;
    double const slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_NEAR(Restraining(places, cube, false).sums.virial.value().trace(), 0.5 * slope, 1e-3);
}

TEST(DistanceRestraints, EqualWeightsShareOneForce)
{
    Restraining const equal(places, cube, true), sloped(places, cube, false);
    EXPECT_EQ(equal.energy(), sloped.energy());
    // Atom 4 is in two of three pairs and in no other restraint: two forces of one size.
    auto const pull = [&](std::size_t i) {
        Vec3d const d = cube.difference(cube.toFraction(places[i]), cube.toFraction(places[4]));
        return (1 / norm(d)) * d;
    };
    Vec3d const both = pull(0) + pull(1), force = math::forceValue(equal.forces[4]);
    double const size = norm(force) / norm(both);
    EXPECT_GT(size, 1);
    EXPECT_LT(norm(force - size * both), 1e-6 * norm(force));
}

TEST(DistanceRestraints, CoincidingAtomsAreNamed)
{
    std::vector<Vec3d> together = places;
    together[3] = together[0];
    std::vector<math::FractionVec> positions;
    for (Vec3d const x : together) positions.push_back(cube.toFraction(x));
    std::vector<math::ForceUnits> forces(6);
    plan::DistanceRestraintPlan plan;
    plan.active = true;
    system::Topology const topology = moleculesWith({{Kind::distanceRestraint, {{0, 3, 0, 1, 0.1, 0.2, 0.3, 1.0}}}}, 6);
    cpu::DistanceRestraints const restraints(topology, plan);
    EXPECT_NO_THROW(restraints.add(positions, cube, forces, nullptr)) << "no direction: no force";
    plan.active = false;
    EXPECT_TRUE(cpu::DistanceRestraints(topology, plan).empty());
}

} // namespace
} // namespace alder::tests
