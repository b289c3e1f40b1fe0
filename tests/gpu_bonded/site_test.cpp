// Virtual sites on the device: the bits of cpu::VirtualSites, for every construction, nested sites, and whatever order blocks take.

#include "base/error.hpp"
#include "bonded/reference_sites.hpp"
#include "bonded/virtual_sites.hpp"
#include "cpu/bonded/virtual_sites.hpp"
#include "device_terms.hpp"
#include "plan/supported.hpp"
#include "simt/control.hpp"

#include <random>

namespace alder::tests {
namespace {

using math::Vec3d;
using system::Kind;

physics::Box const skewed({4, 0, 0}, {1.3, 3.5, 0}, {-1.1, 0.9, 3.2});

/// Copies of the six atoms of the references and one site or more, each atom pushed a little.
struct SiteSystem {
    system::Topology topology;
    std::vector<math::FractionVec> positions;
    std::vector<math::ForceUnits> forces;
    SiteSystem(std::vector<Entries> const& sites, int atoms, std::int64_t copies) : topology(moleculesWith(sites, atoms, copies))
    {
        std::mt19937 random(3);
        std::normal_distribution<double> push(0, 0.01), force(0, 300);
        std::uniform_real_distribution<double> anywhere(0, 3);
        for (std::int64_t m = 0; m < copies; ++m) {
            Vec3d const shift{anywhere(random), anywhere(random), anywhere(random)};
            for (std::size_t i = 0; i < static_cast<std::size_t>(atoms); ++i) {
                Vec3d place = shift;
                if (i < 6) { // the references cross the corner of a cube: as vectors from the second
                    auto const& r = referencePositions[i];
                    auto const near = [](double x) { return x > referenceBox / 2 ? x - referenceBox : x; };
                    place += Vec3d{near(r[0]) + push(random), near(r[1]) + push(random), near(r[2]) + push(random)};
                }
                positions.push_back(skewed.toFraction(place));
                forces.push_back(math::forceUnits({force(random), force(random), force(random)}));
            }
        }
    }
};

void expectSameSites(SiteSystem const& system)
{
    cpu::VirtualSites const expected(system.topology, 1);
    auto placed = system.positions;
    expected.construct(placed, skewed);
    auto spread = system.forces;
    system::ForceSums sums;
    expected.spread(placed, skewed, spread, &sums);

    cuda::Stream stream;
    cuda::VirtualSites sites(system.topology, stream);
    cuda::DeviceBuffer<math::FractionVec> positions(system.positions, stream);
    sites.construct(positions.view(), skewed);
    sites.check();
    EXPECT_TRUE(positions.download(stream) == placed);
    for (bool const wanted : {false, true}) {
        DeviceSums found(system.positions.size(), stream);
        found.set(system.forces);
        sites.spread(positions.constView(), skewed, found.target(wanted));
        EXPECT_TRUE(found.forceUnits() == spread);
        EXPECT_EQ(found.sumUnits(), wanted ? unitsOf(sums) : std::vector<std::int64_t>(cuda::sumCount, 0));
    }
}

class EverySite : public testing::TestWithParam<ReferenceTerms> {};

TEST_P(EverySite, HasTheBitsOfTheCpu)
{
    ReferenceTerms const& reference = GetParam();
    for (std::int64_t const copies : {1, 131}) expectSameSites(SiteSystem({{reference.kind, reference.entries}}, 7, copies));
    EXPECT_TRUE(cuda::VirtualSites::cannotDo(moleculesWith({{reference.kind, reference.entries}}, 7)).empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, EverySite, testing::ValuesIn(referenceSites()));

/// 7 = midpoint of 0 and 1; 8 = midpoint of 7 and 2, 6 on 8: three levels, listed against their order. 9 = weighted mean of four.
std::vector<Entries> nestedSites()
{
    return {{Kind::virtualSite1, {{6, 8}}},
            {Kind::virtualSite2, {{8, 7, 2, 0.5}, {7, 0, 1, 0.5}}},
            {Kind::virtualSiteN, {{9, 0, 4, 0.1}, {9, 2, 4, 0.2}, {9, 3, 4, 0.3}, {9, 8, 4, 0.4}}}};
}

TEST(DeviceSites, NestedSitesFollowTheirMakersInAnyOrderOfBlocks)
{
    for (std::uint64_t const seed : {0u, 1u, 2u}) {
        simt::setSeed(seed);
        expectSameSites(SiteSystem(nestedSites(), 10, 300));
    }
    simt::setSeed(0);
}

TEST(DeviceSites, VelocitiesAndDisplacementsAreTheCpus)
{
    SiteSystem const system(nestedSites(), 10, 40);
    double const dt = 0.002;
    cpu::VirtualSites const expected(system.topology, 1);
    auto placed = system.positions;
    expected.construct(placed, skewed);
    std::vector<Vec3d> velocities;
    for (math::ForceUnits const& f : system.forces) velocities.push_back((1.0 / 1000) * math::forceValue(f));
    auto implied = velocities;
    expected.setVelocities(placed, implied, skewed, dt);
    system::ForceSums displaced;
    expected.addDisplacedVirial(system.positions, placed, skewed, system.forces, displaced.virial);

    cuda::Stream stream;
    cuda::VirtualSites sites(system.topology, stream);
    cuda::DeviceBuffer<math::FractionVec> const given(system.positions, stream), positions(placed, stream);
    cuda::DeviceBuffer<Vec3d> found(velocities, stream);
    sites.setVelocities(positions.constView(), found.view(), skewed, dt);
    EXPECT_TRUE(found.download(stream) == implied);
    DeviceSums sums(placed.size(), stream);
    sums.set(system.forces);
    sites.addDisplacedVirial(given.constView(), positions.constView(), skewed, sums.target(true));
    EXPECT_EQ(sums.sumUnits(), unitsOf(displaced));
    EXPECT_EQ(sites.largestDisplacement(given.constView(), positions.constView(), skewed),
              expected.largestDisplacement(system.positions, placed, skewed));
}

TEST(DeviceSites, PlacelessSitesAreNamed)
{
    system::Topology const together = moleculesWith({{Kind::virtualSite2fd, {{2, 0, 1, 0.1}}}}, 3, 2);
    cuda::Stream stream;
    cuda::VirtualSites sites(together, stream);
    cuda::DeviceBuffer<math::FractionVec> positions(std::vector<math::FractionVec>(6), stream);
    sites.construct(positions.view(), skewed);
    try {
        sites.check();
        FAIL();
    } catch (base::RunFailed const& failed) {
        EXPECT_NE(std::string(failed.what()).find("virtual site 3 has no place"), std::string::npos);
    }
    EXPECT_THROW(cuda::VirtualSites(moleculesWith({{Kind::virtualSite1, {{0, 1}, {1, 0}}}}, 2), stream), base::InputRefused);
    EXPECT_EQ(cuda::VirtualSites::cannotDo(moleculesWith({{Kind::virtualSite4fd, {{4, 0, 1, 2, 3, 0.1, 0.1, 0.1}}}}, 5)).size(),
              plan::treatmentOf(Kind::virtualSite4fd) == plan::Treatment::virtualSite ? 1u : 0u);
}

} // namespace
} // namespace alder::tests
