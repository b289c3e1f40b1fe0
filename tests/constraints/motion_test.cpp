#include "cpu/update/motion.hpp"

#include "base/error.hpp"
#include "constraints/random_water.hpp"
#include "constraints/small_systems.hpp"
#include "cpu/update/water_step.hpp"
#include "physics/leap_frog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace alder;
using math::FractionVec;
using math::Vec3d;
using ::testing::AllOf;
using ::testing::HasSubstr;

physics::Box const cube({3, 0, 0}, {0, 3, 0}, {0, 0, 3});
physics::Box const skewed({3, 0, 0}, {1.0, 2.8, 0}, {-0.9, 1.1, 2.6});

double largest(Vec3d v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// Positions, velocities and what moves them.
struct Sample {
    std::vector<FractionVec> positions;
    std::vector<Vec3d> velocities;
    std::vector<math::ForceUnits> forces;
};

/// Waters turned at random and free atoms, all with random velocities and forces; waters start rigid.
Sample randomSample(system::Topology const& topology, physics::Box const& box, cpu::Motion& motion)
{
    Sample s;
    physics::WaterGeometry<double> const geometry = physics::waterGeometry(15.9994, 1.008, 0.1, 0.1633);
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        trial::RandomWater random(first);
        Vec3d const place = random.vector(1.0);
        physics::WaterBonds<double> const bonds = random.bonds(geometry);
        Vec3d const offsets[3] = {{}, bonds.toHydrogen1, bonds.toHydrogen2};
        for (std::size_t a = 0; a < type.atoms.size(); ++a) {
            s.positions.push_back(box.toFraction(place + offsets[a]));
            s.velocities.push_back(random.vector(0.6));
            s.forces.push_back(math::forceUnits(random.vector(400)));
        }
    });
    motion.constrainStart(s.positions, s.velocities, box);
    return s;
}

template <class T> bool sameBits(std::vector<T> const& a, std::vector<T> const& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

engine::Scaling lambdas(std::vector<double> factors)
{
    engine::Scaling scaling;
    scaling.velocity = std::move(factors);
    return scaling;
}

plan::StepPlan everything(std::int64_t step)
{
    plan::StepPlan plan;
    plan.step = step;
    plan.energies = plan.kinetic = true;
    plan.removeComm = step % 3 == 0;
    return plan;
}

TEST(FractionSteps, RoundAsTheBoxDoes)
{
    trial::RandomWater random(3);
    int differ = 0;
    for (physics::Box const& box : {cube, skewed}) {
        physics::FractionSteps const steps(box);
        for (int i = 0; i < 10000; ++i) {
            Vec3d const d = random.vector(i % 2 ? 0.3 : 1e-9);
            FractionVec const ours = steps.of(d), known = box.toFractionStep(d);
            FractionVec const off = wrappingDifference(ours, known);
            EXPECT_LE(std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}), 1);
            differ += !(ours == known);
            FractionVec const back = steps.of(-d);
            EXPECT_EQ(wrappingSum(ours, back), (FractionVec{0, 0, 0}));
        }
    }
    EXPECT_LT(differ, 20);
}

/// A step of one free atom against the formula in long double.
TEST(Motion, StepsAFreeAtomAsLeapFrogSays)
{
    for (physics::Box const& box : {cube, skewed}) {
        system::Topology topology = trial::emptyTopology();
        trial::addFreeAtoms(topology, 5, 39.948);
        cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 1);
        Sample s = randomSample(topology, box, motion), before = s;
        engine::AdvanceSums sums;
        motion.advance(s.positions, s.velocities, box, s.forces, {}, lambdas({0.97}), sums);
        for (std::size_t i = 0; i < 5; ++i) {
            Vec3d const v = 0.97 * before.velocities[i] + (0.002 / 39.948) * math::forceValue(before.forces[i]);
            EXPECT_LT(largest(s.velocities[i] - v), 1e-15);
            EXPECT_LT(largest(box.difference(s.positions[i], before.positions[i]) - 0.002 * v), 1.5e-9);
        }
    }
}

