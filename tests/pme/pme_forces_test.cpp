#include "pme/charged_system.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace alder::test {
namespace {

using cpu::SimdLevel;

struct Case {
    Shape shape;
    double extra;
    int order;
};

class AgainstDirectSum : public testing::TestWithParam<Case> {};

// Grids and beta so fine that what is left is the engine's float arithmetic, or for low orders the interpolation itself.
TEST_P(AgainstDirectSum, EnergyForcesVirial)
{
    auto const [shape, extra, order] = GetParam();
    ChargedSystem const system = randomCharges(60, shape, extra, 5);
    double const beta = 2.6;
    std::array<int, 3> const grid{96, 108, 104};
    // What interpolation leaves shrinks by the spacing to the power of the order; from order 6 on it is below float's noise.
    double const interpolation = order == 3 ? 2e-3 : order == 4 ? 1e-4 : order == 5 ? 1e-5 : 2e-6;
    double const energyTolerance = order == 3 ? 2e-4 : order == 4 ? 1e-6 : 1e-6;
    Reciprocal const expected = directSum(system, beta);
    double const scale = std::abs(expected.energy);
    for (SimdLevel const level : levels()) {
        Reciprocal const found = engine(system, planFor(system, order, grid, beta), level, 2);
        EXPECT_NEAR(found.energy, expected.energy, energyTolerance * scale) << nameOf(level);
        EXPECT_LT(relativeError(found.forces, expected.forces), interpolation) << nameOf(level);
        EXPECT_LT(largestDifference(found.virial, expected.virial), 2 * energyTolerance * scale) << nameOf(level);
    }
}

std::vector<Case> allCases()
{
    std::vector<Case> cases;
    for (Shape const shape : {Shape::rectangular, Shape::triclinic})
        for (double const extra : {0.0, 2.5})
            for (int order = 3; order <= 8; ++order) cases.push_back({shape, extra, order});
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Orders, AgainstDirectSum, testing::ValuesIn(allCases()), [](auto const& info) {
    Case const& c = info.param;
    return std::string(c.shape == Shape::rectangular ? "rectangular" : "triclinic") + (c.extra != 0 ? "Charged" : "Neutral") +
           std::to_string(c.order);
});

// The schedule against plain PME in double: interpolation is the same on both sides, so the difference is rounding alone. Sizes with
// every radix, primes without a butterfly of their own, odd ones, and ones below, at and just over whole vectors.
TEST(PmeForces, RoundingAgainstPlainPmeInDouble)
{
    std::vector<std::array<int, 3>> const grids{{16, 16, 16}, {14, 15, 17}, {25, 33, 19}, {20, 22, 26},
                                                {31, 23, 32}, {52, 49, 34}, {14, 14, 64}};
    unsigned seed = 1;
    for (auto const& grid : grids)
        for (int const order : {3, 4, 5, 8}) {
            ChargedSystem const system = randomCharges(83, seed % 2 ? Shape::triclinic : Shape::rectangular, 0, seed);
            ++seed;
            plan::PmePlan const plan = planFor(system, order, grid, 3.1);
            Reciprocal const expected = plainPme(system, plan);
            for (SimdLevel const level : levels()) {
                Reciprocal const found = engine(system, plan, level, 2);
                EXPECT_LT(relativeError(found.forces, expected.forces), 2e-6) << grid[0] << ' ' << order << ' ' << nameOf(level);
                EXPECT_NEAR(found.energy / expected.energy, 1, 5e-7) << grid[0] << ' ' << order << ' ' << nameOf(level);
            }
        }
}

TEST(PmeForces, AreMinusTheGradientOfTheEnergy)
{
    ChargedSystem system = randomCharges(20, Shape::triclinic, 0, 11);
    plan::PmePlan const plan = planFor(system, 6, {40, 42, 44}, 3.0);
    std::vector<math::Vec3d> const forces = engine(system, plan, cpu::bestSimdLevel(), 1).forces;
    double rms = 0;
    for (auto const& f : forces) rms += math::norm2(f) / static_cast<double>(forces.size());
    rms = std::sqrt(rms);
    double const step = 2e-3;
    for (std::size_t atom : {0U, 3U, 4U, 7U})
        for (math::Vec3d const along : {math::Vec3d{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
            auto const energyAt = [&](double d) {
                ChargedSystem moved = system;
                moved.positions[atom] = math::wrappingSum(moved.positions[atom], system.box.toFractionStep(d * along));
                return engine(moved, plan, cpu::bestSimdLevel(), 1).energy;
            };
            double const slope = (energyAt(step) - energyAt(-step)) / (2 * step);
            EXPECT_NEAR(-slope, math::dot(forces[atom], along), 3e-4 * rms) << atom;
        }
}

// -1/2 sum r outer F is half the change of the energy under strain.
TEST(PmeForces, VirialIsHalfTheSlopeUnderStrain)
{
    ChargedSystem system = randomCharges(40, Shape::triclinic, 1.5, 3);
    plan::PmePlan const plan = planFor(system, 6, {40, 42, 44}, 3.0);
    math::Mat3d const virial = engine(system, plan, cpu::bestSimdLevel(), 1).virial;
    auto const energyAt = [&](math::Mat3d const& strain) {
        // Fractions stay; box vectors v become (1 + strain) v. Lower-triangular strain keeps the box in its form.
        auto const apply = [&](math::Vec3d v) {
            return v + math::Vec3d{math::dot(strain.x, v), math::dot(strain.y, v), math::dot(strain.z, v)};
        };
        ChargedSystem strained = system;
        strained.box = physics::Box(apply(system.box.a()), apply(system.box.b()), apply(system.box.c()));
        return engine(strained, plan, cpu::bestSimdLevel(), 1).energy;
    };
    double const e = 1e-3, scale = std::abs(virial.x.x) + std::abs(virial.y.y) + std::abs(virial.z.z);
    auto const slope = [&](math::Mat3d const& direction) { return 0.5 * (energyAt(e * direction) - energyAt(-e * direction)) / (2 * e); };
    EXPECT_NEAR(slope({{1, 0, 0}, {}, {}}), virial.x.x, 1e-4 * scale);
    EXPECT_NEAR(slope({{}, {0, 1, 0}, {}}), virial.y.y, 1e-4 * scale);
    EXPECT_NEAR(slope({{}, {}, {0, 0, 1}}), virial.z.z, 1e-4 * scale);
    EXPECT_NEAR(slope({{0, 1, 0}, {}, {}}), virial.x.y, 1e-4 * scale);
    EXPECT_NEAR(slope({{0, 0, 1}, {}, {}}), virial.x.z, 1e-4 * scale);
    EXPECT_NEAR(slope({{}, {0, 0, 1}, {}}), virial.y.z, 1e-4 * scale);
    EXPECT_EQ(virial.x.y, virial.y.x);
}

// Rock salt: the Madelung constant is the energy of an ion pair in units of -f/r0. Real space in double here, the rest by the engine.
TEST(PmeForces, MadelungConstantOfRockSalt)
{
    int const cells = 4; // of edge 2 r0
    double const r0 = 0.28, edge = 2 * r0 * cells, beta = 4.0;
    ChargedSystem system;
    system.box = physics::Box({edge, 0, 0}, {0, edge, 0}, {0, 0, edge});
    for (int x = 0; x < 2 * cells; ++x)
        for (int y = 0; y < 2 * cells; ++y)
            for (int z = 0; z < 2 * cells; ++z) {
                system.positions.push_back(system.box.toFraction({(x + 0.1) * r0, (y + 0.3) * r0, (z + 0.7) * r0}));
                system.charges.push_back((x + y + z) % 2 == 0 ? 1.0 : -1.0);
            }
    double real = 0;
    int const reach = 6;
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = -reach; z <= reach; ++z) {
                double const r = r0 * std::sqrt(static_cast<double>(x * x + y * y + z * z));
                if (r > 0) real += ((x + y + z) % 2 == 0 ? 1 : -1) * std::erfc(beta * r) / r;
            }
    auto const ions = static_cast<double>(system.charges.size());
    plan::PmePlan const plan = planFor(system, 8, {64, 64, 64}, beta);
    for (SimdLevel const level : levels()) {
        double const energy = ions / 2 * physics::coulombConstant * real + engine(system, plan, level, 2).energy + plan.selfEnergy;
        EXPECT_NEAR(-energy / (ions / 2) * r0 / physics::coulombConstant, 1.7475645946331822, 1e-6) << nameOf(level);
    }
}

TEST(PmeForces, SelfEnergyGoesToShortRange)
{
    ChargedSystem const system = randomCharges(20, Shape::rectangular, 1, 2);
    plan::PmePlan const plan = planFor(system, 4, {20, 20, 20}, 3.0);
    cpu::PmeForces pme(system.topology(), plan, cpu::bestSimdLevel(), 1);
    std::vector<math::ForceUnits> forces(system.charges.size());
    system::ForceSums sums;
    base::Clock clock;
    pme.add(system.positions, system.box, forces, &sums, clock);
    double expected = 0;
    for (double const q : system.charges) expected -= physics::coulombConstant * 3.0 / std::sqrt(physics::pi) * q * q;
    EXPECT_NEAR(sums.of(system::Term::coulombSR).value(), expected, 1e-6);
    EXPECT_EQ(clock.calls(base::Part::pmeSpread), 1);
    EXPECT_EQ(clock.calls(base::Part::pmeGather), 1);
}

class SameBits : public testing::TestWithParam<SimdLevel> {
protected:
    ChargedSystem const system = randomCharges(101, Shape::triclinic, 0.7, 21);
    plan::PmePlan const plan = planFor(system, 5, {18, 21, 26}, 3.0);
};

TEST_P(SameBits, ForAnyNumberOfThreads)
{
    auto const forces = engineForces(system, plan, GetParam(), 1);
    Reciprocal const sums = engine(system, plan, GetParam(), 1);
    for (int const threads : {2, 3, 7, 25}) { // 25: more threads than planes
        EXPECT_EQ(engineForces(system, plan, GetParam(), threads), forces) << threads;
        Reciprocal const other = engine(system, plan, GetParam(), threads);
        EXPECT_EQ(other.energy, sums.energy);
        EXPECT_EQ(largestDifference(other.virial, sums.virial), 0);
        EXPECT_EQ(other.forces, sums.forces);
    }
}

TEST_P(SameBits, ForAnyOrderOfAtoms)
{
    auto const forces = engineForces(system, plan, GetParam(), 2);
    std::vector<std::size_t> order(system.charges.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(4));
    ChargedSystem shuffled = system;
    for (std::size_t i = 0; i < order.size(); ++i) {
        shuffled.positions[i] = system.positions[order[i]];
        shuffled.charges[i] = system.charges[order[i]];
    }
    auto const found = engineForces(shuffled, plan, GetParam(), 2);
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], forces[order[i]]);
}

