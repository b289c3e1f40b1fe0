#include "couple/thermostat.hpp"

#include "couple/andersen.hpp"
#include "couple/reference_temperature.hpp"
#include "math/distribution.hpp"
#include "physics/constants.hpp"
#include "physics/leap_frog.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace alder;

constexpr double kelvin = 300;
constexpr double kT = physics::boltzmann * kelvin;

plan::DynamicsPlan coupling(plan::Thermostat thermostat, double tau, std::vector<double> const& degreesOfFreedom)
{
    plan::DynamicsPlan dynamics;
    dynamics.dt = 0.002;
    dynamics.coupleInterval = 10;
    dynamics.thermostat = thermostat;
    dynamics.seed = 20261130;
    for (double const n : degreesOfFreedom) dynamics.groups.push_back({kelvin, tau, n, plan::Annealing::no, {}, {}});
    return dynamics;
}

system::MotionSums motionOf(std::vector<double> const& kinetic)
{
    system::MotionSums sums;
    for (double const k : kinetic) {
        sums.kinetic.emplace_back();
        // not isotropic on purpose: the trace alone counts
        sums.kinetic.back().xx.add(0.5 * k);
        sums.kinetic.back().yy.add(0.25 * k);
        sums.kinetic.back().zz.add(0.25 * k);
    }
    return sums;
}

/// An ideal gas: nothing changes the kinetic energy but the thermostat. `every` couplings lie between samples.
std::vector<double> gasEnergies(plan::DynamicsPlan const& dynamics, double start, int samples, int every)
{
    std::vector<double> energies;
    system::CouplingState state;
    double kinetic = start;
    std::int64_t step = 1;
    for (int i = -20; i < samples; ++i) {
        for (int k = 0; k < every; ++k, step += dynamics.coupleInterval) {
            double const lambda = couple::thermostatFactors(dynamics, motionOf({kinetic}), step, state).at(0);
            kinetic *= lambda * lambda;
        }
        if (i >= 0) energies.push_back(kinetic);
    }
    return energies;
}

/// Kinetic energy over kT of n degrees of freedom follows a gamma distribution of shape n/2.
double offCanonical(std::vector<double> energies, double degreesOfFreedom)
{
    for (double& e : energies) e /= kT;
    return trial::kolmogorov(energies, [&](double x) { return trial::gammaCumulative(0.5 * degreesOfFreedom, x); });
}

class VRescale : public ::testing::TestWithParam<double> {};

TEST_P(VRescale, SamplesTheCanonicalEnergies)
{
    double const n = GetParam();
    // tau of 2 couplings; 12 couplings apart the memory is e^-6
    auto const dynamics = coupling(plan::Thermostat::vRescale, 0.04, {n});
    EXPECT_LT(offCanonical(gasEnergies(dynamics, 0.5 * n * kT, 4000, 12), n), 1.95);
    // and forgets a bad start
    EXPECT_LT(offCanonical(gasEnergies(dynamics, 5 * n * kT, 4000, 12), n), 1.95);
}

INSTANTIATE_TEST_SUITE_P(DegreesOfFreedom, VRescale, ::testing::Values(2.0, 3.0, 8.5, 297.0, 12345.0));

TEST(VRescale, FailsTheSameTestWithAWrongTemperatureOrCount)
{
    auto const energies = gasEnergies(coupling(plan::Thermostat::vRescale, 0.04, {297}), 150 * kT, 4000, 12);
    EXPECT_GT(offCanonical(energies, 295), 1.95);
    auto warmer = energies;
    for (double& e : warmer) e *= 1.01;
    EXPECT_GT(offCanonical(warmer, 297), 1.95);
}

TEST(Berendsen, DoesNotSampleTheCanonicalEnergies)
{
    EXPECT_GT(offCanonical(gasEnergies(coupling(plan::Thermostat::berendsen, 0.04, {297}), 150 * kT, 4000, 12), 297), 20);
}