/// A harmonic oscillator for a fixed time. Leap-frog's error is second order: a quarter of it at half the step.
TEST(Motion, HasAnErrorOfSecondOrder)
{
    double const mass = 2.0, stiffness = 800.0, omega = std::sqrt(stiffness / mass), start = 0.2, duration = 3.0;
    std::vector<double> errors;
    for (double const dt : {0.004, 0.002, 0.001}) {
        system::Topology topology = trial::emptyTopology();
        trial::addFreeAtoms(topology, 1, mass);
        cpu::Motion motion(topology, trial::dynamicsPlan(dt), 1);
        Vec3d const centre{1.5, 1.5, 1.5};
        std::vector<FractionVec> x{cube.toFraction(centre + Vec3d{start, 0, 0})};
        std::vector<Vec3d> v{{start * omega * std::sin(omega * 0.5 * dt), 0, 0}}; // exact v(-dt/2) of x = start cos(omega t)
        engine::AdvanceSums sums;
        auto const steps = static_cast<int>(std::lround(duration / dt));
        for (int i = 0; i < steps; ++i) {
            Vec3d const away = cube.difference(x[0], cube.toFraction(centre));
            motion.advance(x, v, cube, {math::forceUnits(-stiffness * away)}, {}, {}, sums);
        }
        errors.push_back(std::fabs(cube.difference(x[0], cube.toFraction(centre)).x - start * std::cos(omega * duration)));
    }
    EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.1);
    EXPECT_NEAR(errors[1] / errors[2], 4.0, 0.05);
}

TEST(Motion, GoesBackTheWayItCame)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 1, 2.0);
    cpu::Motion motion(topology, trial::dynamicsPlan(0.004), 1);
    Vec3d const centre{1.5, 1.5, 1.5};
    FractionVec const start = cube.toFraction(centre + Vec3d{0.2, 0.1, -0.05});
    std::vector<FractionVec> x{start};
    std::vector<Vec3d> v{{1, 2, 3}};
    engine::AdvanceSums sums;
    auto const step = [&] {
        Vec3d const away = cube.difference(x[0], cube.toFraction(centre));
        motion.advance(x, v, cube, {math::forceUnits(-800.0 * away)}, {}, {}, sums);
    };
    for (int i = 0; i < 1000; ++i) step();
    // v now belongs to the half step that led here; turned round it leads back
    v[0] = -v[0];
    x[0] = wrappingSum(x[0], physics::FractionSteps(cube).of(0.004 * v[0]));
    for (int i = 0; i < 999; ++i) step();
    // velocities are rounded at 1e-16 of their size a step, positions at 2^-33 of the box
    EXPECT_LT(largest(cube.difference(x[0], start)), 1e-9);
}

TEST(Motion, KeepsWatersRigidAndTheirMomentum)
{
    for (physics::Box const& box : {cube, skewed}) {
        system::Topology topology = trial::emptyTopology();
        trial::addWaters(topology, 21);
        cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 1);
        Sample s = randomSample(topology, box, motion);
        engine::AdvanceSums sums;
        for (int i = 0; i < 300; ++i) {
            Vec3d before{}, kick{};
            for (std::size_t a = 0; a < 63; ++a) {
                s.forces[a] = (i / 10) % 2 ? s.forces[a] : -s.forces[a];
                before += (a % 3 ? 1.008 : 15.9994) * s.velocities[a];
                kick += 0.002 * math::forceValue(s.forces[a]);
            }
            motion.advance(s.positions, s.velocities, box, s.forces, {}, {}, sums);
            Vec3d after{};
            for (std::size_t a = 0; a < 63; ++a) after += (a % 3 ? 1.008 : 15.9994) * s.velocities[a];
            EXPECT_LT(largest(after - before - kick), 1e-10);
        }
        for (std::size_t w = 0; w < 21; ++w) {
            Vec3d const r1 = box.difference(s.positions[3 * w + 1], s.positions[3 * w]);
            Vec3d const r2 = box.difference(s.positions[3 * w + 2], s.positions[3 * w]);
            EXPECT_NEAR(norm(r1), 0.1, 3e-9); // two quanta of 3 nm / 2^32
            EXPECT_NEAR(norm(r2), 0.1, 3e-9);
            EXPECT_NEAR(norm(r2 - r1), 0.1633, 3e-9);
        }
    }
}

