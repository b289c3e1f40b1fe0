// Frozen atoms, distance restraints and virtual sites: what becomes of them in a plan, and what is refused.
#include "plan_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::plan {
namespace {

using ::testing::HasSubstr;

TEST(MakePlan, FrozenAtomsStandStillOrAreRefused)
{
    RunOptions o = goodOptions();
    o.freezeGroups = {{"AR", {true, false, true}}};
    system::Topology t = argon();
    t.freezeGroups.names = {"free", "AR"};
    t.freezeGroups.groupOf.assign(10, 1);
    RunPlan const plan = makePlan(o, t, cube(5), {});
    ASSERT_EQ(plan.dynamics.frozenAxes.size(), 2U);
    EXPECT_EQ(plan.dynamics.frozenAxes[0], (std::array{false, false, false}));
    EXPECT_EQ(plan.dynamics.frozenAxes[1], (std::array{true, false, true}));

    t.types[0].atoms.resize(3, t.types[0].atoms[0]);
    t.types[0].exclusionStart.assign(4, 0);
    t.types[0].of(system::Kind::settle).atoms = {0, 1, 2};
    t.types[0].of(system::Kind::settle).parameters = {0};
    t.parameters[static_cast<std::size_t>(system::Kind::settle)] = {{0.1, 0.16}};
    t.atomCount = 30;
    t.freezeGroups.groupOf.assign(30, 0);
    t.freezeGroups.groupOf[7] = 1;
    EXPECT_THAT(refusal(o, t), HasSubstr("atom 8 is frozen and belongs to a rigid water"));
    EXPECT_EQ(refusal(o, t, Purpose::energy), "accepted");
}

TEST(MakePlan, DistanceRestraintsAreThoseOfTheMoment)
{
    system::Topology t = argon();
    t.types[0].atoms.resize(2, t.types[0].atoms[0]);
    t.types[0].exclusionStart.assign(3, 0);
    t.types[0].of(system::Kind::distanceRestraint).atoms = {0, 1};
    t.types[0].of(system::Kind::distanceRestraint).parameters = {0};
    t.parameters[static_cast<std::size_t>(system::Kind::distanceRestraint)] = {{0, 1, 0.1, 0.2, 0.3, 1}};
    t.blocks[0].count = t.moleculeCount = 1;
    t.atomCount = 2;
    RunOptions o = goodOptions();
    EXPECT_FALSE(makePlan(o, t, cube(5), {}).distanceRestraints.active);
    o.distanceRestraints.kind = DistanceRestraining::simple;
    EXPECT_TRUE(makePlan(o, t, cube(5), {}).distanceRestraints.active);
    o.distanceRestraints.tau = 1;
    EXPECT_THAT(refusal(o, t, Purpose::energy), HasSubstr("averages over time are not supported"));
    o.distanceRestraints = {};
    o.distanceRestraints.kind = DistanceRestraining::ensemble;
    EXPECT_THAT(refusal(o, t, Purpose::energy), HasSubstr("averages over an ensemble are not supported"));
    o.distanceRestraints.kind = DistanceRestraining::simple;
    t.blocks[0].count = t.moleculeCount = 2;
    t.atomCount = 4;
    EXPECT_THAT(refusal(o, t, Purpose::energy), HasSubstr("a molecule that is there more than once"));
}

/// docs/decisions/0006: with PME, a single point of an integrator that starts from the configuration given.
TEST(MakePlan, SitesAreTakenAsGivenWhereGromacsTakesThemSo)
{
    auto const asGiven = [](CoulombType coulomb, Integrator integrator, Purpose purpose) {
        RunOptions o = goodOptions();
        o.coulombType = coulomb;
        o.integrator = integrator;
        RunRequest request;
        request.purpose = purpose;
        return makePlan(o, argon(), cube(5), request).pairs.sitesAsGiven;
    };
    EXPECT_TRUE(asGiven(CoulombType::pme, Integrator::md, Purpose::energy));
    EXPECT_TRUE(asGiven(CoulombType::pme, Integrator::mdVv, Purpose::energy));
    EXPECT_FALSE(asGiven(CoulombType::pme, Integrator::steep, Purpose::energy));
    EXPECT_FALSE(asGiven(CoulombType::cutoff, Integrator::md, Purpose::energy));
    EXPECT_FALSE(asGiven(CoulombType::pme, Integrator::md, Purpose::dynamics));
}

} // namespace
} // namespace alder::plan
