// The update with constrained molecules of every form beside waters and free atoms.
#include "constraints/constrained_molecules.hpp"
#include "constraints/force_projection.hpp"
#include "cpu/update/motion.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace alder;
using math::FractionVec;
using math::Vec3d;
using ::testing::AllOf;
using ::testing::HasSubstr;

physics::Box const cube({4, 0, 0}, {0, 4, 0}, {0, 0, 4});
physics::Box const skewed({4, 0, 0}, {1.0, 3.8, 0}, {-0.9, 1.1, 3.6});

double largest(Vec3d v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

struct Sample {
    std::vector<FractionVec> positions;
    std::vector<Vec3d> velocities;
    std::vector<math::ForceUnits> forces;
};

class ConstrainedMotion : public ::testing::Test {
protected:
    /// Every molecule with constraints, waters, free atoms; some molecules lie across the faces of the cell.
    ConstrainedMotion()
    {
        trial::addFreeAtoms(topology, 5, 39.948);
        for (std::size_t i = 0; i < 5; ++i) places.push_back(Vec3d{0.5, 0.7, 0.1 * static_cast<double>(i)});
        for (trial::ConstrainedMolecule const& m : trial::allMolecules()) add(m, 3);
        trial::addWaters(topology, 11);
        physics::WaterGeometry<double> const geometry = physics::waterGeometry(15.9994, 1.008, 0.1, 0.1633);
        for (int w = 0; w < 11; ++w) {
            trial::RandomWater random(900 + w);
            Vec3d const place = random.vector(1.0);
            physics::WaterBonds<double> const bonds = random.bonds(geometry);
            places.insert(places.end(), {place, place + bonds.toHydrogen1, place + bonds.toHydrogen2});
        }
    }
    void add(trial::ConstrainedMolecule const& m, int count)
    {
        trial::addConstrained(topology, m, count);
        for (int i = 0; i < count; ++i) {
            trial::RandomWater random(static_cast<std::int64_t>(places.size()));
            Vec3d const place = random.vector(1.5), axis = random.vector(1);
            for (Vec3d const r : m.places) places.push_back(place + trial::turned(r, axis, norm(place)));
        }
    }
    [[nodiscard]] Sample sample(physics::Box const& box) const
    {
        Sample s;
        std::size_t i = 0;
        system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t) {
            trial::RandomWater random(static_cast<std::int64_t>(7000 + i));
            s.positions.push_back(box.toFraction(places[i++]));
            s.velocities.push_back(random.vector(1.5 / std::sqrt(atom.mass)));
            s.forces.push_back(math::forceUnits(random.vector(400)));
        });
        return s;
    }
    /// The largest relative deviation of any constraint.
    [[nodiscard]] double worst(std::vector<FractionVec> const& positions, physics::Box const& box) const
    {
        double most = 0;
        constraints::ConstraintSet const set(topology);
        for (constraints::ConstraintGroup const group : set.groups())
            for (constraints::ConstraintBond const& bond : set.shapeOf(group).bonds) {
                std::size_t const a = atomOf(set.shapeOf(group), group, static_cast<std::size_t>(bond.a));
                std::size_t const b = atomOf(set.shapeOf(group), group, static_cast<std::size_t>(bond.b));
                most = std::max(most, std::fabs(norm(box.difference(positions[a], positions[b])) / bond.length - 1));
            }
        constraints::SettleSet const waters(topology);
        for (constraints::WaterAtoms const& w : waters.groups()[0].waters) {
            auto const distance = [&](std::int32_t i, std::int32_t j) {
                return norm(box.difference(positions[static_cast<std::size_t>(i)], positions[static_cast<std::size_t>(j)]));
            };
            most =
                std::max({most, std::fabs(distance(w.oxygen, w.hydrogen1) / 0.1 - 1), std::fabs(distance(w.oxygen, w.hydrogen2) / 0.1 - 1),
                          std::fabs(distance(w.hydrogen1, w.hydrogen2) / 0.1633 - 1)});
        }
        return most;
    }
    static plan::StepPlan everything(std::int64_t step)
    {
        plan::StepPlan plan;
        plan.step = step;
        plan.energies = plan.kinetic = true;
        plan.removeComm = step % 3 == 0;
        return plan;
    }

    system::Topology topology = trial::emptyTopology();
    std::vector<Vec3d> places;
};

