#include "plan/long_range/ewald_rules.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace alder::test {
namespace {

TEST(EwaldRules, BetaAsTheReferenceProgramHasIt)
{
    // GROMACS logs 1/beta with six digits.
    EXPECT_NEAR(1 / plan::ewaldBeta(0.9, 1e-5), 0.288146, 5e-7);
    EXPECT_NEAR(1 / plan::ewaldBeta(1.0, 1e-5), 0.320163, 5e-7);
    EXPECT_NEAR(plan::ewaldBeta(1.0, 1.00000530e-06), 3.45891, 1e-8); // a tolerance that was chosen to give this number
    for (double const rtol : {0.3, 1e-3, 1e-9}) EXPECT_NEAR(std::erfc(plan::ewaldBeta(1.3, rtol) * 1.3) / rtol, 1, 1e-12);
}

physics::Box cube(double edge) { return {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}; }

int gridOf(double points, int order = 4) { return plan::pmeGrid(cube(points * 0.1), 0.1, order, {0, 0, 0})[0]; }

TEST(EwaldRules, GridSizesAsTheReferenceProgramPicksThem)
{
    // need -> size, from runs of GROMACS 2022.5's preprocessor on a one-atom deck
    int const pairs[][2] = {{7, 8},   {15, 16},   {17, 20},   {26, 28},   {33, 36},   {43, 44},   {45, 48},
                            {49, 52}, {57, 60},   {61, 64},   {65, 72},   {73, 80},   {82, 84},   {85, 96},
                            {89, 96}, {105, 108}, {121, 128}, {139, 144}, {145, 160}, {161, 168}, {179, 192}};
    for (auto const& [need, size] : pairs) EXPECT_EQ(gridOf(need - 0.5), size) << need;
}

TEST(EwaldRules, SmallGridsFollowTheOrder)
{
    EXPECT_EQ(gridOf(3, 3), 6);
    EXPECT_EQ(gridOf(3, 4), 6);
    EXPECT_EQ(gridOf(3, 5), 8);
    EXPECT_EQ(gridOf(3, 8), 14);
}

TEST(EwaldRules, SpacingIsTakenAlongTheBoxVectors)
{
    physics::Box const box({2.5, 0, 0}, {0, 3.0, 0}, {2.0, 2.0, 3.5});
    auto const grid = plan::pmeGrid(box, 0.1, 4, {0, 0, 0});
    EXPECT_EQ(grid, (std::array<int, 3>{25, 32, 48})); // |c| = 4.5 nm
    EXPECT_EQ(plan::pmeGrid(box, 0.1, 4, {0, 27, 0}), (std::array<int, 3>{25, 27, 48}));
}

plan::RunOptions pmeOptions()
{
    plan::RunOptions options;
    options.coulombType = plan::CoulombType::pme;
    options.mdpFile = "run.mdp";
    options.lines["pme-order"] = 7;
    options.lines["fourier-ny"] = 9;
    return options;
}

system::Topology ions(double charge, std::int64_t count)
{
    system::Topology topology;
    system::MoleculeType type;
    type.atoms.resize(1);
    type.atoms[0].charge = charge;
    topology.types.push_back(type);
    topology.blocks.push_back({0, count, 0, 0});
    topology.atomCount = count;
    return topology;
}

TEST(EwaldRules, PlanHoldsTheConstantEnergies)
{
    auto options = pmeOptions();
    options.epsilonR = 2;
    auto const plan = plan::makePmePlan(options, ions(2, 3), cube(3));
    double const f = 138.93545764 / 2;
    EXPECT_TRUE(plan.active);
    EXPECT_EQ(plan.grid, (std::array<int, 3>{25, 25, 25}));
    EXPECT_NEAR(plan.selfEnergy, -f * plan.beta / std::sqrt(M_PI) * 12, 1e-5);
    EXPECT_NEAR(plan.uniformEnergyFactor, -M_PI * f * 36 / (2 * plan.beta * plan.beta), 1e-4);
    EXPECT_EQ(plan.chargeBits, 28);
    EXPECT_FALSE(plan::makePmePlan(plan::RunOptions{}, ions(2, 3), cube(3)).active);
}

TEST(EwaldRules, ChargeGridIsCoarserWhereChargesAreLarge)
{
    EXPECT_EQ(plan::makePmePlan(pmeOptions(), ions(6, 3), cube(3)).chargeBits, 27);
    auto options = pmeOptions();
    options.fourierGrid = {8, 8, 8};
    EXPECT_EQ(plan::makePmePlan(options, ions(1, 1000), cube(3)).chargeBits, 25); // 2 e a point, 32 times that is 62.5 e
    EXPECT_THROW(plan::makePmePlan(options, ions(1, 10000), cube(3)), base::InputRefused);
}

TEST(EwaldRules, RefusesByKeyAndLine)
{
    auto options = pmeOptions();
    options.pmeOrder = 12;
    options.ewaldRtol = 0;
    try {
        plan::makePmePlan(options, ions(1, 2), cube(3));
        FAIL();
    } catch (base::InputRefused const& refused) {
        ASSERT_EQ(refused.faults().size(), 2U);
        EXPECT_EQ(refused.faults()[0].place.line, 7);
    }
    options = pmeOptions();
    options.fourierGrid = {20, 5, 20};
    try {
        plan::makePmePlan(options, ions(1, 2), cube(3));
        FAIL();
    } catch (base::InputRefused const& refused) {
        ASSERT_EQ(refused.faults().size(), 1U);
        EXPECT_EQ(refused.faults()[0].place.line, 9);
    }
}

TEST(EwaldRules, AGridThatNoMemoryHoldsIsRefusedByItsSize)
{
    try {
        plan::makePmePlan(pmeOptions(), ions(6, 3), cube(500));
        FAIL() << "a grid of 4000 points along each axis was accepted";
    } catch (base::InputRefused const& refused) {
        EXPECT_NE(std::string(refused.what()).find("GiB"), std::string::npos) << refused.what();
    }
}

} // namespace
} // namespace alder::test
