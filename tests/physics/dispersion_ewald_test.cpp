// The splitting of 1/r^6 against closed forms, finite differences, and the lattice sum of a crystal.

#include "physics/dispersion_ewald.hpp"

#include "math/vec3.hpp"

#include <gtest/gtest.h>

namespace {

using namespace alder;
using physics::pi;

TEST(DispersionEwald, partsAddUpToTheWhole)
{
    double const beta = 3.4;
    for (double const r : {0.05, 0.2, 0.5, 0.9, 1.3, 1.4, 3.0}) {
        double const whole = std::pow(r, -6), real = physics::dispersionScreening(beta * r) * whole;
        EXPECT_NEAR((real + physics::dispersionOnGrid(r * r, beta)) / whole, 1, 1e-13) << r;
    }
    EXPECT_NEAR(physics::dispersionOnGrid(0, beta), std::pow(beta, 6) / 6, 1e-10);
    EXPECT_NEAR(physics::dispersionOnGridForce(0, beta), std::pow(beta, 8) / 4, 1e-9);
}

TEST(DispersionEwald, gridForceIsTheSlopeOfTheGridEnergy)
{
    double const beta = 3.4, scale = std::pow(beta, 7);
    for (double const r : {1e-3, 0.02, 0.1, 0.31, 0.6, 0.9, 1.2}) {
        double const h = 1e-4;
        auto const energy = [&](double at) { return physics::dispersionOnGrid(at * at, beta); };
        // five points: error of h^4
        double const slope = (8 * (energy(r + h) - energy(r - h)) - (energy(r + 2 * h) - energy(r - 2 * h))) / (12 * h);
        EXPECT_NEAR(r * physics::dispersionOnGridForce(r * r, beta), -slope, 1e-8 * scale) << r;
    }
}

// The wave sum is the Fourier transform of (1 - G)/r^6: integral of 4 pi r^2 sin(2 pi m r)/(2 pi m r) (1 - G)/r^6.
TEST(DispersionEwald, waveFactorIsTheFourierTransform)
{
    double const beta = 3.0, volume = 2.5;
    for (double const m : {0.0, 0.4, 1.1, 2.3}) {
        double integral = 0;
        double const h = 1e-3, end = 60;
        for (int k = 1; k * h < end; ++k) {
            double const r = k * h, phase = 2 * pi * m * r;
            integral += (k % 2 != 0 ? 4 : 2) * 4 * pi * r * r * (phase == 0 ? 1 : std::sin(phase) / phase) *
                        physics::dispersionOnGrid(r * r, beta) * h / 3;
        }
        double const tail = m == 0 ? 4 * pi / (3 * end * end * end) : 0;
        EXPECT_NEAR(physics::dispersionReciprocalFactor(m * m, beta, volume), -(integral + tail) / volume, 2e-4) << m;
    }
}

TEST(DispersionEwald, waveVirialIsTheSlopeUnderStrain)
{
    double const beta = 3.0;
    // Along m: a strain e makes m^2/(1 + e)^2 of m^2, at constant volume here.
    for (double const m : {0.05, 0.4, 1.1, 2.3, 3.7}) {
        double const h = 1e-4;
        auto const energy = [&](double e) { return physics::dispersionReciprocalFactor(m * m / ((1 + e) * (1 + e)), beta, 1); };
        double const slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
        EXPECT_NEAR(physics::dispersionReciprocalVirialFactor(m * m, beta) * m * m, slope / energy(0),
                    1e-6 * (1 + std::fabs(slope / energy(0))))
            << m;
    }
    // Where the limit takes over, b = 4.
    double const edge = 4 * beta / pi, below = edge * (1 - 1e-9), above = edge * (1 + 1e-9);
    EXPECT_NEAR(physics::dispersionReciprocalVirialFactor(below * below, beta) /
                    physics::dispersionReciprocalVirialFactor(above * above, beta),
                1, 0.003);
}

// Simple cubic lattice: the sum of 1/r^6 is 8.4019239748 (Jones and Ingham 1925) in units of the spacing.
TEST(DispersionEwald, sumsACubicLattice)
{
    double const beta = 2.2; // per spacing
    double real = 0, waves = 0;
    int const reach = 6;
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = -reach; z <= reach; ++z) {
                double const r2 = x * x + y * y + z * z;
                waves += physics::dispersionReciprocalFactor(r2, beta, 1);
                if (r2 > 0) real -= 0.5 * physics::dispersionScreening(beta * std::sqrt(r2)) / (r2 * r2 * r2);
            }
    double const energy = real + 0.5 * waves + physics::dispersionSelfEnergy(1, beta);
    EXPECT_NEAR(-2 * energy, 8.40192397482754, 1e-10);
    EXPECT_NEAR(physics::uniformDispersionTimesVolume(1, beta), 0.5 * physics::dispersionReciprocalFactor(0, beta, 1), 1e-14);
}

TEST(DispersionEwald, combinesC6)
{
    EXPECT_NEAR(physics::geometricC6(4, 9), 6, 1e-14);
    double const c6 = 4 * 0.7 * std::pow(0.3, 6), c12 = c6 * std::pow(0.3, 6);
    EXPECT_NEAR(physics::lorentzBerthelotC6(c6, c12, c6, c12) / c6, 1, 1e-14);
    EXPECT_EQ(physics::lorentzBerthelotC6(c6, c12, 0, c12), 0);
}

} // namespace
