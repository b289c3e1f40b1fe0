// The dipole of the cell in its surroundings: hand values, finite differences, strain, molecules that the box has cut.

#include "cpu/pme/surface_term.hpp"

#include "physics/surface_dipole.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace alder::test {
namespace {

using plan::Surroundings;

/// Three molecules: two of three bound atoms, charges -0.8, 0.4, 0.4, and one of two with +0.5 and -0.5.
system::Topology molecules(double extra)
{
    system::Topology t;
    t.nonbonded.typeCount = 1;
    system::MoleculeType bent, pair;
    for (double const q : {-0.8, 0.4, 0.4}) bent.atoms.emplace_back().charge = q;
    bent.of(system::Kind::bond) = {{0, 1, 0, 2}, {0, 0}};
    for (double const q : {0.5 + extra, -0.5}) pair.atoms.emplace_back().charge = q;
    pair.of(system::Kind::constraint) = {{0, 1}, {0}};
    t.types = {bent, pair};
    t.blocks = {{0, 2, 0, 0}, {1, 1, 6, 2}};
    t.atomCount = 8;
    t.moleculeCount = 3;
    return t;
}

physics::Box const box({2.1, 0, 0}, {0.3, 1.9, 0}, {-0.2, 0.4, 3.0});

std::vector<math::FractionVec> places(math::Vec3d shift, physics::Box const& in = box)
{
    std::vector<math::Vec3d> const r{{0.3, 0.2, 1.0}, {0.4, 0.25, 1.02}, {0.25, 0.3, 0.97}, {1.2, 0.9, 1.6},
                                     {1.3, 0.8, 1.7}, {1.1, 0.95, 1.55}, {0.7, 1.5, 1.3},   {0.75, 1.4, 1.4}};
    std::vector<math::FractionVec> f;
    for (math::Vec3d const& p : r) f.push_back(in.toFraction(p + shift));
    return f;
}

plan::SurfacePlan planOf(Surroundings surroundings, double netCharge = 0)
{
    plan::SurfacePlan plan;
    plan.surroundings = surroundings;
    plan.factor = surroundings == Surroundings::slab ? physics::slabFactor(physics::coulombConstant, 1)
                                                     : physics::dielectricFactor(physics::coulombConstant, 2.5, 1);
    plan.netCharge = netCharge;
    return plan;
}

struct Result {
    double energy;
    math::Mat3d virial;
    std::vector<math::ForceUnits> forces;
};

Result compute(plan::SurfacePlan const& plan, std::vector<math::FractionVec> const& positions, physics::Box const& in = box,
               int threads = 1)
{
    system::Topology const topology = molecules(plan.netCharge);
    cpu::SurfaceTerm term(topology, plan, threads);
    Result result{0, {}, std::vector<math::ForceUnits>(positions.size())};
    system::ForceSums sums;
    term.start(positions, in);
    term.add(positions, in, result.forces, &sums);
    result.energy = sums.of(system::Term::coulombRecip).value();
    result.virial = sums.virial.value();
    return result;
}

TEST(SurfaceTerm, hasItsValuesByHand)
{
    // Dipole by hand: 0.4 of each arm, 0.5 of the pair's vector.
    math::Vec3d const m = 0.4 * (math::Vec3d{0.05, 0.15, -0.01} + math::Vec3d{0.0, -0.05, 0.05}) + 0.5 * math::Vec3d{-0.05, 0.1, -0.1};
    double const f = physics::coulombConstant, volume = box.volume();
    EXPECT_NEAR(compute(planOf(Surroundings::dielectric), places({})).energy, 2 * physics::pi * f / (6 * volume) * math::norm2(m), 1e-5);
    EXPECT_NEAR(compute(planOf(Surroundings::slab), places({})).energy, 2 * physics::pi * f / volume * m.z * m.z, 1e-5);
}

TEST(SurfaceTerm, forceIsTheSlopeOfTheEnergy)
{
    for (plan::SurfacePlan const& plan : {planOf(Surroundings::dielectric), planOf(Surroundings::slab), planOf(Surroundings::slab, 0.7)}) {
        auto const positions = places({});
        auto const forces = compute(plan, positions).forces;
        for (std::size_t atom = 0; atom < positions.size(); ++atom)
            for (math::Vec3d const along : {math::Vec3d{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
                double const h = 0.01; // the energy is quadratic: any step will do
                auto const energyAt = [&](double d) {
                    auto moved = positions;
                    moved[atom] = math::wrappingSum(moved[atom], box.toFractionStep(d * along));
                    return compute(plan, moved).energy;
                };
                EXPECT_NEAR(math::dot(math::forceValue(forces[atom]), along), -(energyAt(h) - energyAt(-h)) / (2 * h), 5e-5);
            }
    }
}

TEST(SurfaceTerm, virialIsHalfTheSlopeUnderStrain)
{
    for (plan::SurfacePlan const& plan : {planOf(Surroundings::dielectric), planOf(Surroundings::slab), planOf(Surroundings::slab, 0.7)}) {
        auto const positions = places({});
        Result const here = compute(plan, positions);
        auto const energyAt = [&](math::Mat3d const& strain) {
            auto const apply = [&](math::Vec3d v) {
                return v + math::Vec3d{math::dot(strain.x, v), math::dot(strain.y, v), math::dot(strain.z, v)};
            };
            return compute(plan, positions, physics::Box(apply(box.a()), apply(box.b()), apply(box.c()))).energy;
        };
        double const e = 1e-3;
        auto const slope = [&](math::Mat3d const& d) { return 0.5 * (energyAt(e * d) - energyAt(-e * d)) / (2 * e); };
        double const bound = 1e-5 * std::fabs(here.energy) + 1e-4;
        EXPECT_NEAR(slope({{1, 0, 0}, {}, {}}), here.virial.x.x, bound);
        EXPECT_NEAR(slope({{}, {0, 1, 0}, {}}), here.virial.y.y, bound);
        EXPECT_NEAR(slope({{}, {}, {0, 0, 1}}), here.virial.z.z, bound);
        EXPECT_NEAR(slope({{0, 1, 0}, {}, {}}), here.virial.x.y, bound);
        EXPECT_NEAR(slope({{}, {0, 0, 1}, {}}), here.virial.y.z, bound);
    }
}

// In dielectric surroundings the cut of the box through molecules is of no matter.
TEST(SurfaceTerm, makesMoleculesWhole)
{
    plan::SurfacePlan const plan = planOf(Surroundings::dielectric);
    Result const here = compute(plan, places({}));
    for (math::Vec3d const shift : {math::Vec3d{1.72, 0.95, 1.42}, {0.9, 0.1, 1.95}, {0.35, 1.65, 1.1}}) {
        Result const moved = compute(plan, places(shift));
        EXPECT_NEAR(moved.energy, here.energy, 1e-5);
        for (std::size_t i = 0; i < here.forces.size(); ++i)
            EXPECT_LT(math::norm(math::forceValue(moved.forces[i]) - math::forceValue(here.forces[i])), 1e-4);
    }
}

TEST(SurfaceTerm, hasTheSameBitsForAnyNumberOfThreads)
{
    for (plan::SurfacePlan const& plan : {planOf(Surroundings::dielectric), planOf(Surroundings::slab, 0.7)}) {
        Result const one = compute(plan, places({}));
        for (int const threads : {2, 3}) {
            Result const other = compute(plan, places({}), box, threads);
            EXPECT_EQ(other.energy, one.energy);
            EXPECT_EQ(other.forces, one.forces);
        }
    }
}

} // namespace
} // namespace alder::test
