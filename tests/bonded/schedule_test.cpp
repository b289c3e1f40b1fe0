// The threaded schedule: same bits for any number of threads, exact momentum, the virial by strain, failures by name.

#include "base/error.hpp"
#include "chain_positions.hpp"
#include "small_system.hpp"

#include <gtest/gtest.h>

#include <string>

namespace alder::tests {
namespace {

using math::Vec3d;
using system::Kind;

/// A chain of `atoms` atoms with terms of all arities along it.
std::vector<Entries> chainTerms(int atoms)
{
    Entries bonds{Kind::bond, {}}, angles{Kind::ureyBradley, {}}, dihedrals{Kind::properDihedral, {}}, series{Kind::ryckaertBellemans, {}};
    Entries pairs{Kind::pair14Charges, {}}, maps{Kind::cmap, {}};
    for (int a = 0; a < atoms; ++a) {
        double const i = a;
        if (a + 1 < atoms) bonds.rows.push_back({i + 1, i, 0.15, 3e5 + i});
        if (a + 2 < atoms) angles.rows.push_back({i, i + 1, i + 2, 109.5 + i, 400, 0.25, 3e4});
        if (a + 3 < atoms) dihedrals.rows.push_back({i, i + 1, i + 2, i + 3, 30, 12, 3});
        if (a + 3 < atoms) pairs.rows.push_back({i, i + 3, 0.5, 0.3, -0.4, 1e-3, 1e-6});
        if (a + 3 < atoms) series.rows.push_back({i + 3, i + 2, i + 1, i, 9.28, 12.16, -13.12, -3.06, 26.24, -31.5});
        if (a + 4 < atoms) maps.rows.push_back({i, i + 1, i + 2, i + 3, i + 4, 0});
    }
    return {bonds, angles, dihedrals, series, pairs, maps};
}

bool equal(Evaluated const& a, Evaluated const& b)
{
    for (std::size_t i = 0; i < a.forces.size(); ++i)
        if (!(a.forces[i] == b.forces[i])) return false;
    for (std::size_t t = 0; t < system::termCount; ++t)
        if (a.sums.terms[t].units != b.sums.terms[t].units) return false;
    math::Mat3d const v = a.sums.virial.value(), w = b.sums.virial.value();
    return v.x == w.x && v.y == w.y && v.z == w.z;
}

/// One long molecule is cut between threads, many short ones are dealt out; both leave partial molecules at the seams.
TEST(BondedSchedule, SameBitsForAnyNumberOfThreads)
{
    struct Shape {
        int atoms;
        std::int64_t copies;
    };
    for (Shape const shape : {Shape{101, 1}, Shape{7, 37}, Shape{5, 2}, Shape{4, 1}}) {
        system::Topology const topology = moleculesWith(chainTerms(shape.atoms), shape.atoms, shape.copies);
        auto const positions = chainPositions(skewed, shape.atoms, shape.copies);
        Evaluated const one(topology, planWithEpsilon(1), skewed, positions, 1);
        EXPECT_NE(one.energy(), 0);
        for (int threads = 2; threads <= 9; ++threads)
            EXPECT_TRUE(equal(one, Evaluated(topology, planWithEpsilon(1), skewed, positions, threads)))
                << shape.atoms << " x " << shape.copies << ", " << threads;
    }
}

TEST(BondedSchedule, TermsOfLaterBlocksAndEmptyTypesAreFound)
{
    system::Topology topology = moleculesWith(chainTerms(6), 6, 3);
    system::MoleculeType plain;
    plain.atoms.resize(4);
    topology.types.push_back(plain);
    // plain x 5, chain x 3, plain x 2, chain x 1
    topology.blocks = {{1, 5, 0, 0}, {0, 3, 20, 5}, {1, 2, 38, 8}, {0, 1, 46, 10}};
    topology.atomCount = 52;
    auto const chains = chainPositions(skewed, 6, 4);
    std::vector<math::FractionVec> positions(52);
    std::copy(chains.begin(), chains.begin() + 18, positions.begin() + 20);
    std::copy(chains.begin() + 18, chains.end(), positions.begin() + 46);
    Evaluated const four(moleculesWith(chainTerms(6), 6, 4), planWithEpsilon(1), skewed, chains);
    for (int threads = 1; threads <= 5; ++threads) {
        Evaluated const spread(topology, planWithEpsilon(1), skewed, positions, threads);
        for (std::size_t t = 0; t < system::termCount; ++t) EXPECT_EQ(spread.sums.terms[t].units, four.sums.terms[t].units);
        for (std::size_t i = 0; i < 18; ++i) EXPECT_TRUE(spread.forces[20 + i] == four.forces[i]);
        for (std::size_t i = 18; i < 24; ++i) EXPECT_TRUE(spread.forces[28 + i] == four.forces[i]);
    }
}

TEST(BondedSchedule, MomentumIsConservedToTheBit)
{
    auto const positions = chainPositions(skewed, 50, 3);
    Evaluated const got(moleculesWith(chainTerms(50), 50, 3), planWithEpsilon(1), skewed, positions, 2);
    math::ForceUnits sum;
    for (math::ForceUnits const& f : got.forces) sum += f;
    EXPECT_TRUE(sum == (math::ForceUnits{0, 0, 0}));
}

TEST(BondedSchedule, ForcesDoNotDependOnWhetherSumsAreWanted)
{
    system::Topology const topology = moleculesWith(chainTerms(20), 20, 2);
    auto const positions = chainPositions(skewed, 20, 2);
    Evaluated const with(topology, planWithEpsilon(1), skewed, positions);
    cpu::BondedForces bonded(topology, planWithEpsilon(1), 2);
    std::vector<math::ForceUnits> forces(positions.size());
    bonded.add(positions, skewed, forces, nullptr);
    for (std::size_t i = 0; i < forces.size(); ++i) EXPECT_TRUE(forces[i] == with.forces[i]);
    bonded.add(positions, skewed, forces, nullptr); // adds, does not set
    for (std::size_t i = 0; i < forces.size(); ++i) EXPECT_TRUE(forces[i] == with.forces[i] + with.forces[i]);
}

/// A whole molecule anywhere in the box, across any corner, gives the same bits.
TEST(BondedSchedule, ShiftsChangeNoBit)
{
    system::Topology const topology = moleculesWith(chainTerms(12), 12);
    auto positions = chainPositions(skewed, 12, 1);
    Evaluated const before(topology, planWithEpsilon(1), skewed, positions);
    for (math::FractionVec& p : positions) p = math::wrappingSum(p, {1999999999, -1234567890, 777777777});
    EXPECT_TRUE(equal(before, Evaluated(topology, planWithEpsilon(1), skewed, positions)));
}

/// The virial by the change of the energy when the box is strained at constant fractions: r -> (1 + e) r has
/// dV/de_ab = -sum F_a r_b = 2 Xi_ba. The terms have no torque, so the tensor is symmetric.
TEST(BondedSchedule, VirialIsTheResponseToStrain)
{
    system::Topology const topology = moleculesWith(chainTerms(10), 10, 4);
    auto const positions = chainPositions(skewed, 10, 4);
    Evaluated const got(topology, planWithEpsilon(1), skewed, positions);
    math::Mat3d const v = got.sums.virial.value();
    auto const energy = [&](int a, int b, double e) {
        auto const strain = [&](Vec3d r) {
            double const by = e * (b == 0 ? r.x : b == 1 ? r.y : r.z);
            (a == 0 ? r.x : a == 1 ? r.y : r.z) += by;
            return r;
        };
        physics::Box const box(strain(skewed.a()), strain(skewed.b()), strain(skewed.c()));
        return Evaluated(topology, planWithEpsilon(1), box, positions).energy();
    };
    double const h = 1e-4;
    auto const slope = [&](int a, int b) {
        auto const odd = [&](int n) { return energy(a, b, n * h) - energy(a, b, -n * h); };
        return (odd(1) * 4 / 5 - odd(2) / 5 + odd(3) * 4 / 105 - odd(4) / 280) / h;
    };
    double const scale = std::abs(v.x.x) + std::abs(v.y.y) + std::abs(v.z.z);
    double const tolerance = 1e-6 * scale + 1e-2; // energies are rounded to 6e-8 a term: 1e-3 in the slope
    EXPECT_NEAR(2 * v.x.x, slope(0, 0), tolerance);
    EXPECT_NEAR(2 * v.y.y, slope(1, 1), tolerance);
    EXPECT_NEAR(2 * v.z.z, slope(2, 2), tolerance);
    EXPECT_NEAR(2 * v.x.y, slope(0, 1), tolerance); // e_xy moves x by y: the box stays lower-triangular
    EXPECT_NEAR(2 * v.x.z, slope(0, 2), tolerance);
    EXPECT_NEAR(2 * v.y.z, slope(1, 2), tolerance);
    EXPECT_NEAR(v.x.y, v.y.x, 1e-5);
    EXPECT_NEAR(v.x.z, v.z.x, 1e-5);
    EXPECT_NEAR(v.y.z, v.z.y, 1e-5);
}

std::string failureOf(Entries const& entries, std::vector<Vec3d> const& at, int threads)
{
    physics::Box const box({4, 0, 0}, {0, 4, 0}, {0, 0, 4});
    std::vector<math::FractionVec> positions;
    for (Vec3d const r : at) positions.push_back(box.toFraction(r));
    try {
        Evaluated(moleculesWith({entries}, static_cast<int>(at.size())), planWithEpsilon(1), box, positions, threads);
    } catch (base::RunFailed const& failed) {
        return failed.what();
    }
    return "";
}

TEST(BondedSchedule, OverlapIsRefusedWithTheAtoms)
{
    std::vector<Vec3d> const at{{1, 1, 1}, {2, 2, 2}, {3, 1, 1}, {2, 2, 2}, {3, 1, 1}};
    Entries const pairs{Kind::pair14, {{2, 4, 1e-3, 1e-6}, {3, 1, 1e-3, 1e-6}}};
    std::string const message = failureOf(pairs, at, 1);
    EXPECT_NE(message.find("1-4 pair of atoms 2, 4, 0 nm apart,"), std::string::npos) << message;
    for (int threads = 2; threads < 5; ++threads) EXPECT_EQ(failureOf(pairs, at, threads), message);
    EXPECT_NE(failureOf({Kind::fene, {{0, 2, 0.5, 100}}}, at, 1).find("FENE bond of atoms 1, 3, 2 nm apart,"), std::string::npos);
    std::string const straight = failureOf({Kind::restrictedAngle, {{0, 1, 2, 100, 100}}}, {{1, 1, 1}, {1.1, 1, 1}, {1.2, 1, 1}}, 1);
    EXPECT_NE(straight.find("of atoms 1, 2, 3 has a force beyond"), std::string::npos);
    // A harmonic bond of no length has energy and no direction.
    EXPECT_EQ(failureOf({Kind::bond, {{1, 3, 0.1, 1000}}}, at, 1), "");
}

/// Hand values: a 1-4 pair at 0.5 nm, c6 = 2^-6 0.01, c12 = 2^-12 1e-3, charges 0.5 and -0.5, fudgeQQ 0.5, epsilon_r 2.
TEST(BondedSchedule, PairEnergyByHand)
{
    Entries const pairs{Kind::pair14, {{0, 1, 0.01 / 64, 1e-3 / 4096}}};
    system::Topology topology = moleculesWith({pairs}, 2);
    topology.types[0].atoms[0].charge = 0.5;
    topology.types[0].atoms[1].charge = -0.5;
    physics::Box const box({4, 0, 0}, {0, 4, 0}, {0, 0, 4});
    Evaluated const got(topology, planWithEpsilon(2), box, {box.toFraction({3.75, 1, 1}), box.toFraction({0.25, 1, 1})});
    EXPECT_NEAR(got.sums.of(system::Term::lj14).value(), 1e-3 - 0.01, 1e-7);
    EXPECT_NEAR(got.sums.of(system::Term::coulomb14).value(), -138.93545764 / 2 * 0.5 * 0.25 / 0.5, 1e-5);
    // F = 12 c12/r^13 - 6 c6/r^7 + qq/r^2 along r_i - r_j = (-0.5, 0, 0)
    double const force = (12e-3 - 0.06) / 0.5 - 138.93545764 / 2 * 0.5 * 0.25 / 0.25;
    EXPECT_NEAR(math::forceValue(got.forces[0]).x, -force, 1e-5);
    EXPECT_NEAR(math::forceValue(got.forces[1]).x, force, 1e-5);
    EXPECT_NEAR(got.sums.virial.value().x.x, -0.5 * (-0.5) * -force, 1e-5);
}

} // namespace
} // namespace alder::tests
