// The law of a pair against finite differences, hand values and its own limits; the polynomials against the functions they replace.

#include "pairs/ewald_fit.hpp"
#include "pairs/sample_systems.hpp"
#include "plan/pairs/pair_plan.hpp"

#include <gtest/gtest.h>

namespace alder::test {
namespace {

using plan::CoulombForm;
using plan::VdwForm;

constexpr double qq = 60, c6 = 2.6e-3, c12 = 2.6e-6, gridC6 = 2.2e-3;

TEST(PairLaw, forceIsTheSlopeOfTheEnergy)
{
    for (CoulombForm const coulomb : {CoulombForm::none, CoulombForm::reactionField, CoulombForm::ewald})
        for (VdwForm const vdw : {VdwForm::none, VdwForm::cut, VdwForm::potentialSwitch, VdwForm::forceSwitch, VdwForm::ewald})
            for (bool const excluded : {false, true}) {
                pairs::PairLaw const law(makePlan(coulomb, vdw, 0.9));
                auto const energy = [&](double r) {
                    pairs::PairTerms const t = law.at(r * r, {qq, c6, c12, excluded, gridC6});
                    return t.lj + t.coulomb;
                };
                for (double const r : {0.02, 0.1, 0.31, 0.5, 0.7199, 0.7201, 0.8, 0.8999}) {
                    if (!excluded && r < 0.2) continue;
                    double const h = 1e-5, slope = (energy(r + h) - energy(r - h)) / (2 * h);
                    double const force = law.at(r * r, {qq, c6, c12, excluded, gridC6}).forceOverR * r;
                    EXPECT_NEAR(force, -slope, 1e-5 * (1 + std::fabs(slope)))
                        << static_cast<int>(coulomb) << static_cast<int>(vdw) << excluded << " at " << r;
                }
            }
}

TEST(PairLaw, vanishesAtTheCutoff)
{
    double const at = 0.9 - 1e-9;
    for (VdwForm const vdw : {VdwForm::cut, VdwForm::potentialSwitch, VdwForm::forceSwitch, VdwForm::ewald})
        EXPECT_NEAR(pairs::PairLaw(makePlan(CoulombForm::none, vdw, 0.9)).at(at * at, {0, c6, c12, false, gridC6}).lj, 0, 1e-9);
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

pairs::AtomTable tableOf(SampleRecipe const& recipe, VdwForm form = VdwForm::cut)
{
    return {makeTopology(recipe), makePlan(CoulombForm::none, form, 0.9)};
}

TEST(AtomTable, mergesTypesAndFindsProducts)
{
    SampleRecipe recipe;
    EXPECT_TRUE(tableOf(recipe).geometric());
    EXPECT_EQ(tableOf(recipe).ljTypeCount(), 2); // none, and one
    recipe.c6[1] = recipe.c6[0];
    recipe.c12[1] = recipe.c12[0];
    EXPECT_EQ(tableOf(recipe).ljTypeCount(), 2); // the two are alike
    recipe.mixedPair = true;
    EXPECT_EQ(tableOf(recipe).ljTypeCount(), 3);
    EXPECT_FALSE(tableOf(recipe).geometric());
}

// What the grid has of a pair follows the combination rule of the grid, whatever [ nonbond_params ] say of the pair.
TEST(AtomTable, knowsTheGridsC6)
{
    SampleRecipe recipe;
    recipe.c6[1] = 1e-3;
    recipe.c12[1] = 4e-7;
    recipe.mixedPair = true;
    EXPECT_EQ(tableOf(recipe).gridC6(1, 2), 0);
    pairs::AtomTable const geometric = tableOf(recipe, VdwForm::ewald);
    EXPECT_NEAR(geometric.gridC6(1, 2), std::sqrt(2.6e-3 * 1e-3), 1e-15);
    EXPECT_NEAR(geometric.c6(1, 2), 0.7 * std::sqrt(2.6e-3 * 1e-3), 1e-15);
    plan::PairPlan plan = makePlan(CoulombForm::none, VdwForm::ewald, 0.9);
    plan.gridCombination = plan::GridCombination::lorentzBerthelot;
    pairs::AtomTable const mean(makeTopology(recipe), plan);
    double const epsilon = std::sqrt(2.6e-3 * 2.6e-3 / (4 * 2.6e-6) * 1e-3 * 1e-3 / (4 * 4e-7));
    double const sigma = 0.5 * (std::pow(1e-3, 1.0 / 6) + std::pow(4e-4, 1.0 / 6));
    EXPECT_NEAR(mean.gridC6(1, 2), 4 * epsilon * std::pow(sigma, 6), 1e-14);
    EXPECT_NEAR(mean.gridC6(1, 1), mean.c6(1, 1), 1e-15);
    EXPECT_FALSE(mean.geometric());
}

TEST(EwaldFit, holdsDispersionToo)
{
    for (double const reach : {2.5, 3.35, 4.2}) { // beta rc: ewald-rtol-lj 0.05, 1e-3 and 1e-5
        double const cutoff2 = 0.81, beta = reach / 0.9;
        auto const force = [&](double r2) { return physics::dispersionOnGridForce(r2, beta); };
        auto const potential = [&](double r2) { return physics::dispersionOnGrid(r2, beta); };
        // Against the force at the cutoff, 6/rc^8 times r.
        double const scale = 6 / std::pow(0.9, 8) * 0.9;
        EXPECT_LT(pairs::fitError<float>(pairs::fitPolynomial(force, cutoff2, 17), force, cutoff2), 2e-4 * scale) << reach;
        EXPECT_LT(pairs::fitError<double>(pairs::fitPolynomial(force, cutoff2, 23), force, cutoff2), 1e-6 * scale) << reach;
        EXPECT_LT(pairs::fitError<double>(pairs::fitPolynomial(potential, cutoff2, 23), potential, cutoff2), 1e-6 * scale) << reach;
    }
}

} // namespace
} // namespace alder::test
