#include "loop/minimization.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace alder;
using loop::MinimizationEnd;
using loop::MinimizationStep;
using math::Vec3d;

physics::Box const box({3, 0, 0}, {0, 3, 0}, {0, 0, 3});

/// Energy (kJ/mol) and forces of positions counted from the middle of the box.
using Potential = std::function<double(std::vector<Vec3d> const& r, std::vector<Vec3d>& forces)>;

/// A back end whose potential is a function of a few lines.
class ToyBackend final : public engine::Backend {
public:
    ToyBackend(Potential potential, constraints::SettleSet const* waters) : potential_(std::move(potential)), waters_(waters) {}

    void adopt(system::State const& state) override
    {
        positions_ = state.positions;
        if (!siteBetween_) return;
        positions_[2] = wrappingSum(positions_[0], box.toFractionStep(0.5 * box.difference(positions_[1], positions_[0])));
    }
    /// Atom 2 is from now on a virtual site half-way between 0 and 1.
    void putSiteBetween() { siteBetween_ = true; }
    void buildLists() override { listsBuilt_ = true; }
    bool listIsStale() override { return false; }
    void forces(plan::StepPlan const& plan) override
    {
        EXPECT_TRUE(listsBuilt_ && plan.energies);
        listsBuilt_ = false;
        std::vector<Vec3d> r;
        for (math::FractionVec const f : positions_) r.push_back(box.difference(f, box.toFraction({1.5, 1.5, 1.5})));
        forces_.assign(r.size(), {});
        sums_ = {};
        sums_.of(system::Term::ljSR).add(potential_(r, forces_));
    }
    system::ForceSums const& sums() override { return sums_; }
    system::MotionSums motion() override { return {}; }
    engine::AdvanceSums const& arrive(plan::StepPlan const&) override { return advanced_; }
    engine::AdvanceSums const& advance(plan::StepPlan const&, engine::Scaling const&) override { return advanced_; }
    void changeBox(physics::Box const&, math::Mat3d const&) override {}
    double sitesOutOfPlace() override { return 0; }
    void collect(engine::Wanted wanted, system::State& state, std::vector<Vec3d>& forces) override
    {
        if (wanted.positions) state.positions = positions_;
        if (wanted.forces) forces = forces_;
    }
    void constrainStart() override
    {
        for (constraints::SettleGroup const& group : waters_->groups())
            for (constraints::WaterAtoms const& w : group.waters) {
                auto const at = [&](std::int32_t i) -> math::FractionVec& { return positions_[static_cast<std::size_t>(i)]; };
                physics::WaterBonds<double> const bonds{box.difference(at(w.hydrogen1), at(w.oxygen)),
                                                        box.difference(at(w.hydrogen2), at(w.oxygen))};
                physics::WaterVectors<double> const shift = physics::settle(group.geometry, bonds, bonds);
                at(w.oxygen) = wrappingSum(at(w.oxygen), box.toFractionStep(shift.oxygen));
                at(w.hydrogen1) = wrappingSum(at(w.hydrogen1), box.toFractionStep(shift.hydrogen1));
                at(w.hydrogen2) = wrappingSum(at(w.hydrogen2), box.toFractionStep(shift.hydrogen2));
            }
    }
    base::Clock& clock() override { return clock_; }
    [[nodiscard]] std::string describe() const override { return "toy"; }
    [[nodiscard]] int pmeRanks() const override { return 0; }

private:
    Potential potential_;
    constraints::SettleSet const* waters_;
    base::Clock clock_;
    std::vector<math::FractionVec> positions_;
    std::vector<Vec3d> forces_;
    system::ForceSums sums_;
    engine::AdvanceSums advanced_;
    bool listsBuilt_ = false, siteBetween_ = false;
};

class Minimizing : public ::testing::Test {
protected:
    loop::MinimizationResult descend(Potential potential, std::vector<Vec3d> const& start)
    {
        constraints::SettleSet const waters(topology);
        ToyBackend backend(std::move(potential), &waters);
        if (siteBetween) backend.putSiteBetween();
        state.box = box;
        state.step = 5;
        state.positions.clear();
        for (Vec3d const r : start) state.positions.push_back(box.toFraction(r + Vec3d{1.5, 1.5, 1.5}));
        seen.clear();
        constraints::ForceProjection constraints(topology);
        return loop::minimize(backend, dynamics, constraints, state, [&](MinimizationStep const& step) {
            seen.push_back(step);
            return seen.size() < askAfter;
        });
    }
    Vec3d place(std::size_t atom) const { return box.difference(state.positions[atom], box.toFraction({1.5, 1.5, 1.5})); }

