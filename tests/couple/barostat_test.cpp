#include "couple/barostat.hpp"

#include "base/error.hpp"
#include "math/distribution.hpp"
#include "physics/constants.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace alder;
using couple::barostatEnergy;
using couple::berendsenStretch;
using couple::boxKinetic;
using couple::couplePressure;
using couple::rescalingStretch;
using math::Mat3d;
using plan::Barostat;
using plan::PressureCoupling;

constexpr double kelvin = 300;
constexpr double kT = physics::boltzmann * kelvin;
physics::Box const oblong({3.0, 0, 0}, {0, 3.5, 0}, {0, 0, 4.2});
physics::Box const skewed({3.0, 0, 0}, {1.0, 2.8, 0}, {-0.9, 1.1, 2.6});

Mat3d diagonal(double x, double y, double z) { return {{x, 0, 0}, {0, y, 0}, {0, 0, z}}; }

plan::DynamicsPlan dynamicsOf(Barostat kind, PressureCoupling type)
{
    plan::DynamicsPlan dynamics;
    dynamics.dt = 0.002;
    dynamics.seed = 20261130;
    dynamics.groups.push_back({kelvin, 0.5, 300});
    plan::BarostatPlan& b = dynamics.barostat;
    b.kind = kind;
    b.type = type;
    b.interval = 10;
    b.tau = 2;
    b.compressibility = diagonal(4.5e-5, 4.5e-5, 4.5e-5);
    b.reference = diagonal(1, 1, 1);
    b.startLength = 4.2;
    return dynamics;
}

/// An ideal gas of n atoms whose momenta p = b v (b: the box) are conjugate to the fractions: all there is to know of it are the box and
/// the tensor sum p outer p/m, and its energy and pressure follow.
struct Gas {
    double atoms = 200;
    Mat3d momenta{}; ///< sum m (b v) outer (b v), so that the box drops out

    static Mat3d rows(physics::Box const& box) { return {box.a(), box.b(), box.c()}; }
    static Mat3d inverse(Mat3d const& m)
    {
        double const xx = 1 / m.x.x, yy = 1 / m.y.y, zz = 1 / m.z.z, yx = -m.y.x * xx * yy, zy = -m.z.y * yy * zz;
        return {{xx, 0, 0}, {yx, yy, 0}, {-(m.z.x * xx + m.z.y * yx) * zz, zy, zz}};
    }
    Gas(double temperature, physics::Box const& box)
    {
        // not isotropic, and with momentum flowing across: every element of the tensor must count
        double const e = atoms * physics::boltzmann * temperature;
        Mat3d const stress{{1.1 * e, 0.1 * e, -0.05 * e}, {0.1 * e, 0.9 * e, 0.07 * e}, {-0.05 * e, 0.07 * e, 1.2 * e}};
        momenta = product(product(rows(box), stress), transposed(rows(box)));
    }
    [[nodiscard]] Mat3d kinetic(physics::Box const& box) const
    {
        Mat3d const inv = inverse(rows(box));
        return 0.5 * product(product(inv, momenta), transposed(inv));
    }
    [[nodiscard]] Mat3d pressure(physics::Box const& box) const { return (2 / box.volume() * physics::barPerPressureUnit) * kinetic(box); }
};

couple::PressureNow nowOf(Gas const& gas, physics::Box const& box, std::int64_t step)
{
    return {step, gas.pressure(box), {}, gas.kinetic(box)};
}

TEST(Barostat, ScalesVelocitiesAgainstTheBox)
{
    for (physics::Box const& box : {oblong, skewed})
        for (Barostat const kind : {Barostat::cRescale, Barostat::parrinelloRahman}) {
            plan::DynamicsPlan dynamics = dynamicsOf(kind, PressureCoupling::semiisotropic);
            dynamics.barostat.tau = 0.3;
            system::CouplingState state;
            Gas const gas(5000, box);
            couple::BoxChange const change = couplePressure(dynamics, nowOf(gas, box, 30), box, state);
            EXPECT_TRUE(change.scalesVelocities);
            // the momenta of the fractions, b v, are kept
            Mat3d const before = Gas::rows(box), after = product(Gas::rows(change.box), change.velocityFactor);
            for (math::Vec3d const d : {before.x - after.x, before.y - after.y, before.z - after.z}) EXPECT_LT(norm(d), 1e-14);
            EXPECT_GT(std::fabs(change.box.a().x / box.a().x - 1), 1e-5);
            EXPECT_EQ(change.box.a().y + change.box.a().z + change.box.b().z, 0.0);
        }
}

