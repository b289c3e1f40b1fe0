// Bonded terms on the device: the integers of the CPU's schedule, kind by kind. The emulation's functions are the host's, so even sines
// are equal here; a GPU's own differ from them in the last bits.

#include "base/error.hpp"
#include "bonded/chain_positions.hpp"
#include "bonded/reference_terms.hpp"
#include "device_terms.hpp"
#include "simt/control.hpp"

#include <random>
#include <string>

namespace alder::tests {
namespace {

using math::Vec3d;
using system::Kind;

struct KindName {
    template <class Param> std::string operator()(Param const& info) const
    {
        std::string name;
        for (char const c : std::string(system::infoOf(info.param.kind).name))
            if (std::isalnum(static_cast<unsigned char>(c))) name += c;
        return name + std::to_string(info.index);
    }
};

class EveryKind : public testing::TestWithParam<ReferenceTerms> {};

/// The six atoms of the references in `copies` molecules, each pushed a little, so that a slice is not full and no two terms are alike.
struct Copies {
    system::Topology topology;
    std::vector<math::FractionVec> positions;
    Copies(ReferenceTerms const& reference, physics::Box const& box, std::int64_t copies)
    {
        Entries entries{reference.kind, reference.entries};
        if (reference.kind == Kind::cmap) entries.rows[0].push_back(0);
        topology = moleculesWith({entries}, 6, copies);
        for (std::size_t i = 0; i < 6; ++i) topology.types[0].atoms[i].charge = referenceCharges[i];
        std::mt19937 random(7);
        std::normal_distribution<double> push(0, 0.004);
        for (std::int64_t m = 0; m < copies; ++m)
            for (std::size_t i = 0; i < 6; ++i) {
                auto const& r = referencePositions[i];
                positions.push_back(box.toFraction({r[0] + push(random), r[1] + push(random), r[2] + push(random)}));
                topology.restraintReference.push_back({r[0] + push(random), r[1] + 0.02, r[2] - 0.01});
                topology.restraintFractions.push_back({0, 0.25 * static_cast<double>(m % 5), 0.5});
            }
    }
};

TEST_P(EveryKind, GivesTheIntegersOfTheCpu)
{
    ReferenceTerms const& reference = GetParam();
    physics::Box const box({referenceBox, 0, 0}, {0, referenceBox, 0}, {0, 0, referenceBox});
    for (std::int64_t const copies : {1, 77}) {
        Copies const system(reference, box, copies);
        plan::RunPlan const plan = planWithEpsilon(2);
        Evaluated const expected(system.topology, plan, box, system.positions);
        EXPECT_NE(expected.energy(), 0);
        expectEqual(OnDevice(system.topology, plan, box, system.positions), expected);
        OnDevice const plain(system.topology, plan, box, system.positions, false);
        EXPECT_TRUE(plain.forces == expected.forces);
        EXPECT_EQ(plain.sums, std::vector<std::int64_t>(cuda::sumCount, 0));
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(referenceTerms()), KindName{});

/// A chain of `atoms` atoms with terms of all arities along it.
std::vector<Entries> chainTerms(int atoms)
{
    Entries bonds{Kind::bond, {}}, angles{Kind::ureyBradley, {}}, dihedrals{Kind::properDihedral, {}}, pairs{Kind::pair14Charges, {}};
    Entries maps{Kind::cmap, {}};
    for (int a = 0; a < atoms; ++a) {
        double const i = a;
        if (a + 1 < atoms) bonds.rows.push_back({i + 1, i, 0.15, 3e5 + i});
        if (a + 2 < atoms) angles.rows.push_back({i, i + 1, i + 2, 109.5 + i, 400, 0.25, 3e4});
        if (a + 3 < atoms) dihedrals.rows.push_back({i, i + 1, i + 2, i + 3, 30, 12, 3});
        if (a + 3 < atoms) pairs.rows.push_back({i, i + 3, 0.5, 0.3, -0.4, 1e-3, 1e-6});
        if (a + 4 < atoms) maps.rows.push_back({i, i + 1, i + 2, i + 3, i + 4, 0});
    }
    return {bonds, angles, dihedrals, pairs, maps};
}

TEST(DeviceBonded, ManyKindsAtOnceInAnyOrderOfBlocks)
{
    system::Topology const topology = moleculesWith(chainTerms(90), 90, 3);
    auto const positions = chainPositions(skewed, 90, 3);
    Evaluated const expected(topology, planWithEpsilon(1), skewed, positions);
    for (std::uint64_t const seed : {0u, 1u, 2u, 3u}) {
        simt::setSeed(seed);
        simt::resetCounts();
        expectEqual(OnDevice(topology, planWithEpsilon(1), skewed, positions), expected);
        EXPECT_EQ(simt::counts().launchesOf("bondedTerms"), 2) << "maps and all others";
    }
    simt::setSeed(0);
}

TEST(DeviceBonded, AddsAndDoesNotWaitForTheDevice)
{
    system::Topology const topology = moleculesWith(chainTerms(20), 20, 2);
    auto const positions = chainPositions(skewed, 20, 2);
    Evaluated const expected(topology, planWithEpsilon(1), skewed, positions);
    cuda::Stream stream;
    cuda::DeviceBuffer<math::FractionVec> const places(positions, stream);
    DeviceSums found(positions.size(), stream);
    cuda::BondedForces bonded(topology, planWithEpsilon(1), stream);
    simt::resetCounts();
    bonded.add(places.constView(), skewed, found.target(false));
    bonded.add(places.constView(), skewed, found.target(false));
    EXPECT_EQ(simt::counts().synchronizations, 0);
    auto const forces = found.forceUnits();
    for (std::size_t i = 0; i < forces.size(); ++i) EXPECT_TRUE(forces[i] == expected.forces[i] + expected.forces[i]);
}

/// Two objects that share the kinds, as slow and fast forces do, add up to one that has all.
TEST(DeviceBonded, KindsMayBeShared)
{
    system::Topology const topology = moleculesWith(chainTerms(20), 20, 2);
    auto const positions = chainPositions(skewed, 20, 2);
    Evaluated const expected(topology, planWithEpsilon(1), skewed, positions);
    cuda::Stream stream;
    cuda::DeviceBuffer<math::FractionVec> const places(positions, stream);
    DeviceSums found(positions.size(), stream);
    bonded::KindSet slow;
    slow.set(static_cast<std::size_t>(Kind::properDihedral)).set(static_cast<std::size_t>(Kind::cmap));
    cuda::BondedForces(topology, planWithEpsilon(1), stream, slow).add(places.constView(), skewed, found.target(true));
    EXPECT_FALSE(found.forceUnits() == expected.forces);
    cuda::BondedForces(topology, planWithEpsilon(1), stream, ~slow).add(places.constView(), skewed, found.target(true));
    EXPECT_TRUE(found.forceUnits() == expected.forces);
    EXPECT_EQ(found.sumUnits(), unitsOf(expected.sums));
}

TEST(DeviceBonded, NothingIsLaunchedWithoutTerms)
{
    cuda::Stream stream;
    cuda::BondedForces bonded(moleculesWith({}, 3), planWithEpsilon(1), stream);
    EXPECT_TRUE(bonded.empty());
    bonded.check();
    EXPECT_TRUE(cuda::BondedForces::cannotDo(moleculesWith(chainTerms(9), 9)).empty());
}

std::string failureOf(std::vector<Entries> const& entries, std::vector<Vec3d> const& at)
{
    physics::Box const box({4, 0, 0}, {0, 4, 0}, {0, 0, 4});
    std::vector<math::FractionVec> positions;
    for (Vec3d const r : at) positions.push_back(box.toFraction(r));
    try {
        OnDevice(moleculesWith(entries, static_cast<int>(at.size())), planWithEpsilon(1), box, positions);
    } catch (base::RunFailed const& failed) {
        return failed.what();
    }
    return "";
}

TEST(DeviceBonded, OverlapIsRefusedWithTheAtoms)
{
    std::vector<Vec3d> const at{{1, 1, 1}, {2, 2, 2}, {3, 1, 1}, {2, 2, 2}, {3, 1, 1}};
    Entries const pairs{Kind::pair14, {{0, 1, 1e-3, 1e-6}, {2, 4, 1e-3, 1e-6}, {3, 1, 1e-3, 1e-6}}};
    EXPECT_EQ(failureOf({pairs}, at),
              "1-4 pair of atoms 3, 5 has a force beyond all bounds: they overlap, or the potential has no value there");
    std::string const fene = failureOf({pairs, {Kind::fene, {{0, 2, 0.5, 100}}}}, at);
    EXPECT_NE(fene.find("FENE bond of atoms 1, 3 has"), std::string::npos) << fene;
    std::string const straight = failureOf({{Kind::restrictedAngle, {{0, 1, 2, 100, 100}}}}, {{1, 1, 1}, {1.1, 1, 1}, {1.2, 1, 1}});
    EXPECT_NE(straight.find("of atoms 1, 2, 3 has a force beyond"), std::string::npos);
    // A harmonic bond of no length has energy and no direction.
    EXPECT_EQ(failureOf({{Kind::bond, {{1, 3, 0.1, 1000}}}}, at), "");
}

} // namespace
} // namespace alder::tests
