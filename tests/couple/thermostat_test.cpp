#include "couple/thermostat.hpp"

#include "math/distribution.hpp"
#include "physics/constants.hpp"

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
    EXPECT_NEAR(kinetic[0] + kinetic[1] + couple::thermostatEnergy(state), start, 1e-5);
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

TEST(Temperature, IsTwiceTheEnergyPerDegreeOfFreedom)
{
    EXPECT_NEAR(couple::temperature(1.5 * 8.31446261815324e-3 * 300, 3), 300, 1e-9);
    EXPECT_EQ(couple::temperature(10, 0), 0);
}

} // namespace