template <class T> bool sameBits(std::vector<T> const& a, std::vector<T> const& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST_F(ConstrainedMotion, KeepsDistancesAndMomentum)
{
    for (physics::Box const& box : {cube, skewed}) {
        cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 1);
        Sample s = sample(box);
        motion.constrainStart(s.positions, s.velocities, box);
        EXPECT_LT(worst(s.positions, box), 3e-8);
        engine::AdvanceSums sums;
        for (int i = 0; i < 100; ++i) {
            Vec3d before{}, kick{}, after{};
            auto const momentum = [&](Vec3d& sum) {
                system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t k) {
                    sum += atom.mass * s.velocities[static_cast<std::size_t>(k)];
                });
            };
            momentum(before);
            for (math::ForceUnits& f : s.forces) {
                if ((i / 10) % 2) f = -f;
                kick += 0.002 * math::forceValue(f);
            }
            std::vector<FractionVec> const old = s.positions;
            motion.advance(s.positions, s.velocities, box, s.forces, {}, {}, sums);
            momentum(after);
            EXPECT_LT(largest(after - before - kick), 1e-9);
            EXPECT_LT(worst(s.positions, box), 1.01e-3); // of the cage; see the tests of LINCS for the others
            for (std::size_t k = 0; k < old.size(); ++k) // after a step with constraints the velocity is the displacement over dt
                EXPECT_LT(largest(box.difference(s.positions[k], old[k]) - 0.002 * s.velocities[k]), 2e-9);
        }
    }
}

TEST_F(ConstrainedMotion, GivesTheSameBitsForAnyNumberOfThreads)
{
    for (bool const shake : {false, true}) {
        plan::DynamicsPlan dynamics = trial::dynamicsPlan(0.002);
        dynamics.constraints.shake = shake;
        std::vector<Sample> ends;
        std::vector<engine::AdvanceSums> sums(5);
        std::vector<std::vector<Vec3d>> projected;
        for (int threads = 1; threads <= 5; ++threads) {
            cpu::Motion motion(topology, dynamics, threads);
            Sample s = sample(skewed);
            motion.constrainStart(s.positions, s.velocities, skewed);
            for (int step = 0; step < 20; ++step)
                motion.advance(s.positions, s.velocities, skewed, s.forces, everything(step), {},
                               sums[static_cast<std::size_t>(threads - 1)]);
            ends.push_back(s);
            motion.constraintSolver().projectVelocities({s.positions, skewed}, s.velocities, 0.001);
            projected.push_back(s.velocities);
        }
        for (std::size_t k = 1; k < 5; ++k) {
            EXPECT_TRUE(sameBits(ends[0].positions, ends[k].positions));
            EXPECT_TRUE(sameBits(ends[0].velocities, ends[k].velocities));
            EXPECT_TRUE(sameBits(projected[0], projected[k]));
            EXPECT_EQ(sums[0].constraintVirial.xy.units, sums[k].constraintVirial.xy.units);
            EXPECT_EQ(sums[0].constraintVirial.zz.units, sums[k].constraintVirial.zz.units);
        }
    }
}

/// The start may be off by what three decimals of a .gro leave.
TEST_F(ConstrainedMotion, MakesAStartSatisfyConstraints)
{
    cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 2);
    Sample s = sample(skewed);
    for (std::size_t i = 0; i < s.positions.size(); ++i) {
        Vec3d const rounded =
            (1 / 1000.0) * Vec3d{std::round(1000 * places[i].x), std::round(1000 * places[i].y), std::round(1000 * places[i].z)};
        s.positions[i] = skewed.toFraction(rounded);
    }
    EXPECT_GT(worst(s.positions, skewed), 1e-3);
    motion.constrainStart(s.positions, s.velocities, skewed);
    EXPECT_LT(worst(s.positions, skewed), 3e-8);
    // and the step back from there
    std::vector<FractionVec> before = s.positions;
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = wrappingSum(before[i], skewed.toFractionStep(-0.002 * s.velocities[i]));
    EXPECT_LT(worst(before, skewed), 5e-8);
}

