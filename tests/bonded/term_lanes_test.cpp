#include "cpu/bonded/term_lanes.hpp"

#include "small_system.hpp"

#include "bonded/laws.hpp"
#include "math/variates.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace alder;
using cpu::laneCount;
using system::Kind;
using tests::Entries;
using tests::Evaluated;

physics::Box const skewed({3.1, 0, 0}, {0.7, 2.9, 0}, {-0.4, 0.6, 3.3});

double between(math::RandomStream& stream, double low, double high)
{
    math::RandomWords const w = stream.words();
    return low + (high - low) * math::openUniform(w.w0, w.w1);
}

/// Lanes of random terms; every seventh has two atoms at one place, every ninth three in line.
cpu::TermLanes randomTerms(math::RandomStream& stream, bool periodic)
{
    cpu::TermLanes t{};
    for (std::size_t l = 0; l < laneCount; ++l) {
        math::FractionVec last{};
        for (auto& vector : t.difference) {
            math::FractionVec d{};
            for (std::int32_t* c : {&d.x, &d.y, &d.z}) *c = static_cast<std::int32_t>(between(stream, -2.5e8, 2.5e8));
            double const fate = between(stream, 0, 1);
            if (fate < 0.14) d = {};
            if (fate > 0.89) d = last;
            vector.x[l] = d.x;
            vector.y[l] = d.y;
            vector.z[l] = d.z;
            last = d;
        }
        for (auto& parameter : t.parameters) parameter[l] = between(stream, -2, 3);
        if (periodic) t.parameters[3][l] = std::floor(between(stream, -6, 6.999));
    }
    return t;
}

bool equal(cpu::TermLanes const& a, cpu::TermLanes const& b, std::size_t forces)
{
    for (std::size_t l = 0; l < laneCount; ++l) {
        if (std::memcmp(&a.largest[l], &b.largest[l], sizeof(double)) != 0) return false;
        if (!(a.largest[l] <= cpu::largestLaneForce)) continue; // the forces are not asked for
        for (std::size_t n = 0; n < forces; ++n)
            if (a.force[n].x[l] != b.force[n].x[l] || a.force[n].y[l] != b.force[n].y[l] || a.force[n].z[l] != b.force[n].z[l])
                return false;
    }
    return true;
}

TEST(TermLanes, EveryWidthGivesTheSameBits)
{
    auto const versions = cpu::termKernelVersions();
    struct Case {
        Kind kind;
        std::size_t forces;
    };
    for (Case const& c : {Case{Kind::bond, 1}, Case{Kind::pair14, 1}, Case{Kind::angle, 2}, Case{Kind::ureyBradley, 2},
                          Case{Kind::properDihedral, 3}, Case{Kind::ryckaertBellemans, 3}}) {
        math::RandomStream stream(11, math::RandomPurpose::test, 0, static_cast<std::int64_t>(c.kind));
        for (int round = 0; round < 2000; ++round) {
            cpu::TermLanes const in = randomTerms(stream, c.kind == Kind::properDihedral);
            cpu::TermLanes first = in;
            versions.front().of(c.kind)(first, skewed);
            for (std::size_t v = 1; v < versions.size(); ++v) {
                cpu::TermLanes other = in;
                versions[v].of(c.kind)(other, skewed);
                ASSERT_TRUE(equal(first, other, c.forces)) << system::infoOf(c.kind).name << " round " << round << " version " << v;
            }
        }
    }
}