/// After a step with constraints the velocity is the displacement over dt.
TEST(Motion, LeavesVelocitiesThatFitTheDisplacements)
{
    system::Topology topology = trial::emptyTopology();
    trial::addWaters(topology, 9);
    cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 1);
    Sample s = randomSample(topology, skewed, motion);
    std::vector<FractionVec> const before = s.positions;
    engine::AdvanceSums sums;
    motion.advance(s.positions, s.velocities, skewed, s.forces, {}, {}, sums);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_LT(largest(skewed.difference(s.positions[i], before[i]) - 0.002 * s.velocities[i]), 1.5e-9);
}

/// No formula of SETTLE enters here: the constraint forces of a molecule that turns freely are the centripetal ones, so
/// -1/2 sum r F = 1/2 sum m v_rot^2, up to dt^2 and to what the rounding of positions (1e-10 nm of a shift of 4e-7 nm) adds.
TEST(Motion, HasACentripetalVirialForAFreeRotor)
{
    system::Topology topology = trial::emptyTopology();
    trial::addWaters(topology, 1);
    double const dt = 2e-4;
    physics::Box const small({0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5});
    cpu::Motion motion(topology, trial::dynamicsPlan(dt), 1);
    Sample s = randomSample(topology, small, motion);
    s.forces.assign(3, {});
    engine::AdvanceSums sums;
    double rotation = 0;
    for (int half = 0; half < 2; ++half) { // mean of the half steps before and after
        Vec3d p{};
        double const masses[3] = {15.9994, 1.008, 1.008};
        for (std::size_t a = 0; a < 3; ++a) p += masses[a] * s.velocities[a];
        Vec3d const drift = (1 / 18.0154) * p;
        for (std::size_t a = 0; a < 3; ++a) rotation += 0.25 * masses[a] * norm2(s.velocities[a] - drift);
        if (half == 0) motion.advance(s.positions, s.velocities, small, s.forces, everything(1), {}, sums);
    }
    EXPECT_NEAR(sums.constraintVirial.value().trace(), rotation, 1e-3 * rotation);
    EXPECT_GT(rotation, 0.1);
}

TEST(Motion, GivesTheSameBitsForAnyNumberOfThreads)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 7, 39.948);
    trial::addWaters(topology, 37);
    trial::addFreeAtoms(topology, 3, 22.99);
    topology.temperatureGroups.names = {"A", "B"};
    for (std::int64_t i = 0; i < topology.atomCount; ++i) topology.temperatureGroups.groupOf.push_back(i % 5 == 0);

    std::vector<Sample> ends;
    std::vector<engine::AdvanceSums> sums(3);
    for (int threads = 1; threads <= 3; ++threads) {
        cpu::Motion motion(topology, trial::dynamicsPlan(0.002, 2), threads);
        Sample s = randomSample(topology, skewed, motion);
        for (int step = 0; step < 20; ++step)
            motion.advance(s.positions, s.velocities, skewed, s.forces, everything(step), lambdas({0.95, 0.9}),
                           sums[static_cast<std::size_t>(threads - 1)]);
        ends.push_back(s);
    }
    for (std::size_t k = 1; k < 3; ++k) {
        EXPECT_TRUE(sameBits(ends[0].positions, ends[k].positions));
        EXPECT_TRUE(sameBits(ends[0].velocities, ends[k].velocities));
        EXPECT_EQ(sums[0].constraintVirial.xy.units, sums[k].constraintVirial.xy.units);
        EXPECT_EQ(sums[0].motion.momentumX.units, sums[k].motion.momentumX.units);
        for (std::size_t g = 0; g < 2; ++g) EXPECT_EQ(sums[0].motion.kinetic[g].zz.units, sums[k].motion.kinetic[g].zz.units);
    }
}

