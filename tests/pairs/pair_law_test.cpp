// The law of a pair against finite differences, hand values and its own limits; the polynomials against the functions they replace.

#include "pairs/ewald_fit.hpp"
#include "pairs/sample_systems.hpp"
#include "plan/pair_plan.hpp"

#include <gtest/gtest.h>

namespace alder::test {
namespace {

using plan::CoulombForm;
using plan::VdwForm;

constexpr double qq = 60, c6 = 2.6e-3, c12 = 2.6e-6;

TEST(PairLaw, forceIsTheSlopeOfTheEnergy)
{
    for (CoulombForm const coulomb : {CoulombForm::none, CoulombForm::reactionField, CoulombForm::ewald})
        for (VdwForm const vdw : {VdwForm::none, VdwForm::cut, VdwForm::potentialSwitch, VdwForm::forceSwitch})
            for (bool const excluded : {false, true}) {
                pairs::PairLaw const law(makePlan(coulomb, vdw, 0.9));
                auto const energy = [&](double r) {
                    pairs::PairTerms const t = law.at(r * r, {qq, c6, c12, excluded});
                    return t.lj + t.coulomb;
                };
                for (double const r : {0.02, 0.1, 0.31, 0.5, 0.7199, 0.7201, 0.8, 0.8999}) {
                    if (!excluded && r < 0.2) continue;
                    double const h = 1e-5, slope = (energy(r + h) - energy(r - h)) / (2 * h);
                    double const force = law.at(r * r, {qq, c6, c12, excluded}).forceOverR * r;
                    EXPECT_NEAR(force, -slope, 1e-5 * (1 + std::fabs(slope)))
                        << static_cast<int>(coulomb) << static_cast<int>(vdw) << excluded << " at " << r;
                }
            }
}

TEST(PairLaw, vanishesAtTheCutoff)
{
    double const at = 0.9 - 1e-9;
    for (VdwForm const vdw : {VdwForm::cut, VdwForm::potentialSwitch, VdwForm::forceSwitch})
        EXPECT_NEAR(pairs::PairLaw(makePlan(CoulombForm::none, vdw, 0.9)).at(at * at, {0, c6, c12, false}).lj, 0, 1e-9);
    for (VdwForm const vdw : {VdwForm::potentialSwitch, VdwForm::forceSwitch})
        EXPECT_NEAR(pairs::PairLaw(makePlan(CoulombForm::none, vdw, 0.9)).at(at * at, {0, c6, c12, false}).forceOverR, 0, 1e-9);
    for (CoulombForm const coulomb : {CoulombForm::reactionField, CoulombForm::ewald})
        EXPECT_NEAR(pairs::PairLaw(makePlan(coulomb, VdwForm::none, 0.9)).at(at * at, {qq, 0, 0, false}).coulomb, 0, 1e-6);
    // Epsilon-rf infinite: the force vanishes too.
    EXPECT_NEAR(pairs::PairLaw(makePlan(CoulombForm::reactionField, VdwForm::none, 0.9)).at(at * at, {qq, 0, 0, false}).forceOverR, 0,
                1e-5);
}

TEST(PairLaw, hasItsTextbookValues)
{
    plan::PairPlan plan = makePlan(CoulombForm::ewald, VdwForm::cut, 0.9);
    plan.dispersionShift = plan.repulsionShift = plan.ewaldShift = 0;
    // At r = sigma (2 c12/c6)^(1/6), the bottom of the well: -epsilon, no force.
    double const sigma6 = c12 / c6, bottom = std::pow(2 * sigma6, 1.0 / 6), epsilon = c6 * c6 / (4 * c12);
    pairs::PairTerms const well = pairs::PairLaw(plan).at(bottom * bottom, {0, c6, c12, false});
    EXPECT_NEAR(well.lj, -epsilon, 1e-12);
    EXPECT_NEAR(well.forceOverR, 0, 1e-9);
    // erfc(1) = 0.157299207050285
    double const r = 1 / plan.beta;
    EXPECT_NEAR(pairs::PairLaw(plan).at(r * r, {qq, 0, 0, false}).coulomb, qq / r * 0.157299207050285, 1e-10);
    // An excluded pair on one spot: -qq 2 beta/sqrt(pi), no force.
    pairs::PairTerms const spot = pairs::PairLaw(plan).at(0, {qq, 0, 0, true});
    EXPECT_NEAR(spot.coulomb, -qq * 2 * plan.beta / std::sqrt(physics::pi), 1e-10);
}

TEST(PairLaw, seriesMeetTheClosedForms)
{
    for (double const beta : {1.0, 3.5})
        for (double const edge : {1e-3, 0.02}) {
            double const r2 = edge / (beta * beta), d = 1e-9 * r2;
            EXPECT_NEAR(physics::erfOverR(r2 - d, beta) / physics::erfOverR(r2 + d, beta), 1, 1e-9);
            EXPECT_NEAR(physics::ewaldSmoothForce(r2 - d, beta) / physics::ewaldSmoothForce(r2 + d, beta), 1, 1e-9);
        }
}

TEST(EwaldFit, isAsGoodAsItClaims)
{
    for (double const cutoff : {0.9, 3.0}) {
        double const beta = 3.1234 / cutoff, cutoff2 = cutoff * cutoff;
        auto const force = [&](double r2) { return physics::ewaldSmoothForce(r2, beta); };
        auto const potential = [&](double r2) { return physics::erfOverR(r2, beta); };
        EXPECT_LT(pairs::fitError<float>(pairs::fitPolynomial(force, cutoff2, 11), force, cutoff2), 1e-6 * beta * beta);
        EXPECT_LT(pairs::fitError<double>(pairs::fitPolynomial(force, cutoff2, 17), force, cutoff2), 1e-10 * beta * beta);
        EXPECT_LT(pairs::fitError<double>(pairs::fitPolynomial(potential, cutoff2, 17), potential, cutoff2), 1e-10);
    }
}

TEST(PairPlan, fitsItsNumberFormats)
{
    auto const cube = [](double edge) { return physics::Box({edge, 0, 0}, {0, edge, 0}, {0, 0, edge}); };
    EXPECT_EQ(plan::latticeBitsFor(0.99, cube(6)), 22);
    EXPECT_EQ(plan::latticeBitsFor(2.0, cube(6)), 21);
    EXPECT_EQ(plan::latticeBitsFor(9.9, cube(30)), 19);
    EXPECT_EQ(plan::latticeBitsFor(0.99, cube(150)), 21);

    SampleRecipe water;
    EXPECT_EQ(plan::forceBitsFor(makePlan(CoulombForm::ewald, VdwForm::cut, 0.9), makeTopology(water)), 13);
    SampleRecipe argon;
    argon.charges = {0};
    argon.types = {0};
    argon.c6 = {6.2e-3};
    argon.c12 = {9.7e-6};
    EXPECT_EQ(plan::forceBitsFor(makePlan(CoulombForm::none, VdwForm::cut, 0.9), makeTopology(argon)), 16);
}

TEST(AtomTable, mergesTypesAndFindsProducts)
{
    SampleRecipe recipe;
    EXPECT_TRUE(pairs::AtomTable(makeTopology(recipe)).geometric());
    EXPECT_EQ(pairs::AtomTable(makeTopology(recipe)).ljTypeCount(), 2); // none, and one
    recipe.c6[1] = recipe.c6[0];
    recipe.c12[1] = recipe.c12[0];
    EXPECT_EQ(pairs::AtomTable(makeTopology(recipe)).ljTypeCount(), 2); // the two are alike
    recipe.mixedPair = true;
    EXPECT_EQ(pairs::AtomTable(makeTopology(recipe)).ljTypeCount(), 3);
    EXPECT_FALSE(pairs::AtomTable(makeTopology(recipe)).geometric());
}

} // namespace
} // namespace alder::test