/// A term's forces do not depend on its neighbors: the same terms in other lanes.
TEST(TermLanes, LanesDoNotSeeEachOther)
{
    for (cpu::TermKernels const& kernels : cpu::termKernelVersions()) {
        math::RandomStream stream(12, math::RandomPurpose::test, 0, 0);
        cpu::TermLanes const in = randomTerms(stream, true);
        cpu::TermLanes straight = in, turned = in;
        for (std::size_t l = 0; l < laneCount; ++l) {
            std::size_t const from = (l + 3) % laneCount;
            for (std::size_t v = 0; v < 3; ++v) {
                turned.difference[v].x[l] = in.difference[v].x[from];
                turned.difference[v].y[l] = in.difference[v].y[from];
                turned.difference[v].z[l] = in.difference[v].z[from];
            }
            for (std::size_t p = 0; p < 6; ++p) turned.parameters[p][l] = in.parameters[p][from];
        }
        kernels.periodicDihedral(straight, skewed);
        kernels.periodicDihedral(turned, skewed);
        for (std::size_t l = 0; l < laneCount; ++l) {
            std::size_t const from = (l + 3) % laneCount;
            for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(turned.force[n].y[l], straight.force[n].y[from]);
        }
    }
}

/// Many copies of a molecule with every kind that has lanes, so that batches span molecules and end in remainders; one at a time (where
/// energies are wanted) and side by side the forces are the same integers.
TEST(TermLanes, SideBySideIsOneByOne)
{
    std::vector<Entries> const terms{{Kind::bond, {{0, 1, 0.11, 2e5}, {1, 2, 0.13, 1e5}, {2, 3, 0.15, 3e5}}},
                                     {Kind::harmonic, {{0, 4, 0.3, 500}}},
                                     {Kind::angle, {{0, 1, 2, 110, 400}, {1, 2, 3, 120, 500}, {2, 3, 4, 179.9, 300}}},
                                     {Kind::ureyBradley, {{0, 1, 2, 110, 400, 0.25, 9000}}},
                                     {Kind::properDihedral, {{0, 1, 2, 3, 180, 10, 2}, {1, 2, 3, 4, 30, 5, -3}, {0, 1, 2, 3, 0, 2, 6}}},
                                     {Kind::periodicImproper, {{0, 2, 3, 1, 180, 10, 9}}}, // more turns than the lanes have
                                     {Kind::ryckaertBellemans, {{0, 1, 2, 3, 5, -3, 2, 1, -4, 0.5}}},
                                     {Kind::fourierDihedral, {{1, 2, 3, 4, 5, -3, 2, 1}}},
                                     {Kind::pair14, {{0, 3, 1e-3, 1e-6}, {1, 4, 2e-3, 3e-6}}}};
    for (std::int64_t const copies : {1, 3, 8, 29}) {
        system::Topology const topology = tests::moleculesWith(terms, 5, copies);
        math::RandomStream stream(13, math::RandomPurpose::test, 0, copies);
        std::vector<math::FractionVec> positions;
        for (std::int64_t m = 0; m < copies; ++m) {
            math::Vec3d at{between(stream, 0, 3), between(stream, 0, 3), between(stream, 0, 3)};
            for (int a = 0; a < 5; ++a) {
                at += math::Vec3d{0.12, between(stream, -0.1, 0.1), between(stream, -0.1, 0.1)};
                positions.push_back(skewed.toFraction(at));
            }
        }
        if (copies == 29) positions[7] = positions[5]; // a 1-3 pair at one place; further on a 1-4 pair that is nearly so
        if (copies == 8) {
            positions[3] = positions[0];
            positions[3].x += 118000000; // 0.085 nm, some 1e9 kJ/mol/nm: a force that lanes leave to the single term
        }
        Evaluated const alone(topology, tests::planWithEpsilon(1), skewed, positions);
        if (copies == 8) { EXPECT_GT(norm(math::forceValue(alone.forces[0])), cpu::largestLaneForce); }
        for (int const threads : {1, 2, 3}) {
            cpu::BondedForces bonded(topology, tests::planWithEpsilon(1), threads);
            std::vector<math::ForceUnits> forces(positions.size());
            bonded.add(positions, skewed, forces, nullptr);
            for (std::size_t i = 0; i < forces.size(); ++i) EXPECT_TRUE(forces[i] == alone.forces[i]) << copies << " copies, atom " << i;
        }
    }
}

} // namespace