/// The solver that other integrators use makes of a free step what the update itself does.
TEST_F(ConstrainedMotion, SolvesWholeSystemsAsTheStepDoes)
{
    double const dt = 0.002;
    cpu::Motion motion(topology, trial::dynamicsPlan(dt), 2);
    Sample s = sample(skewed);
    motion.constrainStart(s.positions, s.velocities, skewed);
    Sample const start = s;
    engine::AdvanceSums sums;
    motion.advance(
        s.positions, s.velocities, skewed, s.forces,
        [] {
            plan::StepPlan plan;
            plan.energies = true;
            return plan;
        }(),
        {}, sums);

    std::vector<Vec3d> moved;
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        auto const k = static_cast<std::size_t>(i);
        moved.push_back(dt * (start.velocities[k] + (dt / atom.mass) * math::forceValue(start.forces[k])));
    });
    cpu::ConstraintSums const solved = motion.constraintSolver().solve({start.positions, skewed}, moved, dt);
    EXPECT_FALSE(solved.blame.found());
    for (std::size_t k = 0; k < moved.size(); ++k) {
        FractionVec const place = wrappingSum(start.positions[k], physics::FractionSteps(skewed).of(moved[k]));
        EXPECT_LT(largest(skewed.difference(s.positions[k], place)), 2e-9);
    }
    EXPECT_NEAR(solved.virial.value().trace(), sums.constraintVirial.value().trace(), 1e-6);
    EXPECT_NEAR(solved.virial.value().x.y, sums.constraintVirial.value().x.y, 1e-6);
}

/// At rest under equal and opposite forces along a bond the constraint force is their opposite: -1/2 r outer F.
TEST_F(ConstrainedMotion, HasTheVirialOfABondUnderTension)
{
    system::Topology two = trial::emptyTopology();
    trial::ConstrainedMolecule const pair{"TWO", {12, 3}, {{}, {0.06, 0.08, 0}}, {{0, 1}}};
    trial::addConstrained(two, pair, 1);
    double const dt = 1e-3; // the bond of 0.1 nm is shifted by 4e-5 nm, and positions are kept to 1e-9
    cpu::Motion motion(two, trial::dynamicsPlan(dt), 1);
    std::vector<FractionVec> positions{cube.toFraction({1, 1, 1}), cube.toFraction({1.06, 1.08, 1})};
    std::vector<Vec3d> velocities(2);
    Vec3d const pull{-60, -80, 0};
    engine::AdvanceSums sums;
    motion.advance(positions, velocities, cube, {math::forceUnits(pull), math::forceUnits(-pull)}, everything(1), {}, sums);
    math::Mat3d const virial = sums.constraintVirial.value();
    EXPECT_NEAR(virial.x.x, 0.5 * 0.06 * 60, 1e-3);
    EXPECT_NEAR(virial.x.y, 0.5 * 0.06 * 80, 1e-3);
    EXPECT_NEAR(virial.y.y, 0.5 * 0.08 * 80, 1e-3);
    EXPECT_NEAR(virial.trace(), 0.5 * 0.1 * 100, 1e-3);
    EXPECT_LT(largest(velocities[0]), 1e-6);
}