TEST_P(SameBits, ForAnyImageOfAnAtom)
{
    ChargedSystem images = system;
    for (std::size_t i = 0; i < system.positions.size(); ++i) {
        math::Vec3d const r = system.box.toPosition(system.positions[i]);
        // A box vector added and lost again: a hair's breadth of rounding is undone, as the fractions are what counts.
        math::FractionVec const again = system.box.toFraction(r + system.box.a() - system.box.c());
        math::Vec3d const moved = system.box.displacement(math::wrappingDifference(again, system.positions[i]));
        EXPECT_LT(math::norm(moved), 2e-9);
        images.positions[i] =
            math::wrappingSum(math::wrappingSum(system.positions[i], {1 << 30, 1 << 30, 1 << 30}), {-(1 << 30), -(1 << 30), -(1 << 30)});
    }
    EXPECT_EQ(engineForces(images, plan, GetParam(), 1), engineForces(system, plan, GetParam(), 1));
}

// One object used step after step, box changes included, gives what a fresh one gives.
TEST_P(SameBits, WhateverWentBefore)
{
    cpu::PmeForces pme(system.topology(), plan, GetParam(), 2);
    base::Clock clock;
    std::vector<math::ForceUnits> forces(system.charges.size());
    ChargedSystem other = randomCharges(101, Shape::rectangular, 0.7, 22);
    pme.add(other.positions, other.box, forces, nullptr, clock);
    forces.assign(forces.size(), {});
    pme.add(system.positions, system.box, forces, nullptr, clock);
    EXPECT_EQ(forces, engineForces(system, plan, GetParam(), 2));
}