    /// Wells of different stiffness at (0.1, 0, 0), for any number of atoms.
    static double wells(std::vector<Vec3d> const& r, std::vector<Vec3d>& forces)
    {
        double energy = -7;
        for (std::size_t i = 0; i < r.size(); ++i) {
            Vec3d const d = r[i] - Vec3d{0.1, 0, 0};
            Vec3d const k{500, 800, 1000};
            energy += 0.5 * (k.x * d.x * d.x + k.y * d.y * d.y + k.z * d.z * d.z);
            forces[i] = {-k.x * d.x, -k.y * d.y, -k.z * d.z};
        }
        return energy;
    }

    /// A rigid water in a field that pulls hydrogens up and the oxygen down. The bonds carry forces far beyond the tolerance; only what
    /// they leave counts, and in the end that is nothing: the dipole points along the field and the triangle is what it was.
    void turnAWater()
    {
        system::MoleculeType water;
        water.atoms = {{"OW", "SOL", 1, 0, 0, 15.9994, 'A'}, {"HW1", "SOL", 1, 0, 0, 1.008, 'A'}, {"HW2", "SOL", 1, 0, 0, 1.008, 'A'}};
        water.of(system::Kind::settle) = {{0, 1, 2}, {0}};
        topology.parameters[static_cast<std::size_t>(system::Kind::settle)].push_back({0.1, 0.1633});
        topology.types.push_back(water);
        topology.blocks.push_back({0, 1, 0, 0});
        topology.atomCount = 3;
        topology.moleculeCount = 1;

        auto const field = [](std::vector<Vec3d> const& r, std::vector<Vec3d>& forces) {
            forces = {{0, 0, -2000}, {0, 0, 1000}, {0, 0, 1000}};
            return -1000 * (r[1].z + r[2].z - 2 * r[0].z);
        };
        dynamics.emtol = 1;
        double const half = 0.1633 / 2, height = std::sqrt(0.01 - half * half);
        auto const result = descend(field, {{0, 0, 0}, {height, half, 0.003}, {height, -half, 0}});
        EXPECT_EQ(result.end, MinimizationEnd::converged);
        EXPECT_NEAR(result.potential, -2000 * height, 0.01);
        EXPECT_NEAR(norm(place(1) - place(0)), 0.1, 3e-9);
        EXPECT_NEAR(norm(place(2) - place(0)), 0.1, 3e-9);
        EXPECT_NEAR(norm(place(2) - place(1)), 0.1633, 3e-9);
    }

    system::Topology topology;
    plan::DynamicsPlan dynamics = [] {
        plan::DynamicsPlan d;
        d.integrator = plan::Integrator::steep;
        d.dt = 0.001;
        d.steps = 5000;
        return d;
    }();
    system::State state;
    std::vector<MinimizationStep> seen;
    bool siteBetween = false;
    std::size_t askAfter = std::numeric_limits<std::size_t>::max();
};

using SteepestDescent = Minimizing;

TEST_F(SteepestDescent, FindsAMinimumToItsTolerance)
{
    auto const result = descend(wells, {{0.3, -0.2, 0.1}, {0, 0.4, 0}});
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_LT(result.largestForce, 10);
    EXPECT_NEAR(result.potential, -7, 0.3);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(norm(place(i) - Vec3d{0.1, 0, 0}), 10.0 / 500);
    EXPECT_EQ(state.step, 5 + result.steps);
    for (Vec3d const v : state.velocities) EXPECT_EQ(v, (Vec3d{}));

    dynamics.emtol = 0.01;
    EXPECT_LT(descend(wells, {{0.3, -0.2, 0.1}}).largestForce, 0.01);
    EXPECT_LT(norm(place(0) - Vec3d{0.1, 0, 0}), 0.01 / 500);
}

