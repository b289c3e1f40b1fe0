// The grids of LJ-PME against the sum over waves by its definition, against their own strain, and against the C6 they stand for.

#include "pme/charged_system.hpp"

#include "physics/dispersion_ewald.hpp"
#include "plan/long_range/dispersion_grids.hpp"

#include <cmath>
#include <complex>
#include <gtest/gtest.h>

namespace alder::test {
namespace {

using cpu::SimdLevel;
using physics::pi;

/// Sources of 0.03 to 0.08 sqrt(kJ/mol nm^6), as atoms have.
ChargedSystem randomDispersion(Shape shape)
{
    ChargedSystem system = randomCharges(60, shape, 0, 17);
    for (std::size_t i = 0; i < system.charges.size(); ++i) system.charges[i] = 0.03 + 0.01 * static_cast<double>(i % 6);
    return system;
}

/// All waves up to pi m = 6 beta.
Reciprocal directDispersion(ChargedSystem const& system, double beta)
{
    Reciprocal result;
    result.forces.resize(system.charges.size());
    physics::ReciprocalCell const cell(system.box);
    double const volume = system.box.volume(), largest = 6 * beta / pi;
    auto const reach = [&](math::Vec3d edge) { return static_cast<int>(largest * math::norm(edge)) + 1; };
    int const hMax = reach(system.box.a()), kMax = reach(system.box.b()), lMax = reach(system.box.c());
    std::vector<math::Vec3d> r;
    for (auto const& p : system.positions) r.push_back(system.box.toPosition(p));
    math::Mat3d const one{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int h = -hMax; h <= hMax; ++h)
        for (int k = -kMax; k <= kMax; ++k)
            for (int l = -lMax; l <= lMax; ++l) {
                math::Vec3d const m = cell.vector(h, k, l);
                double const m2 = math::norm2(m);
                if (m2 > largest * largest) continue;
                std::complex<double> s = 0;
                for (std::size_t i = 0; i < r.size(); ++i) s += system.charges[i] * std::polar(1.0, 2 * pi * math::dot(m, r[i]));
                double const b2 = pi * pi * m2 / (beta * beta), b = std::sqrt(b2);
                double const f = (1 - 2 * b2) * std::exp(-b2) + 2 * b * b2 * std::sqrt(pi) * std::erfc(b);
                double const factor = -std::pow(pi, 1.5) * std::pow(beta, 3) / (6 * volume) * f;
                double const energy = factor * std::norm(s);
                result.energy += energy;
                double const g = std::exp(-b2) - std::sqrt(pi) * b * std::erfc(b);
                result.virial = result.virial + 0.5 * energy * (6 * pi * pi / (beta * beta) * g / f * math::outer(m, m) + (-1.0) * one);
                for (std::size_t i = 0; i < r.size(); ++i)
                    result.forces[i] +=
                        (4 * pi * factor * system.charges[i] * std::imag(std::conj(s) * std::polar(1.0, 2 * pi * math::dot(m, r[i])))) * m;
            }
    return result;
}

TEST(DispersionGrid, followsTheSumOverWaves)
{
    double const beta = 3.0;
    for (Shape const shape : {Shape::rectangular, Shape::triclinic})
        for (int const order : {4, 6}) {
            ChargedSystem const system = randomDispersion(shape);
            Reciprocal const expected = directDispersion(system, beta);
            double const scale = std::abs(expected.energy);
            for (SimdLevel const level : levels()) {
                Reciprocal const found = engine(system, dispersionPlan(system, order, {72, 81, 80}, beta), level, 2);
                EXPECT_NEAR(found.energy, expected.energy, 1e-6 * scale) << nameOf(level);
                EXPECT_LT(relativeError(found.forces, expected.forces), order == 4 ? 5e-4 : 1e-5) << nameOf(level);
                EXPECT_LT(largestDifference(found.virial, expected.virial), 2e-6 * scale) << nameOf(level);
            }
        }
}

TEST(DispersionGrid, virialIsHalfTheSlopeUnderStrain)
{
    ChargedSystem const system = randomDispersion(Shape::triclinic);
    plan::PmePlan const plan = dispersionPlan(system, 6, {36, 40, 42}, 3.2);
    math::Mat3d const virial = engine(system, plan, cpu::bestSimdLevel(), 1).virial;
    auto const energyAt = [&](math::Mat3d const& strain) {
        auto const apply = [&](math::Vec3d v) {
            return v + math::Vec3d{math::dot(strain.x, v), math::dot(strain.y, v), math::dot(strain.z, v)};
        };
        ChargedSystem strained = system;
        strained.box = physics::Box(apply(system.box.a()), apply(system.box.b()), apply(system.box.c()));
        return engine(strained, plan, cpu::bestSimdLevel(), 1).energy;
    };
    double const e = 1e-3, scale = std::abs(virial.x.x) + std::abs(virial.y.y) + std::abs(virial.z.z);
    auto const slope = [&](math::Mat3d const& direction) { return 0.5 * (energyAt(e * direction) - energyAt(-e * direction)) / (2 * e); };
    EXPECT_NEAR(slope({{1, 0, 0}, {}, {}}), virial.x.x, 1e-4 * scale);
    EXPECT_NEAR(slope({{}, {}, {0, 0, 1}}), virial.z.z, 1e-4 * scale);
    EXPECT_NEAR(slope({{0, 1, 0}, {}, {}}), virial.x.y, 1e-4 * scale);
    EXPECT_NEAR(slope({{}, {0, 0, 1}, {}}), virial.y.z, 1e-4 * scale);
}

TEST(DispersionGrid, hasTheSameBitsForAnyNumberOfThreads)
{
    ChargedSystem const system = randomDispersion(Shape::triclinic);
    plan::PmePlan const plan = dispersionPlan(system, 5, {18, 21, 26}, 3.2);
    for (SimdLevel const level : levels()) {
        auto const forces = engineForces(system, plan, level, 1);
        Reciprocal const sums = engine(system, plan, level, 1);
        for (int const threads : {2, 3, 7}) {
            EXPECT_EQ(engineForces(system, plan, level, threads), forces);
            Reciprocal const other = engine(system, plan, level, threads);
            EXPECT_EQ(other.energy, sums.energy);
            EXPECT_EQ(largestDifference(other.virial, sums.virial), 0);
        }
    }
}

/// `types` Lennard-Jones types of one atom each, rule 2.
system::Topology ladder(int types)
{
    system::Topology t;
    auto const n = static_cast<std::size_t>(types);
    t.nonbonded.typeCount = types;
    auto const sigma = [&](std::size_t a) { return 0.12 + 0.03 * static_cast<double>(a); };
    auto const epsilon = [](std::size_t a) { return 0.2 + 0.1 * static_cast<double>(a % 3); };
    system::MoleculeType type;
    for (std::size_t a = 0; a < n; ++a) {
        t.nonbonded.typeNames.push_back("T" + std::to_string(a));
        for (std::size_t b = 0; b < n; ++b) {
            double const s6 = std::pow(0.5 * (sigma(a) + sigma(b)), 6), e = std::sqrt(epsilon(a) * epsilon(b));
            t.nonbonded.c6.push_back(4 * e * s6);
            t.nonbonded.c12.push_back(4 * e * s6 * s6);
        }
        type.atoms.emplace_back().type = static_cast<int>(a);
    }
    type.exclusionStart.assign(n + 1, 0);
    t.types.push_back(type);
    t.blocks.push_back({0, 1, 0, 0});
    t.atomCount = types;
    return t;
}

TEST(DispersionGrids, addUpToTheCombinationRule)
{
    plan::RunOptions options;
    options.vdwType = plan::VdwType::pme;
    physics::Box const box({3, 0, 0}, {0, 3, 0}, {0, 0, 3});
    for (bool const lorentzBerthelot : {false, true})
        for (int const types : {1, 2, 5, 12}) {
            options.ljPmeLorentzBerthelot = lorentzBerthelot;
            system::Topology const topology = ladder(types);
            std::vector<plan::PmePlan> const plans = plan::makeDispersionGrids(options, topology, box);
            EXPECT_LE(plans.size(), lorentzBerthelot ? std::min<std::size_t>(7, static_cast<std::size_t>(types)) : 1U);
            auto const n = static_cast<std::size_t>(types);
            double self = 0, ownC6 = 0;
            for (plan::PmePlan const& p : plans) self += p.selfEnergy;
            for (std::size_t a = 0; a < n; ++a) {
                ownC6 += topology.nonbonded.c6[a * n + a];
                for (std::size_t b = 0; b < n; ++b) {
                    double sum = 0;
                    for (plan::PmePlan const& p : plans) sum += p.electricFactor * p.sourceOfType[a] * p.sourceOfType[b];
                    double const c6 = topology.nonbonded.c6[a * n + a], other = topology.nonbonded.c6[b * n + b];
                    double const expected = lorentzBerthelot ? topology.nonbonded.c6[a * n + b] : std::sqrt(c6 * other);
                    EXPECT_NEAR(sum, expected, 1e-8 * std::sqrt(c6 * other)) << types << ' ' << a << ' ' << b;
                }
            }
            EXPECT_NEAR(self, std::pow(plans[0].beta, 6) / 12 * ownC6, 1e-12 * self);
        }
}

TEST(DispersionGrids, betaLeavesWhatIsAsked)
{
    // gmx_d mdrun (GROMACS 2022.5) with rvdw = 1 and ewald-rtol-lj = 1e-3: 1/beta = 0.298423 nm
    EXPECT_NEAR(1 / plan::ewaldBetaLj(1.0, 1e-3), 0.298423, 1e-6);
    EXPECT_NEAR(physics::dispersionScreening(plan::ewaldBetaLj(0.9, 1e-5) * 0.9), 1e-5, 1e-12);
}

} // namespace
} // namespace alder::test