/// A molecule's bits must not depend on its neighbours in the vector register, nor on whether the block is full.
TEST(Motion, StepsAWaterAloneAsInACrowd)
{
    system::Topology crowd = trial::emptyTopology(), alone = trial::emptyTopology();
    trial::addWaters(crowd, 13);
    trial::addWaters(alone, 1);
    cpu::Motion many(crowd, trial::dynamicsPlan(0.002), 1), one(alone, trial::dynamicsPlan(0.002), 1);
    Sample const start = randomSample(crowd, skewed, many);
    for (std::size_t w = 0; w < 13; ++w) {
        auto const cut = [&](auto const& all) {
            auto const begin = all.begin() + 3 * static_cast<long>(w);
            return std::vector(begin, begin + 3);
        };
        Sample s = start, single{cut(start.positions), cut(start.velocities), cut(start.forces)};
        engine::AdvanceSums sums;
        many.advance(s.positions, s.velocities, skewed, s.forces, {}, {}, sums);
        one.advance(single.positions, single.velocities, skewed, single.forces, {}, {}, sums);
        EXPECT_TRUE(sameBits(cut(s.positions), single.positions)) << w;
        EXPECT_TRUE(sameBits(cut(s.velocities), single.velocities)) << w;
    }
}

TEST(WaterStep, GivesTheSameBitsInEveryVectorWidth)
{
    physics::WaterGeometry<double> const geometry = physics::waterGeometry(15.9994, 1.008, 0.1, 0.1633);
    std::vector<cpu::StepWaters> const versions = cpu::stepWatersVersions();
    cpu::WaterStep const step{geometry,
                              skewed,
                              physics::FractionSteps(skewed),
                              0.002,
                              500,
                              physics::kickFactor(0.002, 1 / 15.9994),
                              physics::kickFactor(0.002, 1 / 1.008)};
    for (int trial = 0; trial < 100; ++trial) {
        cpu::WaterLanes start{};
        for (std::size_t l = 0; l < cpu::waterLanes; ++l) {
            trial::RandomWater random(trial * 8 + static_cast<int>(l));
            physics::WaterBonds<double> const bonds = random.bonds(geometry);
            auto const put = [&](auto& lanes, auto value) {
                lanes.x[l] = value.x;
                lanes.y[l] = value.y;
                lanes.z[l] = value.z;
            };
            put(start.fractions[0], skewed.toFractionStep(bonds.toHydrogen1));
            put(start.fractions[1], skewed.toFractionStep(bonds.toHydrogen2));
            for (std::size_t a = 0; a < 3; ++a) {
                start.lambda[a][l] = 1.01;
                start.kick[a][l] = 1.0;
                put(start.velocity[a], random.vector(0.6));
                put(start.force[a], math::forceUnits(random.vector(500)));
            }
        }
        cpu::WaterLanes first = start;
        versions.front()(first, step);
        EXPECT_TRUE(std::isfinite(first.largestSquare[0]));
        for (cpu::StepWaters const version : versions) {
            cpu::WaterLanes other = start;
            version(other, step);
            EXPECT_EQ(std::memcmp(&first, &other, sizeof first), 0);
        }
    }
}