/// The box oscillates about the volume N kT/P: energy is kept to second order in the interval, so that halving it quarters the error.
double worstDrift(PressureCoupling type, Mat3d const& reference, physics::Box box, int refinement)
{
    plan::DynamicsPlan dynamics = dynamicsOf(Barostat::parrinelloRahman, type);
    plan::BarostatPlan& b = dynamics.barostat;
    b.interval = 1;
    b.tau = 4;
    b.reference = reference;
    b.compressibility = diagonal(1e-3, 1e-3, 1e-3);
    if (type == PressureCoupling::anisotropic) b.compressibility = {{1e-3, 5e-4, 5e-4}, {5e-4, 1e-3, 5e-4}, {5e-4, 5e-4, 1e-3}};
    dynamics.dt = 0.02 / refinement;
    system::CouplingState state;
    Gas const gas(300, box);
    double start = 0, worst = 0, least = 1e9, most = 0;
    for (int step = 0; step < 400 * refinement; ++step) {
        system::CouplingState after = state; // the kinetic energy of the box at a coupling is the mean of the half steps around it
        couple::BoxChange const change = couplePressure(dynamics, nowOf(gas, box, step), box, after);
        double const held = boxKinetic(b, after.boxVelocity) - boxKinetic(b, state.boxVelocity);
        double const energy = gas.kinetic(box).trace() + barostatEnergy(b, box, state) + 0.5 * held;
        if (step == 0) start = energy;
        worst = std::max(worst, std::fabs(energy - start));
        least = std::min(least, box.volume());
        most = std::max(most, box.volume());
        state = after;
        box = change.box;
    }
    EXPECT_GT(most / least, 1.02) << "the box must move for its energy to be a test";
    return worst;
}

TEST(ParrinelloRahman, ConservesEnergyWithAnIdealGas)
{
    double const pressure = 200 * kT / oblong.volume() * physics::barPerPressureUnit;
    for (physics::Box const& box : {oblong, skewed})
        for (PressureCoupling const type : {PressureCoupling::isotropic, PressureCoupling::semiisotropic, PressureCoupling::anisotropic}) {
            Mat3d const reference = diagonal(1.2 * pressure, 1.2 * pressure, 1.2 * pressure);
            double const coarse = worstDrift(type, reference, box, 1), fine = worstDrift(type, reference, box, 2);
            EXPECT_LT(coarse, 0.5) << static_cast<int>(type); // of 750 kJ/mol
            EXPECT_NEAR(coarse / fine, 4, 1) << static_cast<int>(type) << " " << coarse;
        }
}

TEST(ParrinelloRahman, CountsTheWorkOfUnequalPressures)
{
    double const pressure = 200 * kT / oblong.volume() * physics::barPerPressureUnit;
    Mat3d const unequal = diagonal(1.2 * pressure, 1.2 * pressure, 0.9 * pressure);
    Mat3d const tension = diagonal(0.3 * pressure * 4.2, 0.3 * pressure * 4.2, 1.1 * pressure);
    // the work is summed interval by interval: first order
    for (auto const& [type, reference] : {std::pair{PressureCoupling::semiisotropic, unequal},
                                          {PressureCoupling::anisotropic, unequal},
                                          {PressureCoupling::surfaceTension, tension}}) {
        double const coarse = worstDrift(type, reference, oblong, 1), fine = worstDrift(type, reference, oblong, 4);
        EXPECT_LT(coarse, 3) << static_cast<int>(type);
        EXPECT_LT(fine, 0.4 * coarse) << static_cast<int>(type);
    }
}

