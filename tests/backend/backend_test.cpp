// What every back end must hold to, by one body each.

#include "backend/backends.hpp"
#include "backend/deck_run.hpp"
#include "math/fixed_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace alder::test {
namespace {

using math::Vec3d;

struct Point {
    system::ForceSums sums;
    std::vector<Vec3d> forces;
};

Point pointOf(DeckRun& run, BackendMaker const& maker, system::State const& state)
{
    std::unique_ptr<engine::Backend> const backend = run.backend(maker.make);
    backend->adopt(state);
    backend->buildLists();
    plan::StepPlan step;
    step.energies = step.buildList = true;
    backend->forces(step);
    Point point;
    point.sums = backend->sums();
    system::State copy = state;
    backend->collect({false, false, true}, copy, point.forces);
    return point;
}

double relativeRms(std::vector<Vec3d> const& a, std::vector<Vec3d> const& b)
{
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += norm2(a[i] - b[i]);
        size += norm2(b[i]);
    }
    return std::sqrt(difference / size);
}

class Backends : public testing::TestWithParam<BackendMaker> {
protected:
    [[nodiscard]] static BackendMaker reference() { return backendMakers().front(); }
};

TEST_P(Backends, ForcesAndEnergiesAreThoseOfTheFirstCpuBackEnd)
{
    for (char const* const deck : {"argon", "nacl", "butane", "tip4p", "peptide", "water-dodecahedron"}) {
        SCOPED_TRACE(deck);
        DeckRun run(deck);
        Point const here = pointOf(run, GetParam(), run.start()), there = pointOf(run, reference(), run.start());
        EXPECT_LT(relativeRms(here.forces, there.forces), 1e-5);
        double scale = 1;
        for (math::FixedSum const& term : there.sums.terms) scale = std::max(scale, std::abs(term.value()));
        for (std::size_t t = 0; t < system::termCount; ++t)
            EXPECT_NEAR(here.sums.terms[t].value(), there.sums.terms[t].value(),
                        1e-6 * std::abs(there.sums.terms[t].value()) + 1e-7 * scale + 1e-4)
                << nameOf(static_cast<system::Term>(t));
        math::Mat3d const v = here.sums.virial.value(), w = there.sums.virial.value();
        for (Vec3d const d : {v.x - w.x, v.y - w.y, v.z - w.z}) EXPECT_LT(norm(d), 2e-5 * scale);
    }
}

TEST_P(Backends, PairForcesAddUpToZeroToTheLastBit)
{
    DeckRun run("argon");
    Point const point = pointOf(run, GetParam(), run.start());
    Vec3d sum;
    for (Vec3d const f : point.forces) sum += f;
    EXPECT_EQ(norm2(sum), 0);
}

TEST_P(Backends, ForcesAreTheSlopeOfTheEnergy)
{
    DeckRun run("nacl");
    Point const point = pointOf(run, GetParam(), run.start());
    physics::Box const box = run.start().box;
    double const step = 1e-4;
    auto const potential = [&](std::size_t atom, double by) {
        system::State moved = run.start();
        moved.positions[atom] = wrappingSum(moved.positions[atom], box.toFractionStep({by, 0, 0}));
        Point const there = pointOf(run, GetParam(), moved);
        double sum = 0;
        for (math::FixedSum const& term : there.sums.terms) sum += term.value();
        return sum;
    };
    double scale = 0;
    for (Vec3d const f : point.forces) scale = std::max(scale, norm(f));
    // what a grid does to forces is no exact slope: 3e-4 of the largest here
    for (std::size_t const atom : {0U, 300U, 511U})
        EXPECT_NEAR((potential(atom, -step) - potential(atom, step)) / (2 * step), point.forces[atom].x, 1e-3 * scale) << atom;
}

TEST_P(Backends, ATrajectoryHasTheSameBitsAfterARestart)
{
    for (char const* const deck : {"water-dodecahedron", "peptide"}) {
        SCOPED_TRACE(deck);
        plan::RunRequest request;
        request.nstlist = 5;
        DeckRun run(deck, {}, request);
        system::State const whole = run.go(GetParam().make, run.start(), 2 * run.plan().pairs.listInterval);
        system::State half = run.go(GetParam().make, run.start(), run.plan().pairs.listInterval);
        // the state at a list step is what a checkpoint keeps: positions there, velocities half a step before
        ASSERT_EQ(half.step, run.plan().pairs.listInterval);
        half = run.go(GetParam().make, half, 2 * run.plan().pairs.listInterval);
        EXPECT_TRUE(whole.positions == half.positions);
        EXPECT_TRUE(whole.velocities == half.velocities);
    }
}

TEST_P(Backends, ExactListsLeaveNoTraceOfTheirLifetime)
{
    auto const after = [&](std::int64_t interval) {
        plan::RunRequest request;
        request.exactLists = true;
        request.nstlist = interval;
        DeckRun run("argon", "tcoupl = no\n", request);
        return run.go(GetParam().make, run.start(), 30);
    };
    system::State const a = after(10), b = after(15);
    EXPECT_TRUE(a.positions == b.positions);
    EXPECT_TRUE(a.velocities == b.velocities);
}