TEST(Motion, SumsKineticEnergiesByGroupAndMomentum)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 10, 4.0);
    trial::addWaters(topology, 3);
    topology.temperatureGroups.names = {"A", "B"};
    for (std::int64_t i = 0; i < topology.atomCount; ++i) topology.temperatureGroups.groupOf.push_back(i >= 10);
    cpu::Motion motion(topology, trial::dynamicsPlan(0.002, 2), 2);
    Sample const s = randomSample(topology, cube, motion);
    system::MotionSums const sums = motion.motion(s.velocities);
    double kinetic[2] = {}, xy[2] = {}, momentum = 0;
    for (std::size_t i = 0; i < s.velocities.size(); ++i) {
        double const mass = i < 10 ? 4.0 : (i - 10) % 3 ? 1.008 : 15.9994;
        kinetic[i >= 10] += 0.5 * mass * norm2(s.velocities[i]);
        xy[i >= 10] += 0.5 * mass * s.velocities[i].x * s.velocities[i].y;
        momentum += mass * s.velocities[i].z;
    }
    for (std::size_t g = 0; g < 2; ++g) {
        EXPECT_NEAR(sums.kinetic[g].value().trace(), kinetic[g], 2e-6);
        EXPECT_NEAR(sums.kinetic[g].xy.value(), xy[g], 1e-6);
        EXPECT_EQ(sums.kinetic[g].xy.units, sums.kinetic[g].yx.units);
    }
    EXPECT_NEAR(sums.momentumZ.value(), momentum, 1e-6);
}

TEST(Motion, RemovesTheDriftAndNothingElse)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 10, 4.0);
    trial::addWaters(topology, 3);
    trial::addFreeAtoms(topology, 2, 0.0);
    cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 1);
    Sample with = randomSample(topology, cube, motion);
    with.velocities[19] = with.velocities[20] = {};
    Sample without = with;
    engine::AdvanceSums sums;
    plan::StepPlan plan;
    plan.kinetic = true;
    motion.advance(without.positions, without.velocities, cube, without.forces, plan, {}, sums);
    EXPECT_GT(std::fabs(sums.motion.momentumX.value()), 0.1);
    plan.removeComm = true;
    motion.advance(with.positions, with.velocities, cube, with.forces, plan, {}, sums);
    EXPECT_LT(std::fabs(sums.motion.momentumX.value()), 1e-5);
    EXPECT_LT(std::fabs(sums.motion.momentumY.value()), 1e-5);
    EXPECT_LT(std::fabs(sums.motion.momentumZ.value()), 1e-5);
    EXPECT_TRUE(sameBits(with.positions, without.positions));
    Vec3d const drift = without.velocities[0] - with.velocities[0];
    for (std::size_t i = 1; i < 19; ++i) EXPECT_LT(largest(without.velocities[i] - with.velocities[i] - drift), 1e-14);
    EXPECT_EQ(with.velocities[19], (Vec3d{}));
}

TEST(Motion, StartsWithRigidWatersAndHalfStepsThatKeepThemRigid)
{
    system::Topology topology = trial::emptyTopology();
    trial::addWaters(topology, 20);
    double const dt = 0.002;
    cpu::Motion motion(topology, trial::dynamicsPlan(dt), 1);
    Sample s = randomSample(topology, skewed, motion);
    // knock them out of shape
    trial::RandomWater random(9);
    for (std::size_t i = 0; i < s.positions.size(); ++i) {
        s.positions[i] = wrappingSum(s.positions[i], skewed.toFractionStep(random.vector(0.002)));
        s.velocities[i] = random.vector(0.8);
    }
    Sample const knocked = s;
    motion.constrainStart(s.positions, s.velocities, skewed);
    for (std::size_t w = 0; w < 20; ++w) {
        Vec3d moved{}, change{};
        for (std::size_t a = 0; a < 3; ++a) {
            double const mass = a ? 1.008 : 15.9994;
            moved += mass * skewed.difference(s.positions[3 * w + a], knocked.positions[3 * w + a]);
            change += mass * (s.velocities[3 * w + a] - knocked.velocities[3 * w + a]);
        }
        EXPECT_LT(largest(moved), 3e-8);
        EXPECT_LT(largest(change), 1e-11);
        for (int back = 0; back < 2; ++back) {
            auto const at = [&](std::size_t a) {
                return skewed.difference(s.positions[3 * w + a], s.positions[3 * w]) -
                       (back ? dt : 0.0) * (s.velocities[3 * w + a] - s.velocities[3 * w]);
            };
            EXPECT_NEAR(norm(at(1)), 0.1, 3e-9);
            EXPECT_NEAR(norm(at(2)), 0.1, 3e-9);
            EXPECT_NEAR(norm(at(2) - at(1)), 0.1633, 3e-9);
        }
    }
    std::vector<Vec3d> none;
    EXPECT_NO_THROW(motion.constrainStart(s.positions, none, skewed));
}