TEST_F(SteepestDescent, GrowsAndShrinksItsStepsAndOnlyGoesDown)
{
    descend(wells, {{0.3, -0.2, 0.1}, {0, 0.4, 0}});
    ASSERT_GT(seen.size(), 10U);
    EXPECT_EQ(seen[0].step, 5);
    EXPECT_EQ(seen[0].atom, 1);
    EXPECT_NEAR(seen[0].largestForce, std::hypot(50.0, 320.0), 1e-5);
    EXPECT_DOUBLE_EQ(seen[1].stepSize, 0.01);
    double lowest = seen[0].potential;
    bool refusedAny = false;
    for (std::size_t i = 1; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].accepted, seen[i].potential < lowest);
        if (seen[i].accepted) lowest = seen[i].potential;
        refusedAny |= !seen[i].accepted;
        if (i + 1 < seen.size()) { EXPECT_DOUBLE_EQ(seen[i + 1].stepSize, seen[i].stepSize * (seen[i].accepted ? 1.2 : 0.5)); }
    }
    EXPECT_TRUE(refusedAny);
}

TEST_F(SteepestDescent, MovesTheAtomWithTheLargestForceByTheStep)
{
    dynamics.steps = 1;
    auto const result = descend(wells, {{0.3, -0.2, 0.1}, {0, 0.4, 0}});
    EXPECT_EQ(result.end, MinimizationEnd::stepLimit);
    EXPECT_EQ(result.steps, 1);
    EXPECT_NEAR(norm(place(1) - Vec3d{0, 0.4, 0}), 0.01, 3e-9);
    double const other = norm(Vec3d{-100, 160, -100});
    EXPECT_NEAR(norm(place(0) - Vec3d{0.3, -0.2, 0.1}), 0.01 * other / std::hypot(50.0, 320.0), 3e-9);
}

TEST_F(SteepestDescent, StopsWhereStepsNoLongerHelp)
{
    dynamics.emtol = 0;
    auto const result = descend(wells, {{0.3, -0.2, 0.1}});
    EXPECT_EQ(result.end, MinimizationEnd::machinePrecision);
    EXPECT_NEAR(result.potential, -7, 1e-6);
    EXPECT_LT(result.steps, 300);
}

TEST_F(SteepestDescent, StopsWhenAskedWithTheBestSoFar)
{
    askAfter = 4;
    auto const result = descend(wells, {{0.3, -0.2, 0.1}});
    EXPECT_EQ(result.end, MinimizationEnd::asked);
    EXPECT_EQ(result.steps, 3);
    EXPECT_EQ(result.potential, seen.back().potential);
}

/// A wall so steep that the start's energy is beyond what a sum can hold: it counts as infinite, whatever sign the clamp gave it.
double repulsive(std::vector<Vec3d> const& r, std::vector<Vec3d>& forces)
{
    Vec3d const d = r[1] - r[0];
    double const size = norm(d), inverse = 0.1 / size;
    double const energy = std::pow(inverse, 12);
    forces[1] = math::forceValue(math::forceUnits((12 * energy / (size * size)) * d));
    forces[0] = -forces[1];
    return energy > 1e9 ? NAN : energy;
}

TEST_F(SteepestDescent, LeavesAStartOfUnboundedEnergy)
{
    dynamics.steps = 200;
    dynamics.emtol = 1;
    auto const result = descend(repulsive, {{0, 0, 0}, {0.001, 0.0005, 0}});
    EXPECT_FALSE(std::isfinite(seen[0].potential));
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_TRUE(std::isfinite(result.potential));
    EXPECT_GT(result.potential, 0);
}

/// Forces that grow on the way out, as clamped ones of several overlaps do, and a second overlap far milder than the first.
TEST_F(SteepestDescent, LeavesOverlapsWhoseForcesGrowFirst)
{
    auto const trapped = [](std::vector<Vec3d> const& r, std::vector<Vec3d>& forces) {
        forces[0] = {1e7 * (1 + r[0].x), 0, 0};
        forces[1] = {0, 1e5, 0};
        if (r[0].x < 0.1 || r[1].y < 0.1) return static_cast<double>(NAN);
        forces = {{}, {}};
        return 1.0;
    };
    dynamics.steps = 30;
    auto const result = descend(trapped, {{0, 0, 0}, {0, 0, 0}});
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_LE(result.steps, 12);
}