TEST(ParrinelloRahman, SwingsWithItsPeriod)
{
    // a substance of exactly this compressibility, P = -(ln V/V0)/beta, in a cube: period tau (the mass is made for the edge at the start)
    plan::DynamicsPlan dynamics = dynamicsOf(Barostat::parrinelloRahman, PressureCoupling::isotropic);
    dynamics.barostat.startLength = 3;
    dynamics.barostat.interval = 1;
    dynamics.barostat.reference = {};
    physics::Box box({3, 0, 0}, {0, 3, 0}, {0, 0, 3});
    system::CouplingState state;
    state.boxVelocity = diagonal(1e-3, 1e-3, 1e-3);
    std::vector<double> crossings;
    double before = 0;
    for (int step = 0; step < 5000; ++step) {
        double const strain = std::log(box.volume() / 27), pressure = -strain / 4.5e-5;
        if (before < 0 && strain >= 0) crossings.push_back(step * dynamics.dt);
        before = strain;
        box = couplePressure(dynamics, {step, diagonal(pressure, pressure, pressure), {}, {}}, box, state).box;
    }
    ASSERT_GE(crossings.size(), 3U);
    EXPECT_NEAR(crossings[2] - crossings[1], dynamics.barostat.tau, 0.01 * dynamics.barostat.tau);
}

/// Volumes of an ideal gas at fixed temperature (momenta drawn anew by a perfect thermostat, so that the pressure is N kT/V on average).
std::vector<double> volumes(plan::BarostatPlan const& barostat, physics::Box box, double atoms, int samples, int every)
{
    std::vector<double> found;
    for (std::int64_t step = 0; static_cast<int>(found.size()) < samples; ++step) {
        double const p = atoms * kT / box.volume() * physics::barPerPressureUnit;
        Mat3d const mu = rescalingStretch(barostat, {0.02, kelvin, 20261130}, {step, diagonal(p, p, p), {}, {}}, box);
        Mat3d const rows = product(Gas::rows(box), mu);
        box = physics::Box(rows.x, rows.y, rows.z);
        if (step % every == every - 1 && step > 20 * every) found.push_back(box.volume());
    }
    return found;
}

TEST(CRescale, SamplesTheVolumesOfAnIdealGas)
{
    // P V/kT has density x^n e^-x/n!: a gamma distribution of shape n + 1
    double const atoms = 40, pressure = 100;
    for (PressureCoupling const type : {PressureCoupling::isotropic, PressureCoupling::semiisotropic}) {
        plan::DynamicsPlan dynamics = dynamicsOf(Barostat::cRescale, type);
        dynamics.barostat.reference = diagonal(pressure, pressure, pressure);
        double const beta = 1 / pressure; // of the gas
        dynamics.barostat.compressibility = diagonal(beta, beta, beta);
        dynamics.barostat.tau = 0.4; // twenty couplings
        std::vector<double> sample;
        double const volume = atoms * kT / pressure * physics::barPerPressureUnit, edge = std::cbrt(volume);
        for (double const v : volumes(dynamics.barostat, {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}, atoms, 2000, 80))
            sample.push_back(v * pressure / physics::barPerPressureUnit / kT);
        auto const misfit = [&](double shape) {
            return trial::kolmogorov(sample, [&](double x) { return trial::gammaCumulative(shape, x); });
        };
        EXPECT_LT(misfit(atoms + 1), 1.95) << static_cast<int>(type);
        EXPECT_GT(misfit(atoms), 1.95) << "one atom less is told apart";
    }
}

TEST(CRescale, IsBerendsenWithoutTemperature)
{
    for (PressureCoupling const type : {PressureCoupling::isotropic, PressureCoupling::semiisotropic}) {
        plan::DynamicsPlan cold = dynamicsOf(Barostat::cRescale, type);
        cold.groups[0].reference = 0;
        Mat3d const pressure = diagonal(40, -20, 90);
        couple::Stretch const of{0.02, 0, 1};
        Mat3d const a = rescalingStretch(cold.barostat, of, {7, pressure, {}, {}}, oblong);
        Mat3d const b = berendsenStretch(cold.barostat, of, pressure, oblong);
        for (double const d : {a.x.x - b.x.x, a.y.y - b.y.y, a.z.z - b.z.z}) EXPECT_LT(std::fabs(d), 1e-9); // exp(x) beside 1 + x
        EXPECT_GT(std::fabs(a.x.x - 1), 1e-6);
    }
}