INSTANTIATE_TEST_SUITE_P(Levels, SameBits, testing::ValuesIn(levels()), [](auto const& info) {
    return std::string(info.param == SimdLevel::sse41 ? "sse41" : info.param == SimdLevel::avx2 ? "avx2" : "avx512");
});

// The charge grid never wraps in silence.
TEST(PmeForces, RefusesChargesPiledUp)
{
    for (int const count : {30, 40, 60, 145}) {
        ChargedSystem system = randomCharges(4, Shape::rectangular, 0, 8);
        system.positions.resize(static_cast<std::size_t>(count) + 4, system.positions[0]);
        system.charges.resize(static_cast<std::size_t>(count) + 4, 1.0);
        plan::PmePlan const plan = planFor(system, 4, {20, 20, 20}, 3.0);
        EXPECT_THROW(engineForces(system, plan, cpu::bestSimdLevel(), 2), base::RunFailed) << count;
    }
}

TEST(PmeForces, DoesNothingWithoutCharges)
{
    ChargedSystem system = randomCharges(12, Shape::rectangular, 0, 8);
    system.charges.assign(12, 0.0);
    for (auto const& f : engineForces(system, planFor(system, 4, {20, 20, 20}, 3.0), cpu::bestSimdLevel(), 2))
        EXPECT_EQ(f, (math::ForceUnits{0, 0, 0}));
}

} // namespace
} // namespace alder::test