/// 200 steps of a moving system; at each of them both back ends are asked about the same bits of positions.
void followSteps(std::string const& deck)
{
    BackendMaker const last = backendMakers().back(), first = backendMakers().front();
    DeckRun run(deck, "nstcalcenergy = 1\n");
    std::unique_ptr<engine::Backend> const moving = run.backend(last.make), watching = run.backend(first.make);
    system::State state = run.start(), copy = state;
    std::vector<Vec3d> forces;
    moving->adopt(state);
    moving->constrainStart();
    plan::Schedule const schedule(run.plan());
    double worst = 0;
    for (std::int64_t n = 0; n <= 200; ++n) {
        plan::StepPlan step = schedule.at(n);
        step.energies = true;
        step.couple = step.couplePressure = false;
        if (step.buildList || n == 0) {
            step.buildList = true;
            moving->buildLists();
        }
        moving->forces(step);
        moving->collect({true, true, false}, copy, forces);
        copy.box = state.box;
        watching->adopt(copy);
        watching->buildLists();
        plan::StepPlan look;
        look.energies = look.buildList = true;
        watching->forces(look);
        system::ForceSums const &here = moving->sums(), &there = watching->sums();
        double all = 0;
        for (math::FixedSum const& term : there.terms) all += std::abs(term.value());
        for (std::size_t t = 0; t < system::termCount; ++t) {
            double const value = there.terms[t].value(), off = std::abs(here.terms[t].value() - value);
            EXPECT_LE(off, 2e-5 * std::abs(value) + 2e-8 * all + 1e-6) << nameOf(static_cast<system::Term>(t)) << " at step " << n;
            if (std::abs(value) > 1) worst = std::max(worst, off / std::abs(value));
        }
        static_cast<void>(moving->advance(step, {}));
    }
    testing::Test::RecordProperty("worst relative difference of a term", std::to_string(worst));
    std::cout << deck << ": worst relative difference of a term " << worst << "\n";
}

TEST(Gpu, HasTheCpusEnergiesAtEachOf200StepsOfWater) { followSteps("water"); }
TEST(Gpu, HasTheCpusEnergiesAtEachOf200StepsOfAPeptide) { followSteps("peptide"); }

/// One step of two back ends from the same bits, and the state that the first of them is left in.
struct StepPair {
    system::State here, there;
    std::vector<Vec3d> forcesHere, forcesThere;
};

StepPair oneStepOfEach(DeckRun& run, BackendMaker const& maker, BackendMaker const& other, system::State const& from,
                       plan::StepPlan const& step)
{
    StepPair pair{from, from, {}, {}};
    math::Mat3d virials[2];
    for (bool const first : {true, false}) {
        std::unique_ptr<engine::Backend> const backend = run.backend((first ? maker : other).make);
        backend->adopt(from);
        backend->buildLists();
        backend->forces(step);
        virials[first ? 0 : 1] = backend->advance(step, {}).constraintVirial.value();
        backend->collect({true, true, true}, first ? pair.here : pair.there, first ? pair.forcesHere : pair.forcesThere);
    }
    if (!step.virial()) return pair;
    for (Vec3d const d : {virials[0].x - virials[1].x, virials[0].y - virials[1].y, virials[0].z - virials[1].z})
        EXPECT_LT(norm(d), 1e-3 + 1e-5 * std::abs(virials[1].x.x)) << "constraint virial of step " << step.step;
    return pair;
}

/// Forces that wait count for all steps until their next turn, whichever they are; the virial counts every force once.
TEST_P(Backends, TakeMultipleTimeStepsAsTheFirstCpuBackEndDoes)
{
    for (char const* const groups : {"longrange-nonbonded", "longrange-nonbonded dihedral angle", "longrange-nonbonded nonbonded pair"}) {
        SCOPED_TRACE(groups);
        DeckRun run("peptide", "tcoupl = no\nmts = yes\nmts-level2-factor = 3\nmts-level2-forces = " + std::string(groups) +
                                   "\nnstlist = 12\nnstcalcenergy = 6\nnstenergy = 6\nnstlog = 6\nnsteps = 12\nnstxout = 0\n");
        plan::Schedule const schedule(run.plan());
        system::State state = run.start();
        for (std::int64_t n = 0; n < 7; ++n) {
            plan::StepPlan step = schedule.at(n);
            step.buildList = step.kinetic = true; // looked at, so that no later step is taken with it
            StepPair const pair = oneStepOfEach(run, GetParam(), reference(), state, step);
            EXPECT_LT(relativeRms(pair.forcesHere, pair.forcesThere), 1e-5) << "at step " << n;
            // what the step made of velocities tells by how much each force counted
            EXPECT_LT(relativeRms(pair.here.velocities, pair.there.velocities), 1e-5) << "at step " << n;
            state = pair.there;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Backends, testing::ValuesIn(backendMakers()), [](auto const& info) { return info.param.name; });

} // namespace
} // namespace alder::test