/// A clamped term less what other pairs attract is a finite number, and still says nothing.
TEST_F(SteepestDescent, AClampedForceMakesTheEnergyInfinite)
{
    auto const clamped = [](std::vector<Vec3d> const& r, std::vector<Vec3d>& forces) {
        bool const overlaps = r[0].x < 0.05;
        forces[0] = {overlaps ? 6.7e7 : 0, 0, 0};
        return overlaps ? 6.6e7 : 6.65e7;
    };
    auto const result = descend(clamped, {{0, 0, 0}});
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_GE(place(0).x, 0.05);
}

TEST_F(SteepestDescent, FailsWhereNoEnergyIsEverFinite)
{
    auto const hopeless = [](std::vector<Vec3d> const&, std::vector<Vec3d>& forces) {
        forces[0] = {1, 0, 0};
        return static_cast<double>(NAN);
    };
    try {
        descend(hopeless, {{0, 0, 0}});
        FAIL();
    } catch (base::RunFailed const& failed) {
        EXPECT_THAT(failed.what(), ::testing::HasSubstr("atom 1"));
    }
}

TEST_F(SteepestDescent, TurnsARigidWaterIntoTheField) { turnAWater(); }

/// What the minimizers that learn are for: stiff and soft springs in one chain, where steepest descent creeps.
double chain(std::vector<Vec3d> const& r, std::vector<Vec3d>& forces)
{
    double energy = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        double const stiffness = i % 2 == 0 ? 100 : 50000;
        Vec3d const stretch = i == 0 ? r[0] : r[i] - r[i - 1] - Vec3d{0.1, 0, 0};
        energy += 0.5 * stiffness * norm2(stretch);
        forces[i] -= stiffness * stretch;
        if (i > 0) forces[i - 1] += stiffness * stretch;
    }
    return energy;
}
std::vector<Vec3d> const chainStart{{0.02, 0.01, 0}, {0.13, 0, 0.01}, {0.18, -0.03, 0}, {0.3, 0, 0}, {0.42, 0.05, 0}, {0.5, 0, -0.02}};

class LearningMinimizer : public Minimizing, public ::testing::WithParamInterface<plan::Integrator> {
protected:
    LearningMinimizer() { dynamics.integrator = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Minimizers, LearningMinimizer, ::testing::Values(plan::Integrator::cg, plan::Integrator::lbfgs),
                         [](auto const& info) { return info.param == plan::Integrator::cg ? "ConjugateGradients" : "QuasiNewton"; });

TEST_P(LearningMinimizer, NeedsFarFewerStepsThanSteepestDescent)
{
    dynamics.emtol = 0.01;
    auto const result = descend(chain, chainStart);
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_LT(result.largestForce, 0.01);
    EXPECT_LE(result.steps, 60);
    EXPECT_LE(result.evaluations, 5 * result.steps);
    EXPECT_EQ(state.step, 5 + result.steps);
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), result.steps + 1);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_LT(norm(place(i) - Vec3d{0.1 * static_cast<double>(i), 0, 0}), 3e-3) << i;

    dynamics.integrator = plan::Integrator::steep;
    dynamics.steps = 600;
    EXPECT_EQ(descend(chain, chainStart).end, MinimizationEnd::stepLimit);
}

TEST_P(LearningMinimizer, OnlyGoesDown)
{
    dynamics.emtol = 0.01;
    descend(chain, chainStart);
    ASSERT_GT(seen.size(), 5U);
    for (std::size_t i = 1; i < seen.size(); ++i) {
        EXPECT_TRUE(seen[i].accepted);
        EXPECT_LT(seen[i].potential, seen[i - 1].potential + 1e-4);
        EXPECT_GT(seen[i].stepSize, 0);
    }
}

/// The curved valley of H. H. Rosenbrock, Comput. J. 3, 175 (1960), in units of 0.1 nm.
TEST_P(LearningMinimizer, FollowsACurvedValley)
{
    auto const valley = [](std::vector<Vec3d> const& r, std::vector<Vec3d>& forces) {
        double const u = r[0].x / 0.1, v = r[0].y / 0.1, off = v - u * u;
        forces[0] = {(2 * (1 - u) + 400 * u * off) / 0.1, -200 * off / 0.1, -10000 * r[0].z};
        return (1 - u) * (1 - u) + 100 * off * off + 5000 * r[0].z * r[0].z;
    };
    dynamics.emtol = 0.01;
    auto const result = descend(valley, {{-0.12, 0.1, 0.01}});
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_LT(norm(place(0) - Vec3d{0.1, 0.1, 0}), 1e-5);
    EXPECT_LE(result.steps, 100);
}