/// The mean relaxes as exp(-t/tau) whatever the step; that is the integral of Bussi's equation, not its first order.
TEST(VRescale, RelaxesExponentially)
{
    double const n = 300, start = 3 * 0.5 * n * kT, target = 0.5 * n * kT;
    for (double const tau : {0.02, 0.1, 1.0}) {
        auto const dynamics = coupling(plan::Thermostat::vRescale, tau, {n});
        double mean = 0;
        int const draws = 20000;
        for (int i = 0; i < draws; ++i) {
            system::CouplingState state;
            double const lambda = couple::thermostatFactors(dynamics, motionOf({start}), i, state).at(0);
            mean += lambda * lambda * start / draws;
        }
        double const c = std::exp(-0.02 / tau);
        double const width = std::sqrt((2 * start * target * 2 / n * (1 - c) * c + 2 * target * target / n * (1 - c) * (1 - c)) / draws);
        EXPECT_NEAR(mean, target + (start - target) * c, 4 * width) << tau;
    }
}

TEST(VRescale, KeepsAccountOfWhatItTakes)
{
    auto const dynamics = coupling(plan::Thermostat::vRescale, 0.1, {30, 3000});
    system::CouplingState state;
    std::vector<double> kinetic{50, 4000};
    double const start = kinetic[0] + kinetic[1];
    for (std::int64_t step = 1; step < 500; step += 10) {
        auto const factors = couple::thermostatFactors(dynamics, motionOf(kinetic), step, state);
        for (std::size_t g = 0; g < 2; ++g) kinetic[g] *= factors[g] * factors[g];
    }
    EXPECT_NEAR(kinetic[0] + kinetic[1] + couple::thermostatEnergy(dynamics, state, 0, {}), start, 1e-5);
    EXPECT_GT(std::fabs(state.thermostatIntegral[0]), 0.1);
}

TEST(VRescale, DrawsAfreshWithATimeConstantOfZero)
{
    auto const energies = gasEnergies(coupling(plan::Thermostat::vRescale, 0.0, {30}), 1e4, 2000, 1);
    EXPECT_LT(offCanonical(energies, 30), 1.95);
}

TEST(VRescale, DependsOnSeedStepAndGroupAlone)
{
    auto dynamics = coupling(plan::Thermostat::vRescale, 0.1, {30, 30});
    system::CouplingState a, b;
    auto const first = couple::thermostatFactors(dynamics, motionOf({40, 40}), 11, a);
    b.thermostatIntegral = {5, 6};
    EXPECT_EQ(first, couple::thermostatFactors(dynamics, motionOf({40, 40}), 11, b));
    EXPECT_NE(first[0], first[1]);
    EXPECT_NE(first, couple::thermostatFactors(dynamics, motionOf({40, 40}), 21, b));
    dynamics.seed += 1;
    EXPECT_NE(first, couple::thermostatFactors(dynamics, motionOf({40, 40}), 11, b));
}

TEST(Berendsen, ScalesByItsFormulaWithinItsBounds)
{
    auto const dynamics = coupling(plan::Thermostat::berendsen, 0.1, {300});
    double const target = 150 * kT;
    system::CouplingState state;
    auto const factor = [&](double kinetic) { return couple::thermostatFactors(dynamics, motionOf({kinetic}), 1, state).at(0); };
    EXPECT_NEAR(factor(target), 1.0, 1e-9);
    // 0.02 ps / 0.1 ps (T0/T - 1)
    EXPECT_NEAR(factor(target / 1.1), std::sqrt(1 + 0.2 * 0.1), 1e-9);
    EXPECT_NEAR(factor(target * 2), std::sqrt(1 - 0.2 * 0.5), 1e-9);
    EXPECT_EQ(factor(target / 100), 1.25);
    auto hard = coupling(plan::Thermostat::berendsen, 0.001, {300});
    EXPECT_EQ(couple::thermostatFactors(hard, motionOf({target * 10}), 1, state).at(0), 0.8);

    system::CouplingState account;
    double const lambda = couple::thermostatFactors(dynamics, motionOf({target * 2}), 1, account).at(0);
    EXPECT_NEAR(account.thermostatIntegral.at(0), (1 - lambda * lambda) * 2 * target, 1e-6);
}