class MotionFails : public ::testing::Test {
protected:
    MotionFails()
    {
        trial::addFreeAtoms(topology, 4, 39.948);
        trial::addWaters(topology, 12);
    }
    std::string message(Sample s, cpu::Motion& motion)
    {
        plan::StepPlan plan;
        plan.step = 4711;
        engine::AdvanceSums sums;
        try {
            motion.advance(s.positions, s.velocities, cube, s.forces, plan, {}, sums);
        } catch (base::RunFailed const& failed) {
            return failed.what();
        }
        return "";
    }
    system::Topology topology = trial::emptyTopology();
};

TEST_F(MotionFails, NamingStepAtomAndSize)
{
    for (int const threads : {1, 3}) {
        cpu::Motion motion(topology, trial::dynamicsPlan(0.002), threads);
        Sample const good = randomSample(topology, cube, motion);
        EXPECT_EQ(message(good, motion), "");

        Sample clamped = good;
        clamped.forces[2] = math::forceUnits({NAN, 0, 0});
        EXPECT_THAT(message(clamped, motion), AllOf(HasSubstr("step 4711"), HasSubstr("atom 3 (Ar"), HasSubstr("not a number")));
        clamped.forces[0] = math::forceUnits({0, 1e12, 0}); // the first atom is named
        EXPECT_THAT(message(clamped, motion), AllOf(HasSubstr("atom 1 (Ar"), HasSubstr("6.71e+07")));

        Sample water = good;
        water.forces[4 + 3 * 7 + 1] = math::forceUnits({0, 0, HUGE_VAL});
        EXPECT_THAT(message(water, motion), AllOf(HasSubstr("atom 27 (HW1 of residue SOL"), HasSubstr("SOL 12")));

        Sample fast = good;
        fast.velocities[1] = {0, 1000, 0};
        EXPECT_THAT(message(fast, motion), AllOf(HasSubstr("atom 2 (Ar"), HasSubstr("would move 2 nm")));
        fast.velocities[1] = {0, NAN, 0};
        EXPECT_THAT(message(fast, motion), HasSubstr("atom 2 (Ar"));

        Sample torn = good;
        torn.velocities[4 + 3] = {60, 60, 60};
        torn.velocities[4 + 4] = {-60, 60, 60};
        EXPECT_THAT(message(torn, motion), AllOf(HasSubstr("atom 8 (OW"), HasSubstr("cannot be satisfied")));
    }
}

TEST_F(MotionFails, WhenAStartingWaterIsNoWater)
{
    cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 1);
    Sample s = randomSample(topology, cube, motion);
    s.positions[4 + 1] = s.positions[4]; // a hydrogen on its oxygen
    std::string said;
    try {
        motion.constrainStart(s.positions, s.velocities, cube);
    } catch (base::RunFailed const& failed) {
        said = failed.what();
    }
    EXPECT_THAT(said, AllOf(HasSubstr("atom 5 (OW"), HasSubstr("rigid")));
}

TEST(SettleSet, RefusesTrianglesThatCannotBe)
{
    auto const build = [](double dOH, double dHH, double secondMass) {
        system::Topology topology = trial::emptyTopology();
        topology.parameters[static_cast<std::size_t>(system::Kind::settle)].push_back({dOH, dHH});
        trial::addWaters(topology, 2);
        topology.types[0].atoms[2].mass = secondMass;
        return constraints::SettleSet(topology);
    };
    EXPECT_EQ(build(0.1, 0.1633, 1.008).count(), 2);
    EXPECT_THROW(build(0.1, 0.21, 1.008), base::RunFailed);
    EXPECT_THROW(build(0.0, 0.1, 1.008), base::RunFailed);
    EXPECT_THROW(build(0.1, 0.1633, 2.016), base::RunFailed);
}

} // namespace