TEST_P(LearningMinimizer, StopsWhereStepsNoLongerHelp)
{
    dynamics.emtol = 0;
    auto const result = descend(chain, chainStart);
    EXPECT_EQ(result.end, MinimizationEnd::machinePrecision);
    EXPECT_LT(result.largestForce, 1e-2);
    EXPECT_LT(result.steps, 300);
}

TEST_P(LearningMinimizer, DoesNoMoreThanItsSteps)
{
    dynamics.emtol = 0.01;
    dynamics.steps = 3;
    auto const limited = descend(chain, chainStart);
    EXPECT_EQ(limited.end, MinimizationEnd::stepLimit);
    EXPECT_EQ(limited.steps, 3);
    dynamics.steps = 5000;
    askAfter = 4;
    auto const asked = descend(chain, chainStart);
    EXPECT_EQ(asked.end, MinimizationEnd::asked);
    EXPECT_EQ(asked.potential, limited.potential);
}

TEST_P(LearningMinimizer, LeavesAStartOfUnboundedEnergy)
{
    dynamics.steps = 400;
    dynamics.emtol = 1;
    auto const result = descend(repulsive, {{0, 0, 0}, {0.001, 0.0005, 0}});
    EXPECT_FALSE(std::isfinite(seen[0].potential));
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_LT(result.largestForce, 1);
}

/// A site half-way between two atoms: it goes where they go, and nothing else moves it.
TEST_P(LearningMinimizer, TakesVirtualSitesAlong)
{
    auto const tugged = [](std::vector<Vec3d> const& r, std::vector<Vec3d>& forces) {
        Vec3d const pull = -3000.0 * (r[2] - Vec3d{0.2, 0.1, 0}), bond = r[1] - r[0] - Vec3d{0.1, 0, 0};
        forces[0] = 0.5 * pull + 2e4 * bond;
        forces[1] = 0.5 * pull - 2e4 * bond;
        return 1500 * norm2(r[2] - Vec3d{0.2, 0.1, 0}) + 1e4 * norm2(bond);
    };
    siteBetween = true;
    dynamics.emtol = 0.01;
    auto const result = descend(tugged, {{0, 0, 0}, {0.12, 0.01, 0}, {0.3, 0.3, 0.3}});
    EXPECT_EQ(result.end, MinimizationEnd::converged);
    EXPECT_LT(norm(place(0) - Vec3d{0.15, 0.1, 0}), 1e-5);
    EXPECT_LT(norm(place(2) - 0.5 * (place(0) + place(1))), 2e-9);
}

class ConjugateGradients : public Minimizing {
protected:
    ConjugateGradients() { dynamics.integrator = plan::Integrator::cg; }
};

TEST_F(ConjugateGradients, RestartAlongTheForcesEveryNstcgsteep)
{
    dynamics.emtol = 0.1;
    auto const conjugate = descend(chain, chainStart);
    dynamics.steepestInterval = 1;
    auto const always = descend(chain, chainStart);
    EXPECT_EQ(conjugate.end, MinimizationEnd::converged);
    EXPECT_GT(always.steps, 3 * conjugate.steps);
}

TEST_F(ConjugateGradients, TurnARigidWaterIntoTheField) { turnAWater(); }

class QuasiNewton : public Minimizing {
protected:
    QuasiNewton() { dynamics.integrator = plan::Integrator::lbfgs; }
};

TEST_F(QuasiNewton, LearnsFromNbfgscorrSteps)
{
    dynamics.emtol = 0.1;
    auto const ten = descend(chain, chainStart);
    dynamics.bfgsCorrections = 1;
    auto const one = descend(chain, chainStart);
    EXPECT_EQ(ten.end, MinimizationEnd::converged);
    EXPECT_EQ(one.end, MinimizationEnd::converged);
    EXPECT_GT(one.steps, ten.steps);
}

} // namespace