TEST(Thermostat, LeavesUncoupledGroupsAlone)
{
    for (auto const thermostat : {plan::Thermostat::vRescale, plan::Thermostat::berendsen, plan::Thermostat::no}) {
        auto dynamics = coupling(thermostat, 0.1, {30, 0, 30, 30});
        dynamics.groups[0].tau = -1;
        dynamics.groups[3].reference = 0;
        system::CouplingState state;
        auto const factors = couple::thermostatFactors(dynamics, motionOf({100, 100, 0, 100}), 1, state);
        for (std::size_t g = 0; g < 3; ++g) {
            EXPECT_EQ(factors[g], 1.0);
            EXPECT_EQ(state.thermostatIntegral[g], 0.0);
        }
        if (thermostat != plan::Thermostat::no) {
            EXPECT_LT(factors[3], 1.0); // 0 K is a temperature
        }
    }
    auto dynamics = coupling(plan::Thermostat::berendsen, 0.0, {30});
    system::CouplingState state;
    EXPECT_EQ(couple::thermostatFactors(dynamics, motionOf({1}), 1, state).at(0), 1.0);
}

/// Many degrees of freedom without ties, scaled as the update does it.
TEST(NoseHoover, ConservesItsEnergyAndSwingsWithItsPeriod)
{
    auto dynamics = coupling(plan::Thermostat::noseHoover, 2.0, {3000});
    system::CouplingState state;
    // an ideal gas at 310 K: nothing but the thermostat acts, so that T swings about 300 K with period tau / sqrt(2)
    double kinetic = 1.05 * 1500 * kT, before = kinetic, start = 0, worst = 0;
    std::vector<double> crossings;
    for (std::int64_t step = 0; step < 400; ++step) {
        EXPECT_EQ(couple::thermostatFactors(dynamics, motionOf({kinetic}), step, state).at(0), 1.0);
        double const drag = couple::noseHooverDrags(dynamics, motionOf({kinetic}), step, state).at(0);
        double const factor = physics::draggedLambda(1.0, drag);
        double const after = factor * factor * kinetic;
        double const energy = after + couple::thermostatEnergy(dynamics, state, 0, {couple::temperature(after, 3000)});
        if (step == 0) start = energy;
        worst = std::max(worst, std::fabs(energy - start));
        if (before < 1500 * kT && kinetic >= 1500 * kT) crossings.push_back(static_cast<double>(step) * 0.02);
        before = kinetic;
        kinetic = after;
    }
    EXPECT_LT(worst, 0.5); // of 190 kJ/mol that go to and fro; with the square of the velocity 13
    ASSERT_GE(crossings.size(), 3U);
    EXPECT_NEAR(crossings[2] - crossings[1], 2.0 / std::sqrt(2.0), 0.02);
    EXPECT_TRUE(couple::noseHooverDrags(coupling(plan::Thermostat::vRescale, 1, {3}), motionOf({1}), 1, state).empty());
}

TEST(NoseHoover, DragIsTheHalfSumOfVelocities)
{
    double const drag = 0.013, v = 0.7, push = 0.02;
    double const after = physics::kicked(v, physics::draggedLambda(1.0, drag), push, physics::draggedKick(drag));
    EXPECT_NEAR(after, v + push - drag * (v + after), 1e-15);
    EXPECT_EQ(physics::draggedLambda(1.01, 0.0), 1.01);
    EXPECT_EQ(physics::draggedKick(0.0), 1.0);
}