TEST(CRescale, DrawsBySeedAndStepAlone)
{
    plan::DynamicsPlan const dynamics = dynamicsOf(Barostat::cRescale, PressureCoupling::isotropic);
    auto const mu = [&](std::uint64_t seed, std::int64_t step) {
        return rescalingStretch(dynamics.barostat, {0.02, kelvin, seed}, {step, {}, {}, {}}, oblong).x.x;
    };
    EXPECT_EQ(mu(1, 10), mu(1, 10));
    EXPECT_NE(mu(1, 10), mu(1, 20));
    EXPECT_NE(mu(1, 10), mu(2, 10));
}

TEST(BerendsenPressure, FollowsItsFormula)
{
    plan::DynamicsPlan dynamics = dynamicsOf(Barostat::berendsen, PressureCoupling::isotropic);
    double const unit = 4.5e-5 * 0.02 / 2 / 3; // change of an edge by one bar
    Mat3d const pressure{{31, 5, 7}, {5, 61, 9}, {7, 9, -2}};
    auto const stretch = [&] { return berendsenStretch(dynamics.barostat, {0.02, kelvin, 1}, pressure, oblong); };
    EXPECT_NEAR(stretch().x.x, 1 + unit * 29, 1e-15);
    EXPECT_EQ(stretch().x.x, stretch().z.z);
    dynamics.barostat.type = PressureCoupling::semiisotropic;
    EXPECT_NEAR(stretch().y.y, 1 + unit * 45, 1e-15);
    EXPECT_NEAR(stretch().z.z, 1 - unit * 3, 1e-15);
    dynamics.barostat.type = PressureCoupling::anisotropic;
    dynamics.barostat.compressibility.x.y = dynamics.barostat.compressibility.y.x = 4.5e-5;
    EXPECT_NEAR(stretch().x.x, 1 + unit * 30, 1e-15);
    EXPECT_NEAR(stretch().y.x, unit * 10, 1e-15); // both halves of the shear, folded into the lower one
    EXPECT_EQ(stretch().x.y, 0);
    EXPECT_EQ(stretch().z.x, 0);
    dynamics.barostat.type = PressureCoupling::surfaceTension;
    dynamics.barostat.reference = diagonal(400, 400, 1);
    dynamics.barostat.compressibility.z.z = 0;
    EXPECT_EQ(stretch().z.z, 1);
    EXPECT_NEAR(stretch().x.x, 1 + 4.5e-5 * 0.01 * (400 / 4.2 - (-2.0 - 46)) / 2, 1e-15);
}

TEST(Barostat, CountsTheWorkOfTheVirial)
{
    for (Barostat const kind : {Barostat::berendsen, Barostat::cRescale}) {
        plan::DynamicsPlan const dynamics = dynamicsOf(kind, PressureCoupling::semiisotropic);
        system::CouplingState state;
        Mat3d const virial = diagonal(300, -500, 200), kinetic = diagonal(100, 200, 300);
        couple::BoxChange const change = couplePressure(dynamics, {20, diagonal(900, 500, -800), virial, kinetic}, oblong, state);
        double const x = change.box.a().x / 3.0, z = change.box.c().z / 4.2;
        double energy = 2 * ((x - 1) * -200 + (z - 1) * 200);
        if (kind == Barostat::cRescale) energy += 300 * (1 / (x * x) - 1) + 300 * (1 / (z * z) - 1);
        EXPECT_NEAR(barostatEnergy(dynamics.barostat, change.box, state), -energy, 1e-12);
        EXPECT_EQ(change.scalesVelocities, kind == Barostat::cRescale);
    }
}

TEST(Barostat, RefusesToTearTheBox)
{
    plan::DynamicsPlan const dynamics = dynamicsOf(Barostat::berendsen, PressureCoupling::isotropic);
    system::CouplingState state;
    double const p = 2e6;
    try {
        couplePressure(dynamics, {120, diagonal(p, p, p), {}, {}}, oblong, state);
        FAIL();
    } catch (base::RunFailed const& failed) {
        EXPECT_THAT(failed.what(), ::testing::AllOf(::testing::HasSubstr("step 120"), ::testing::HasSubstr("tau-p")));
    }
}

} // namespace