TEST_F(ConstrainedMotion, ProjectsVelocitiesOfWatersToo)
{
    cpu::Motion motion(topology, trial::dynamicsPlan(0.002), 2);
    Sample s = sample(skewed);
    std::vector<Vec3d> const before = s.velocities;
    motion.constraintSolver().projectVelocities({s.positions, skewed}, s.velocities, 0.001);
    constraints::SettleSet const waters(topology);
    for (constraints::WaterAtoms const& w : waters.groups()[0].waters) {
        std::size_t const atoms[] = {static_cast<std::size_t>(w.oxygen), static_cast<std::size_t>(w.hydrogen1),
                                     static_cast<std::size_t>(w.hydrogen2)};
        double const masses[] = {15.9994, 1.008, 1.008};
        Vec3d momentum{};
        double overlap = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            Vec3d const away = s.velocities[atoms[i]] - before[atoms[i]];
            momentum += masses[i] * away;
            overlap += masses[i] * dot(away, s.velocities[atoms[i]]);
            std::size_t const j = (i + 1) % 3;
            EXPECT_NEAR(
                dot(skewed.difference(s.positions[atoms[i]], s.positions[atoms[j]]), s.velocities[atoms[i]] - s.velocities[atoms[j]]), 0,
                1e-13);
        }
        EXPECT_LT(largest(momentum), 1e-12);
        EXPECT_NEAR(overlap, 0, 1e-12);
    }
}

/// What is left of forces does no work on constraints, and its taking does none on allowed motions.
TEST_F(ConstrainedMotion, TakesOutOfForcesWhatStretches)
{
    Sample const s = sample(skewed);
    std::vector<Vec3d> forces;
    for (math::ForceUnits const f : s.forces) forces.push_back(math::forceValue(f));
    std::vector<Vec3d> const before = forces;
    constraints::ForceProjection projection(topology);
    ASSERT_FALSE(projection.empty());
    projection.apply(s.positions, skewed, forces);
    double overlap = 0, taken = 0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        overlap += dot(forces[i] - before[i], forces[i]);
        taken += norm2(forces[i] - before[i]);
    }
    EXPECT_NEAR(overlap, 0, 1e-12 * taken);
    EXPECT_GT(taken, 1e5);
    constraints::ConstraintSet const set(topology);
    for (constraints::ConstraintGroup const group : set.groups())
        for (constraints::ConstraintBond const& bond : set.shapeOf(group).bonds) {
            std::size_t const a = atomOf(set.shapeOf(group), group, static_cast<std::size_t>(bond.a));
            std::size_t const b = atomOf(set.shapeOf(group), group, static_cast<std::size_t>(bond.b));
            EXPECT_NEAR(dot(skewed.difference(s.positions[a], s.positions[b]), forces[a] - forces[b]), 0, 1e-9);
        }
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(forces[i], before[i]); // free atoms
}

TEST_F(ConstrainedMotion, FailsNamingTheWorstPair)
{
    for (int const threads : {1, 3}) {
        cpu::Motion motion(topology, trial::dynamicsPlan(0.002), threads);
        Sample s = sample(cube);
        motion.constrainStart(s.positions, s.velocities, cube);
        Sample const good = s;
        plan::StepPlan plan;
        plan.step = 4711;
        auto const message = [&](Sample torn) {
            engine::AdvanceSums sums;
            try {
                motion.advance(torn.positions, torn.velocities, cube, torn.forces, plan, {}, sums);
            } catch (base::RunFailed const& failed) {
                return std::string(failed.what());
            }
            return std::string();
        };
        EXPECT_EQ(message(good), "");
        Sample torn = good;
        torn.velocities[5 + 5 + 3] = {150, 150, 0}; // a hydrogen of the second methane
        EXPECT_THAT(message(torn),
                    AllOf(HasSubstr("step 4711: the distance of atom 11 (X1 of residue CH4 1, molecule CH4 7) and atom 14 (H4"),
                          HasSubstr("constrained to 0.109 nm and has become 0.37"), HasSubstr("rms"), HasSubstr("over the 4 constraints")));
        Sample pushed = torn;
        pushed.forces[12] = math::forceUnits({0, NAN, 0}); // a bad force is why
        EXPECT_THAT(message(pushed), AllOf(HasSubstr("the force on atom 13 (H3"), HasSubstr("not a number")));

        Sample far = good;
        far.positions[5] = far.positions[6];
        std::string said;
        try {
            motion.constrainStart(far.positions, far.velocities, cube);
        } catch (base::RunFailed const& failed) {
            said = failed.what();
        }
        EXPECT_THAT(said, AllOf(HasSubstr("starting positions"), HasSubstr("atom 6 (X1")));
    }
}

} // namespace
