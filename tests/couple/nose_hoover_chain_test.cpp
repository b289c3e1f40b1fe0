#include "couple/nose_hoover_chain.hpp"

#include "physics/constants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace alder::couple {
namespace {

/// One particle on a spring, moved by velocity Verlet between two half moves of the chain: mass 1 amu, spring 400 kJ/mol/nm^2, 300 K.
struct Oscillator {
    double x = 0.1, v = 0.5;
    std::vector<double> position, velocity;
    static constexpr double spring = 400, reference = 300;

    explicit Oscillator(std::size_t links) : position(links, 0.0), velocity(links, 0.0) {}
    NoseHooverChain chain() { return {1.0, reference, 0.3, static_cast<int>(position.size()), position, velocity}; }
    [[nodiscard]] double kinetic() const { return 0.5 * v * v; }
    double conserved() { return kinetic() + 0.5 * spring * x * x + chain().energy(); }
    void step(double dt)
    {
        v *= chain().move(0.5 * dt, kinetic());
        v -= 0.5 * dt * spring * x;
        x += dt * v;
        v -= 0.5 * dt * spring * x;
        v *= chain().move(0.5 * dt, kinetic());
    }
};

/// Root mean square deviation of the conserved energy from its mean, over 10 ps.
double wander(double dt)
{
    Oscillator o(3);
    double const steps = std::round(10 / dt), start = o.conserved();
    double mean = 0, square = 0;
    for (int i = 0; i < static_cast<int>(steps); ++i) {
        o.step(dt);
        double const off = o.conserved() - start;
        mean += off / steps;
        square += off * off / steps;
    }
    return std::sqrt(square - mean * mean);
}

TEST(NoseHooverChain, ConservesItsEnergyToTheSquareOfTheStep)
{
    double const fine = wander(0.001), coarse = wander(0.002);
    EXPECT_LT(fine, 2e-3);
    EXPECT_GT(coarse / fine, 3.0);
    EXPECT_LT(coarse / fine, 5.0);
}

struct Moments {
    double second = 0, fourth = 0;
};
/// <(k x^2 / kT)> and its square's mean: 1 and 3 for the canonical ensemble.
Moments momentsOf(std::size_t links)
{
    Oscillator o(links);
    int const steps = 1'000'000;
    Moments m;
    for (int i = 0; i < steps; ++i) {
        o.step(0.004);
        double const q = Oscillator::spring * o.x * o.x / (physics::boltzmann * Oscillator::reference);
        m.second += q / steps;
        m.fourth += q * q / steps;
    }
    return m;
}

TEST(NoseHooverChain, SamplesTheCanonicalEnsembleOfAnOscillator)
{
    Moments const chain = momentsOf(4);
    EXPECT_NEAR(chain.second, 1.0, 0.06);
    EXPECT_NEAR(chain.fourth, 3.0, 0.4);
}

TEST(NoseHooverChain, OneLinkDoesNot)
{
    Moments const single = momentsOf(1);
    EXPECT_GT(std::fabs(single.fourth - 3.0), 0.6) << "the oscillator's known failure; a test that cannot see it tests nothing";
}

TEST(NoseHooverChain, HeadsForTheReference)
{
    std::vector<double> position(2, 0.0), velocity(2, 0.0);
    NoseHooverChain chain{3000, 300, 1.0, static_cast<int>(position.size()), position, velocity};
    double const target = 0.5 * 3000 * physics::boltzmann * 300;
    EXPECT_LT(chain.move(0.01, 1.2 * target), 1.0);
    EXPECT_GT(velocity[0], 0.0);
    std::fill(velocity.begin(), velocity.end(), 0.0);
    EXPECT_GT(chain.move(0.01, 0.8 * target), 1.0);
    EXPECT_LT(velocity[0], 0.0);
}

} // namespace
} // namespace alder::couple
