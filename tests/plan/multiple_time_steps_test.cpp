#include "plan/multiple_time_steps.hpp"

#include "plan_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::plan {
namespace {

using system::Kind;
using testing::HasSubstr;

RunOptions waiting()
{
    RunOptions o = goodOptions();
    o.mts = true;
    o.mtsLevel2Forces = {"Nonbonded", "pair"};
    return o;
}

std::string refused(void (*change)(RunOptions&))
{
    RunOptions o = waiting();
    change(o);
    return refusal(o);
}

TEST(MultipleTimeSteps, WhatWaitsAndWhen)
{
    RunOptions o = waiting();
    o.mtsLevel2Factor = 5;
    o.nsteps = 1000;
    RunPlan const plan = makePlan(o, argon(), cube(5), {});
    SlowForces const& slow = plan.dynamics.slow;
    EXPECT_EQ(slow.interval, 5);
    EXPECT_TRUE(slow.nonbonded && slow.pairs14);
    EXPECT_FALSE(slow.grid || slow.dihedrals || slow.angles);
    Schedule const schedule(plan);
    for (std::int64_t step = 0; step <= o.nsteps; ++step) {
        StepPlan const s = schedule.at(step);
        EXPECT_EQ(s.slowForces, step % 5 == 0);
        EXPECT_TRUE(s.slowForces || !s.virial()) << step;
    }
}

TEST(MultipleTimeSteps, WithoutThemEveryStepHasEveryForce)
{
    RunPlan const plan = makePlan(goodOptions(), argon(), cube(5), {});
    EXPECT_FALSE(plan.dynamics.slow.any());
    EXPECT_TRUE(Schedule(plan).at(7).slowForces);
}

TEST(MultipleTimeSteps, GroupsOfKindsAreThoseOfGromacs)
{
    SlowForces slow;
    slow.angles = true;
    EXPECT_TRUE(isSlow(slow, Kind::ureyBradley));
    EXPECT_FALSE(isSlow(slow, Kind::crossBondAngle));
    EXPECT_FALSE(isSlow(slow, Kind::angleRestraint));
    slow = {};
    slow.dihedrals = true;
    EXPECT_TRUE(isSlow(slow, Kind::cmap) && isSlow(slow, Kind::improperDihedral));
    EXPECT_FALSE(isSlow(slow, Kind::dihedralRestraint));
    slow = {};
    slow.pairs14 = true;
    EXPECT_TRUE(isSlow(slow, Kind::pairNonbonded));
    EXPECT_FALSE(isSlow(slow, Kind::bond));
}

TEST(MultipleTimeSteps, RefusesWhatGromacsRefuses)
{
    EXPECT_EQ(refusal(waiting()), "accepted");
    EXPECT_EQ(refused([](RunOptions& o) { o.integrator = Integrator::sd; }), "accepted");
    EXPECT_THAT(refused([](RunOptions& o) { o.integrator = Integrator::mdVv; }), HasSubstr("integrators md and sd"));
    EXPECT_THAT(refused([](RunOptions& o) { o.mtsLevels = 3; }), HasSubstr("mts-levels is 3"));
    EXPECT_THAT(refused([](RunOptions& o) { o.mtsLevel2Factor = 1; }), HasSubstr("mts-level2-factor is 1"));
    EXPECT_THAT(refused([](RunOptions& o) { o.mtsLevel2Forces.emplace_back("bond"); }), HasSubstr("'bond'"));
    EXPECT_THAT(refused([](RunOptions& o) { o.coulombType = CoulombType::pme; }), HasSubstr("add longrange-nonbonded"));
    EXPECT_THAT(refused([](RunOptions& o) { o.nstcalcenergy = o.nstenergy = 15; }), HasSubstr("nstenergy is 15"));
    EXPECT_THAT(refused([](RunOptions& o) { o.nstlog = 15; }), HasSubstr("such as 16"));
    EXPECT_THAT(refused([](RunOptions& o) { o.nstlist = 5; }), HasSubstr("nstlist is 5"));
    EXPECT_THAT(refused([](RunOptions& o) { o.nstfout = 3; }), HasSubstr("nstfout"));
    EXPECT_EQ(refused([](RunOptions& o) { o.nstxout = 3; }), "accepted");
}

TEST(MultipleTimeSteps, RefusesRunsThatBeginOrEndBetween)
{
    EXPECT_THAT(refused([](RunOptions& o) { o.nsteps = 7; }), HasSubstr("nsteps is 7"));
    EXPECT_THAT(refused([](RunOptions& o) { o.initStep = 1; }), HasSubstr("init-step is 1"));
    EXPECT_EQ(refused([](RunOptions& o) { o.nsteps = -1; }), "accepted");
}

TEST(MultipleTimeSteps, MinimizersAndSinglePointsDoNotMind)
{
    RunOptions o = waiting();
    o.nstenergy = 15;
    EXPECT_EQ(refusal(o, argon(), Purpose::energy), "accepted");
    o.integrator = Integrator::steep;
    EXPECT_EQ(refusal(o), "accepted");
}

} // namespace
} // namespace alder::plan
