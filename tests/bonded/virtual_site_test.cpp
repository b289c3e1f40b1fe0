// Virtual sites: place, force and virial against GROMACS in double precision; the law's forces against differences; nested sites.

#include "base/error.hpp"
#include "cpu/bonded/virtual_sites.hpp"
#include "physics/virtual_site.hpp"
#include "reference_sites.hpp"
#include "small_system.hpp"

#include <gtest/gtest.h>

#include <random>

namespace alder::tests {
namespace {

using math::Vec3d;
using system::Kind;

class ReferenceSite : public testing::TestWithParam<ReferenceTerms> {};

TEST_P(ReferenceSite, EnergyForcesAndVirialAgree)
{
    ReferenceTerms const& reference = GetParam();
    system::Topology const topology =
        moleculesWith({{reference.kind, reference.entries}, {Kind::harmonic, {{6, 5, 0.1, 3000}, {6, 4, 0.15, 2000}}}}, 7);
    physics::Box const box({referenceBox, 0, 0}, {0, referenceBox, 0}, {0, 0, referenceBox});
    std::vector<math::FractionVec> positions(7);
    for (std::size_t i = 0; i < 6; ++i) {
        auto const& r = referencePositions[i];
        positions[i] = box.toFraction({r[0], r[1], r[2]});
    }

    cpu::VirtualSites const sites(topology, 1);
    sites.construct(positions, box);
    std::vector<math::ForceUnits> forces(7);
    system::ForceSums sums;
    cpu::BondedForces bonded(topology, planWithEpsilon(1), 1);
    bonded.add(positions, box, forces, &sums);
    sites.spread(positions, box, forces, &sums);

    // The site's place is rounded to 1e-9 nm: 5e-6 of force by the springs' 5000 kJ/mol/nm^2.
    EXPECT_NEAR(sums.of(system::Term::harmonic).value(), reference.energy, 2e-6);
    EXPECT_TRUE(forces[6] == (math::ForceUnits{0, 0, 0}));
    for (std::size_t i = 0; i < 6; ++i) {
        Vec3d const f = math::forceValue(forces[i]);
        EXPECT_NEAR(f.x, reference.forces[i][0], 1e-5) << i;
        EXPECT_NEAR(f.y, reference.forces[i][1], 1e-5) << i;
        EXPECT_NEAR(f.z, reference.forces[i][2], 1e-5) << i;
    }
    math::Mat3d const v = sums.virial.value();
    std::array<double, 9> const virial{v.x.x, v.x.y, v.x.z, v.y.x, v.y.y, v.y.z, v.z.x, v.z.y, v.z.z};
    for (std::size_t d = 0; d < 9; ++d) EXPECT_NEAR(virial[d], reference.virial[d], 5e-6) << d;
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReferenceSite, testing::ValuesIn(referenceSites()));

/// d(F.d)/d arm by central differences, for a constant F.
template <class Construction> void expectTranspose(std::vector<double> const& p)
{
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0, 0.1);
    for (int n = 0; n < 20; ++n) {
        Vec3d arms[3], to[3];
        for (Vec3d& arm : arms) arm = {normal(random), normal(random), normal(random)};
        Vec3d const force{normal(random), normal(random), normal(random)};
        Construction::spread(arms, p.data(), force, to);
        for (int a = 0; a < Construction::arms; ++a)
            for (int c = 0; c < 3; ++c) {
                double const h = 1e-5;
                auto const work = [&](double step) {
                    Vec3d moved[3] = {arms[0], arms[1], arms[2]};
                    (c == 0 ? moved[a].x : c == 1 ? moved[a].y : moved[a].z) += step;
                    return dot(force, Construction::place(moved, p.data()));
                };
                double const slope = (8 * (work(h) - work(-h)) - (work(2 * h) - work(-2 * h))) / (12 * h);
                EXPECT_NEAR(c == 0 ? to[a].x : c == 1 ? to[a].y : to[a].z, slope, 1e-7 * (1 + norm(to[a])));
            }
    }
}

TEST(VirtualSiteLaw, SpreadIsTheTransposeOfPlace)
{
    expectTranspose<physics::SiteOnLine>({0.3});
    expectTranspose<physics::SiteAtDistance>({0.11});
    expectTranspose<physics::SiteInPlane>({0.3, 0.25});
    expectTranspose<physics::SiteInPlaneAtDistance>({0.4, 0.12});
    expectTranspose<physics::SiteAtAngle>({-0.04, 0.12});
    expectTranspose<physics::SiteOutOfPlane>({0.2, 0.3, 2.5});
    expectTranspose<physics::SiteOnNormal>({0.8, 0.6, 0.1});
}

/// A site made from sites, listed before them; the force goes down both levels. The same bits for any number of threads.
TEST(VirtualSites, NestedSitesFollowTheirMakers)
{
    // 3 = midpoint of 0 and 1; 4 = midpoint of 3 and 2, though its kind comes first in the list of kinds for 1-atom sites: 5 on 4.
    std::vector<Entries> const entries{{Kind::virtualSite1, {{5, 4}}}, {Kind::virtualSite2, {{4, 3, 2, 0.5}, {3, 0, 1, 0.5}}}};
    std::int64_t const copies = 9;
    system::Topology const topology = moleculesWith(entries, 6, copies);
    physics::Box const box({4, 0, 0}, {1, 3, 0}, {0.5, -0.7, 3});
    std::vector<math::FractionVec> start;
    for (std::int64_t m = 0; m < copies; ++m)
        for (Vec3d const r : {Vec3d{3.9, 0, 0}, Vec3d{0.1, 0.2, 0}, Vec3d{0, 0.3, 0.4}, Vec3d{}, Vec3d{}, Vec3d{}})
            start.push_back(box.toFraction(r));
    std::vector<math::ForceUnits> const given(start.size(), math::ForceUnits{1001, -2002, 3003});
    std::vector<math::ForceUnits> first;
    for (int threads = 1; threads < 4; ++threads) {
        auto positions = start;
        auto forces = given;
        cpu::VirtualSites const sites(topology, threads);
        sites.construct(positions, box);
        Vec3d const place = box.difference(positions[5], positions[2]);
        EXPECT_NEAR(place.y, (0.1 + 0.3) / 2 - 0.3, 2e-9);
        EXPECT_NEAR(place.z, -0.2, 2e-9);
        sites.spread(positions, box, forces, nullptr);
        for (std::size_t s = 3; s < 6; ++s) EXPECT_TRUE(forces[s] == (math::ForceUnits{0, 0, 0}));
        math::ForceUnits sum;
        for (std::size_t a = 0; a < 6; ++a) sum += forces[a];
        EXPECT_TRUE(sum == (math::ForceUnits{6006, -12012, 18018}));
        if (first.empty()) first = forces;
        for (std::size_t i = 0; i < forces.size(); ++i) EXPECT_TRUE(first[i] == forces[i]);
    }
}

/// A site's velocity is the way it has come, over dt, as the velocities of its atoms imply it.
TEST(VirtualSites, VelocitiesAreThoseOfTheConstruction)
{
    system::Topology const topology = moleculesWith({{Kind::virtualSite3fd, {{3, 0, 1, 2, 0.4, 0.12}}}}, 4, 3);
    physics::Box const box({3, 0, 0}, {0.5, 3, 0}, {0.2, -0.3, 3});
    double const dt = 0.002;
    std::vector<math::FractionVec> positions;
    std::vector<Vec3d> velocities;
    std::mt19937 random(3);
    std::normal_distribution<double> normal(0, 0.4);
    for (int m = 0; m < 3; ++m)
        for (Vec3d const r : {Vec3d{2.95, 0.1, 0}, Vec3d{3.05, 0.15, 0.1}, Vec3d{2.9, 0.2, 2.9}, Vec3d{}}) {
            positions.push_back(box.toFraction(r));
            velocities.push_back({normal(random), normal(random), normal(random)});
        }
    cpu::VirtualSites const sites(topology, 2);
    sites.construct(positions, box);
    auto later = positions;
    for (std::size_t i = 0; i < later.size(); ++i)
        if (i % 4 != 3) later[i] = math::wrappingSum(later[i], box.toFractionStep(dt * velocities[i]));
    sites.construct(later, box);
    auto implied = velocities;
    sites.setVelocities(later, implied, box, dt);
    for (std::size_t i = 0; i < later.size(); ++i) {
        if (i % 4 != 3) {
            EXPECT_EQ(norm(implied[i] - velocities[i]), 0);
            continue;
        }
        EXPECT_LT(norm(implied[i] - (1 / dt) * box.difference(later[i], positions[i])), 5e-6) << "positions are kept to 1e-9 nm";
        EXPECT_GT(norm(implied[i]), 0.01);
    }
}

TEST(VirtualSites, LoopsAndPlacelessSitesAreRefused)
{
    system::Topology const loop = moleculesWith({{Kind::virtualSite1, {{0, 1}, {1, 0}}}}, 2);
    EXPECT_THROW(cpu::VirtualSites(loop, 1), base::InputRefused);
    system::Topology const together = moleculesWith({{Kind::virtualSite2fd, {{2, 0, 1, 0.1}}}}, 3);
    std::vector<math::FractionVec> positions(3);
    cpu::VirtualSites const sites(together, 1);
    physics::Box const box({4, 0, 0}, {0, 4, 0}, {0, 0, 4});
    try {
        sites.construct(positions, box);
        FAIL();
    } catch (base::RunFailed const& failed) {
        EXPECT_NE(std::string(failed.what()).find("virtual site 3 has no place"), std::string::npos);
    }
}

} // namespace
} // namespace alder::tests