TEST(Annealing, FollowsItsPoints)
{
    plan::TemperatureGroupPlan group{300, 0.5, 30};
    EXPECT_EQ(couple::referenceTemperature(group, 17), 300);
    group.annealing = plan::Annealing::single;
    group.annealingTimes = {0, 10, 20, 20, 30};
    group.annealingTemperatures = {100, 200, 400, 50, 60};
    auto const at = [&](double time) { return couple::referenceTemperature(group, time); };
    EXPECT_EQ(at(0), 100);
    EXPECT_DOUBLE_EQ(at(2.5), 125);
    EXPECT_DOUBLE_EQ(at(10), 200);
    EXPECT_DOUBLE_EQ(at(19), 380);
    EXPECT_DOUBLE_EQ(at(20), 50);
    EXPECT_DOUBLE_EQ(at(25), 55);
    EXPECT_EQ(at(31), 60);
    group.annealing = plan::Annealing::periodic;
    EXPECT_DOUBLE_EQ(at(32.5), 125);
    EXPECT_DOUBLE_EQ(at(30), 100);
    EXPECT_DOUBLE_EQ(at(89), 59);
    EXPECT_DOUBLE_EQ(at(15000 * 0.002), 100); // 30.000000000000004 or so
}

TEST(Annealing, MovesWhatThermostatsAimAt)
{
    auto dynamics = coupling(plan::Thermostat::berendsen, 0.02, {300});
    dynamics.groups[0].annealing = plan::Annealing::single;
    dynamics.groups[0].annealingTimes = {0, 1};
    dynamics.groups[0].annealingTemperatures = {300, 330};
    system::CouplingState state;
    // tau is one interval: the temperature asked for is reached at once
    double const lambda = couple::thermostatFactors(dynamics, motionOf({150 * kT}), 250, state).at(0);
    EXPECT_NEAR(lambda * lambda, 1.05, 1e-9);
}

TEST(Barostats, WorkAtTheMeanTemperatureOfTheCoupledGroups)
{
    auto dynamics = coupling(plan::Thermostat::vRescale, 0.5, {100, 300, 50});
    dynamics.groups[1].reference = 340;
    dynamics.groups[2].tau = -1;
    dynamics.groups[2].reference = 0;
    EXPECT_DOUBLE_EQ(couple::ensembleTemperature(dynamics, 0), 330);
}

TEST(Andersen, DrawsMaxwellVelocitiesAtItsRate)
{
    auto dynamics = coupling(plan::Thermostat::andersen, 0.1, {3000});
    std::vector<double> scaled;
    int const atoms = 20000;
    couple::Collisions const seventh = couple::collisionsOf(dynamics, 7).front();
    for (int atom = 0; atom < atoms; ++atom) {
        math::Vec3d v;
        if (!couple::collide(seventh, {dynamics.seed, 7}, atom, 18, v)) continue;
        for (double const c : {v.x, v.y, v.z}) scaled.push_back(c / std::sqrt(kT / 18));
    }
    EXPECT_NEAR(static_cast<double>(scaled.size()) / 3, 400, 4 * std::sqrt(400.0)); // one in fifty
    EXPECT_LT(trial::kolmogorov(scaled, trial::normalCumulative), 1.95);
    math::Vec3d massless{1, 2, 3};
    for (int atom = 0; atom < 400; ++atom) EXPECT_FALSE(couple::collide(seventh, {dynamics.seed, 7}, atom, 0, massless));
    dynamics.thermostat = plan::Thermostat::andersenMassive;
    EXPECT_EQ(couple::collisionsOf(dynamics, 100).front().share, 1);
    EXPECT_EQ(couple::collisionsOf(dynamics, 101).front().share, 0);
    dynamics.groups[0].tau = -1;
    EXPECT_EQ(couple::collisionsOf(dynamics, 100).front().share, 0);
}

TEST(Temperature, IsTwiceTheEnergyPerDegreeOfFreedom)
{
    EXPECT_NEAR(couple::temperature(1.5 * 8.31446261815324e-3 * 300, 3), 300, 1e-9);
    EXPECT_EQ(couple::temperature(10, 0), 0);
}

} // namespace
