// Parameters of virtual sites that the reader works out, judged by the geometry: the site put together with them must have the bond
// lengths and angles that the topology names.
#include "math/vec3.hpp"
#include "written_topology.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numbers>

namespace alder::deck {
namespace {

using math::Vec3d;
using system::Kind;
using test::Parts;
using test::partsWithSite;
using test::readText;
using ::testing::HasSubstr;

double angleBetween(Vec3d a, Vec3d b) { return std::acos(math::dot(a, b) / (math::norm(a) * math::norm(b))) * 180 / std::numbers::pi; }
Vec3d unit(Vec3d a) { return (1 / math::norm(a)) * a; }

/// Atom 5 hangs on atom 1 (j), with 2, 3, 4 (k, l, m) around it. Positions as seen from j.
struct Cluster {
    Vec3d site, k, l, m;
    [[nodiscard]] std::string text(std::string const& section) const
    {
        auto const bond = [](int i, Vec3d r) { return fmt::format("1 {} 1 {:.15g} 100\n", i, math::norm(r)); };
        auto const angle = [](int i, Vec3d a, int j, Vec3d b) { return fmt::format("{} 1 {} 1 {:.15g} 10\n", i, j, angleBetween(a, b)); };
        Parts p = partsWithSite();
        p.bonds = "[ bonds ]\n" + bond(2, k) + bond(3, l) + bond(4, m) + bond(5, site);
        p.interactions = "[ angles ]\n" + angle(5, site, 2, k) + angle(5, site, 3, l) + angle(5, site, 4, m) + angle(2, k, 3, l) +
                         angle(2, k, 4, m) + angle(3, l, 4, m) + section;
        return p.text();
    }
};

constexpr double tolerance = 1e-12;

void expectSameGeometry(Cluster const& c, Vec3d built)
{
    EXPECT_NEAR(math::norm(built), math::norm(c.site), tolerance);
    EXPECT_NEAR(math::dot(built, c.k), math::dot(c.site, c.k), tolerance);
    EXPECT_NEAR(math::dot(built, c.l), math::dot(c.site, c.l), tolerance);
}

TEST(TopologyVirtualSites, fixedDistanceInThePlane)
{
    Cluster const c{{-0.08, 0.03, 0}, {0.12, 0.05, 0}, {0.03, -0.14, 0}, {0.1, 0.1, 0.1}};
    auto const r = readText(c.text("[ virtual_sites3 ]\n5 1 2 3 2\n"));
    ASSERT_TRUE(r.accepted()) << r.said();
    auto const p = r.parameters(Kind::virtualSite3fd);
    expectSameGeometry(c, p[1] * unit(c.k + p[0] * (c.l - c.k)));
}

TEST(TopologyVirtualSites, fixedAngle)
{
    Cluster const c{{-0.08, 0.03, 0}, {0.12, 0.05, 0}, {0.03, -0.14, 0}, {0.1, 0.1, 0.1}};
    auto const r = readText(c.text("[ virtual_sites3 ]\n5 1 2 3 3\n"));
    ASSERT_TRUE(r.accepted()) << r.said();
    EXPECT_NEAR(r.parameters(Kind::virtualSite3fad)[0], angleBetween(c.site, c.k), 1e-10);
    EXPECT_NEAR(r.parameters(Kind::virtualSite3fad)[1], math::norm(c.site), tolerance);
    auto const mirrored = readText(c.text("[ virtual_sites3 ]\n5 1 2 3 -3\n"));
    EXPECT_NEAR(mirrored.parameters(Kind::virtualSite3fad)[0], 360 - angleBetween(c.site, c.k), 1e-10);
}

TEST(TopologyVirtualSites, outOfThePlane)
{
    Cluster const c{{-0.05, 0.03, 0.07}, {0.12, 0.05, 0}, {0.03, -0.14, 0}, {0.1, 0.1, 0.1}};
    for (double const side : {1.0, -1.0}) {
        auto const r = readText(c.text(side > 0 ? "[ virtual_sites3 ]\n5 1 2 3 4\n" : "[ virtual_sites3 ]\n5 1 2 3 -4\n"));
        ASSERT_TRUE(r.accepted()) << r.said();
        auto const p = r.parameters(Kind::virtualSite3out);
        Vec3d const normal = math::cross(c.k, c.l);
        Vec3d const built = p[0] * c.k + p[1] * c.l + p[2] * normal;
        expectSameGeometry(c, built);
        EXPECT_LT(side * math::dot(built, normal), 0);
    }
}

TEST(TopologyVirtualSites, fourAtomsAlongTheNormal)
{
    Cluster c{{0.0, 0.0, 0.11}, {0.14, 0.01, -0.05}, {-0.06, 0.12, -0.04}, {-0.07, -0.11, -0.06}};
    auto const r = readText(c.text("[ virtual_sites4 ]\n5 1 2 3 4 2\n"));
    ASSERT_TRUE(r.accepted()) << r.said();
    auto const p = r.parameters(Kind::virtualSite4fdn);
    Vec3d const ra = p[0] * c.l - c.k, rb = p[1] * c.m - c.k;
    Vec3d const built = p[2] * unit(math::cross(ra, rb));
    EXPECT_NEAR(std::fabs(math::dot(built, c.site)), math::norm2(c.site), tolerance);
}

TEST(TopologyVirtualSites, fourAtomsAtAFixedDistance)
{
    Cluster c{{0.0, 0.0, 0.11}, {0.14, 0.01, -0.05}, {-0.06, 0.12, -0.04}, {-0.07, -0.11, -0.06}};
    auto const r = readText(c.text("[ virtual_sites4 ]\n5 1 2 3 4 1\n"));
    ASSERT_TRUE(r.accepted()) << r.said();
    auto const p = r.parameters(Kind::virtualSite4fd);
    EXPECT_NEAR(p[2], -math::norm(c.site), tolerance);
    Vec3d const built = p[2] * unit(c.k + p[0] * (c.l - c.k) + p[1] * (c.m - c.k));
    EXPECT_NEAR(math::norm(built - c.site), 0, tolerance);
}

TEST(TopologyVirtualSites, groupsOnDummyMasses)
{
    // Two masses 0.1 nm apart, each 0.13 nm from the heavy atom; X 0.147 nm from it; hydrogens 0.1 nm from X at 109.5 degrees.
    Parts p;
    p.atomTypes += "MNH3 0 0.0 0.0 A 0 0\n";
    p.atoms =
        "[ atoms ]\n1 A 1 M CA 1 0 12\n2 MNH3 1 M M1 1 0 8\n3 MNH3 1 M M2 1 0 8\n4 B 1 M N 1 0 0\n5 B 1 M H 1 0 0\n6 B 1 M H2 1 0 0\n";
    p.bonds = "[ bonds ]\n1 4 1 0.147 100\n4 5 1 0.1 100\n4 6 1 0.1 100\n[ constraints ]\n1 2 2 0.13\n1 3 2 0.13\n2 3 2 0.1\n";
    p.interactions = "[ angles ]\n1 4 5 1 109.5 10\n1 4 6 1 109.5 10\n[ virtual_sites3 ]\n4 1 2 3 1\n5 1 2 3 1\n6 1 2 3 4\n";
    auto const r = readText(p.text());
    ASSERT_TRUE(r.accepted()) << r.said();
    double const height = std::sqrt(0.13 * 0.13 - 0.05 * 0.05);
    Vec3d const k{0.05, height, 0}, l{-0.05, height, 0};
    auto const x = r.parameters(Kind::virtualSite3, 0), h = r.parameters(Kind::virtualSite3, 1), out = r.parameters(Kind::virtualSite3out);
    Vec3d const n = x[0] * k + x[1] * l, hydrogen = h[0] * k + h[1] * l, third = out[0] * k + out[1] * l + out[2] * math::cross(k, l);
    EXPECT_NEAR(math::norm(n), 0.147, tolerance);
    for (Vec3d const at : {hydrogen, third}) {
        EXPECT_NEAR(math::norm(at - n), 0.1, tolerance);
        EXPECT_NEAR(angleBetween(at - n, -n), 109.5, 1e-9);
    }
    EXPECT_NEAR(angleBetween(math::cross(hydrogen, n), math::cross(third, n)), 120, 1e-9);
    EXPECT_EQ(r.type().atoms[4].particle, 'V');
    // X and the hydrogens hang rigidly on constrained atoms: their bonds and angles are gone, their connections are not.
    EXPECT_EQ(r.type().of(Kind::bond).size(), 0U);
    EXPECT_EQ(r.type().of(Kind::angle).size(), 0U);
    EXPECT_EQ(r.type().of(Kind::connectBond).size(), 3U);
}

TEST(TopologyVirtualSites, sitesOfManyAtomsHaveWeights)
{
    for (auto const& [line, weights] : std::vector<std::pair<std::string, std::vector<double>>>{
             {"5 1 1 2 3", {1. / 3, 1. / 3, 1. / 3}}, {"5 2 1 2 3", {0.3, 0.3, 0.4}}, {"5 3 1 1 3 3", {0.25, 0.75}}}) {
        Parts p = partsWithSite();
        p.interactions = "[ virtual_sitesn ]\n" + line + "\n";
        auto const r = readText(p.text());
        ASSERT_TRUE(r.accepted()) << r.said();
        ASSERT_EQ(r.type().of(Kind::virtualSiteN).size(), weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            EXPECT_EQ(r.parameters(Kind::virtualSiteN, i)[0], static_cast<double>(weights.size()));
            EXPECT_NEAR(r.parameters(Kind::virtualSiteN, i)[1], weights[i], tolerance);
            EXPECT_EQ(r.type().of(Kind::virtualSiteN).atoms[2 * i], 4);
        }
        EXPECT_EQ(r.type().atoms[4].particle, 'V');
    }
}

TEST(TopologyVirtualSites, oldNamesAndAllConstructionsAreRead)
{
    for (auto const& [line, kind] :
         std::vector<std::pair<std::string, Kind>>{{"[ virtual_sites1 ]\n5 1 1", Kind::virtualSite1},
                                                   {"[ dummies2 ]\n5 1 2 1 0.4", Kind::virtualSite2},
                                                   {"[ virtual_sites2 ]\n5 1 2 2 0.4", Kind::virtualSite2fd},
                                                   {"[ Dummies3 ]\n5 1 2 3 1 0.4 0.3", Kind::virtualSite3},
                                                   {"[ virtual_sites3 ]\n5 1 2 3 2 0.4 0.3", Kind::virtualSite3fd},
                                                   {"[ virtual_sites3 ]\n5 1 2 3 -3 100 0.3", Kind::virtualSite3fad},
                                                   {"[ virtual_sites3 ]\n5 1 2 3 4 0.1 0.2 0.3", Kind::virtualSite3out},
                                                   {"[ virtual_sites4 ]\n5 1 2 3 4 1 0.1 0.2 0.3", Kind::virtualSite4fd},
                                                   {"[ virtual_sites4 ]\n5 1 2 3 4 2 0.1 0.2 0.3", Kind::virtualSite4fdn}}) {
        Parts p = partsWithSite();
        p.interactions = line + "\n";
        auto const r = readText(p.text());
        ASSERT_TRUE(r.accepted()) << line << "\n" << r.said();
        EXPECT_EQ(r.type().of(kind).size(), 1U) << line;
    }
}

/// Entries of a kind that are left when atom 5 is built by `construction`.
std::size_t left(Kind kind, std::string const& construction, std::string const& terms)
{
    Parts p = partsWithSite();
    p.bonds = "[ bonds ]\n3 4 1 0.15 1000\n";
    p.interactions = construction + terms;
    auto const r = readText(p.text());
    EXPECT_TRUE(r.accepted()) << r.said();
    return r.type().of(kind).size();
}

TEST(TopologyVirtualSites, termsThatCannotChangeAreRemoved)
{
    std::string const two = "[ virtual_sites2 ]\n5 1 2 1 0.4\n", fd = "[ virtual_sites3 ]\n5 1 2 3 2 0.4 0.3\n";
    std::string const rigid = "[ constraints ]\n1 2 1 0.15\n";
    EXPECT_EQ(left(Kind::bond, two, "[ bonds ]\n5 1 1 0.1 100\n"), 2U) << "1-2 is free to stretch";
    EXPECT_EQ(left(Kind::bond, two, rigid + "[ bonds ]\n5 1 1 0.1 100\n"), 1U);
    EXPECT_EQ(left(Kind::bond, two, rigid + "[ bonds ]\n5 3 1 0.1 100\n"), 2U) << "3 takes no part in the construction";
    EXPECT_EQ(left(Kind::bond, fd, "[ bonds ]\n5 1 1 0.1 100\n"), 1U) << "at a fixed distance from its first atom";
    EXPECT_EQ(left(Kind::bond, fd, "[ bonds ]\n5 2 1 0.1 100\n"), 1U);
    EXPECT_EQ(left(Kind::harmonic, fd, "[ bonds ]\n5 1 6 0.1 100\n"), 1U) << "no chemical bond";
    EXPECT_EQ(left(Kind::angle, two, rigid + "[ angles ]\n1 5 2 1 100 10\n5 2 3 1 100 10\n"), 1U);
    EXPECT_EQ(left(Kind::angle, two, "[ angles ]\n1 5 2 1 100 10\n"), 1U);
    EXPECT_EQ(left(Kind::properDihedral, fd, "[ dihedrals ]\n5 1 2 3 1 0 1 1\n5 1 2 4 1 0 1 1\n1 2 3 4 1 0 1 1\n"), 2U);
    EXPECT_EQ(left(Kind::improperDihedral, fd, "[ dihedrals ]\n5 1 2 3 2 0 1\n"), 0U);
    EXPECT_EQ(left(Kind::ryckaertBellemans, fd, "[ dihedrals ]\n5 1 2 3 3 1 2 3 4 5 6\n"), 1U) << "GROMACS keeps these";
    EXPECT_EQ(left(Kind::constraint, two, rigid + "5 1 1 0.1\n"), 1U);
    EXPECT_EQ(left(Kind::constraint, "[ virtual_sites3 ]\n5 1 2 3 4 0.1 0.2 0.3\n", "[ constraints ]\n5 1 1 0.1\n"), 0U);
    EXPECT_EQ(left(Kind::bond, "[ virtual_sitesn ]\n5 1 1 2\n", rigid + "[ bonds ]\n5 1 1 0.1 100\n"), 2U) << "never for sites of n atoms";
}

TEST(TopologyVirtualSites, refusesWhatCannotBeBuilt)
{
    for (auto const& [section, part] : std::vector<std::pair<std::string, std::string>>{
             {"[ virtual_sites2 ]\n5 1 2 1\n", "no geometry to follow from"},
             {"[ virtual_sites3 ]\n5 1 2 3 1\n", "MNH* or MCH3*"},
             {"[ virtual_sites3 ]\n5 1 2 3 2\n", "without parameters: no "},
             {"[ bonds ]\n5 1 1 0.1 5\n1 3 1 0.1 5\n[ virtual_sites3 ]\n5 1 2 3 2\n", "no angle of atoms"},
             {"[ virtual_sites3 ]\n5 1 2 3 -1 0.1 0.2\n", "negative function type"},
             {"[ virtual_sites4 ]\n5 1 2 3 4 3 0.1 0.2 0.3\n", "function type '3'"},
             {"[ virtual_sites2 ]\n5 1 2 1 0.4\n5 1 2 1 0.3\n", "constructed twice"},
             {"[ virtual_sitesn ]\n5 1 1 2\n5 1 2 3\n", "constructed twice"},
             {"[ virtual_sites2 ]\n5 1 2 1 0.4\n[ constraints ]\n5 2 1 0.15\n", "virtual site 5 takes part in a constraint"},
             {"[ virtual_sitesn ]\n5 1\n", "too few words"},
             {"[ virtual_sitesn ]\n5 4 1 2\n", "function type '4'"},
             {"[ virtual_sitesn ]\n5 1 1 5\n", "'5' is no constructing atom"},
             {"[ virtual_sitesn ]\n5 3 1 1 2\n", "no weight for constructing atom 2"},
             {"[ virtual_sitesn ]\n5 3 1 -1 2 2\n", "no weight"},
             {"[ virtual_sitesn ]\n5 3 1 0 2 0\n", "add up to nothing"},
             {"", "atom 5 ('C5') has mass 0"}}) {
        Parts p = partsWithSite();
        p.interactions = section;
        auto const r = readText(p.text());
        EXPECT_FALSE(r.accepted()) << section;
        EXPECT_THAT(r.said(), HasSubstr(part)) << section;
    }
    Parts p;
    p.interactions = "[ virtual_sites2 ]\n5 1 2 1 0.4\n";
    EXPECT_THAT(readText(p.text()).said(), HasSubstr("virtual site 5 ('C5') has mass 12"));
    Parts lone = partsWithSite();
    lone.atomTypes += "V 0 0.0 0.0 D 0 0\n";
    lone.atoms = "[ atoms ]\n1 A 1 M C 1\n2 V 1 M V 1\n";
    lone.bonds.clear();
    EXPECT_THAT(readText(lone.text()).said(), HasSubstr("virtual site 2 has no construction"));
}

} // namespace
} // namespace alder::deck
