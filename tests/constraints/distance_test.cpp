// Distances kept by LINCS and SHAKE, one molecule at a time, against a dense Newton solver that has nothing in common with either.
#include "constraints/constrained_molecules.hpp"
#include "constraints/distance_solver.hpp"
#include "constraints/projection.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace alder;
using constraints::ConstraintFit;
using constraints::ConstraintShape;
using constraints::LincsChoice;
using math::Vec3d;
using trial::Trial;

double largest(Vec3d v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// Solves a x = b by elimination with pivoting.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b)
{
    std::size_t const n = b.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c; r < n; ++r)
            if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
        std::swap(a[c], a[pivot]);
        std::swap(b[c], b[pivot]);
        for (std::size_t r = c + 1; r < n; ++r) {
            double const f = a[r][c] / a[c][c];
            for (std::size_t k = c; k < n; ++k) a[r][k] -= f * a[c][k];
            b[r] -= f * b[c];
        }
    }
    for (std::size_t c = n; c-- > 0;) {
        for (std::size_t k = c + 1; k < n; ++k) b[c] -= a[c][k] * b[k];
        b[c] /= a[c][c];
    }
    return b;
}

/// Displacements that satisfy all constraints, free + sum of forces along old bonds, by Newton's method.
std::vector<Vec3d> newton(Trial const& t)
{
    ConstraintShape const& shape = t.shape();
    std::size_t const n = shape.bonds.size();
    std::vector<Vec3d> x = t.free;
    auto const index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
    for (int iteration = 0; iteration < 30; ++iteration) {
        std::vector<std::vector<double>> jacobian(n, std::vector<double>(n));
        std::vector<double> error(n);
        for (std::size_t i = 0; i < n; ++i) {
            Vec3d const s = t.work.before[i] + (x[index(shape.bonds[i].a)] - x[index(shape.bonds[i].b)]);
            error[i] = norm2(s) - shape.bonds[i].length * shape.bonds[i].length;
            for (std::size_t j = 0; j < n; ++j) {
                double weight = 0; // how much s_i moves along r_j for one unit of force j
                for (auto const& [end, sign] : {std::pair(shape.bonds[j].a, 1.0), std::pair(shape.bonds[j].b, -1.0)}) {
                    if (end == shape.bonds[i].a) weight += sign * shape.inverseMass[index(end)];
                    if (end == shape.bonds[i].b) weight -= sign * shape.inverseMass[index(end)];
                }
                jacobian[i][j] = 2 * weight * dot(s, t.work.before[j]);
            }
        }
        std::vector<double> const g = solved(jacobian, error);
        for (std::size_t j = 0; j < n; ++j) {
            x[index(shape.bonds[j].a)] -= (shape.inverseMass[index(shape.bonds[j].a)] * g[j]) * t.work.before[j];
            x[index(shape.bonds[j].b)] += (shape.inverseMass[index(shape.bonds[j].b)] * g[j]) * t.work.before[j];
        }
    }
    return x;
}

double distance(std::vector<Vec3d> const& a, std::vector<Vec3d> const& b)
{
    double most = 0;
    for (std::size_t i = 0; i < b.size(); ++i) most = std::max(most, largest(a[i] - b[i]));
    return most;
}

constexpr double thermal = 0.003; // nm amu^1/2: what an atom of 1 amu moves in 2 fs at 300 K

/// Of every molecule, at random orientations and thermal steps.
template <class Visit> void forEachTrial(Visit&& visit)
{
    for (trial::ConstrainedMolecule const& molecule : trial::allMolecules())
        for (int seed = 0; seed < 20; ++seed) {
            SCOPED_TRACE(molecule.name + " seed " + std::to_string(seed));
            Trial t(molecule, seed, thermal);
            visit(t);
        }
}

TEST(Lincs, ComesAsCloseAsItsOrderAllows)
{
    forEachTrial([](Trial& t) {
        EXPECT_GT(t.worst(), 1e-3); // there is something to do
        EXPECT_TRUE(solveByLincs(t.shape(), t.work, {4, 1, 1.0}).good);
        bool const tree = t.shape().bonds.size() < t.shape().atoms.size();
        EXPECT_LT(t.worst(), tree ? 2e-4 : 2e-2);
        t.reset();
        EXPECT_TRUE(solveByLincs(t.shape(), t.work, {8, 4, 1.0}).good);
        if (t.topology.types[0].name != "CAGE") { // its series does not converge
            EXPECT_LT(t.worst(), tree ? 1e-6 : 2e-3);
        }
        t.reset();
        EXPECT_TRUE(solveByLincs(t.shape(), t.work, {4, 1, 1e-10}).good);
        EXPECT_LT(t.worst(), 1.01e-10);
    });
}

TEST(Constraints, AreSolvedAlikeByLincsShakeAndNewton)
{
    forEachTrial([](Trial& t) {
        std::vector<Vec3d> const known = newton(t);
        EXPECT_TRUE(solveByLincs(t.shape(), t.work, {4, 1, 1e-12}).good);
        EXPECT_LT(distance(t.work.displacement, known), 1e-12);
        std::vector<double> const multipliers = t.work.multiplier;
        t.reset();
        EXPECT_TRUE(solveByShake(t.shape(), t.work, 1e-12).good);
        EXPECT_LT(distance(t.work.displacement, known), 2e-12);
        for (std::size_t i = 0; i < multipliers.size(); ++i) EXPECT_NEAR(t.work.multiplier[i], multipliers[i], 1e-9);
    });
}

TEST(Shake, StopsWithinItsTolerance)
{
    for (double const tolerance : {1e-3, 1e-4, 1e-7})
        forEachTrial([&](Trial& t) {
            EXPECT_TRUE(solveByShake(t.shape(), t.work, tolerance).good);
            EXPECT_LT(t.worst(), 1.01 * tolerance);
            EXPECT_GT(t.worst(), 1e-3 * tolerance); // and no sooner
        });
}

/// Constraint forces are internal: they change neither momentum nor, acting along old bonds, the angular momentum about any point.
TEST(Constraints, KeepMomentumAndAngularMomentum)
{
    forEachTrial([](Trial& t) {
        for (bool const shake : {false, true}) {
            t.reset();
            if (shake)
                EXPECT_TRUE(solveByShake(t.shape(), t.work, 1e-4).good);
            else
                EXPECT_TRUE(solveByLincs(t.shape(), t.work, {4, 1, 1e-2}).good);
            Vec3d momentum{}, angular{};
            for (std::size_t i = 0; i < t.free.size(); ++i) {
                Vec3d const pushed = (1 / t.shape().inverseMass[i]) * (t.work.displacement[i] - t.free[i]);
                momentum += pushed;
                angular += cross(t.places[i], pushed);
            }
            EXPECT_LT(largest(momentum), 1e-14);
            EXPECT_LT(largest(angular), 1e-14);
        }
    });
}

/// -1/2 sum r outer F from the displacements themselves, F = m shift / dt^2.
TEST(Constraints, HaveTheVirialOfTheirForces)
{
    double const dt = 0.002;
    forEachTrial([&](Trial& t) {
        EXPECT_TRUE(solveByLincs(t.shape(), t.work, {}).good);
        math::Mat3d const virial = groupVirial(t.shape(), t.work, 1 / dt);
        math::Mat3d known{};
        for (std::size_t i = 0; i < t.free.size(); ++i)
            known = known + outer(t.places[i], (-0.5 / (t.shape().inverseMass[i] * dt * dt)) * (t.work.displacement[i] - t.free[i]));
        double const scale = 1e-12 * (1 + norm(known.x) + norm(known.y) + norm(known.z));
        EXPECT_LT(largest(virial.x - known.x), scale);
        EXPECT_LT(largest(virial.y - known.y), scale);
        EXPECT_LT(largest(virial.z - known.z), scale);
    });
}

/// Bonds turned by tens of degrees are no reason to give up, nor to leave wrong lengths.
TEST(Lincs, GoesOnWhereBondsTurnFar)
{
    for (trial::ConstrainedMolecule const& molecule : {trial::star(), trial::chain(20), trial::ring()}) {
        int solved = 0;
        for (int seed = 0; seed < 50; ++seed) {
            Trial t(molecule, seed, 10 * thermal);
            ConstraintFit const fit = solveByLincs(t.shape(), t.work, {4, 1, 1e-3});
            solved += fit.good;
            if (fit.good) { EXPECT_LT(t.worst(), 1.01e-3); }
        }
        EXPECT_GT(solved, 25) << molecule.name;
    }
}

TEST(Constraints, SayWhichBondIsWorstWhereThereIsNoSolution)
{
    for (bool const shake : {false, true}) {
        Trial t(trial::star(), 3, 0);
        t.work.displacement[2] = {0.5, 0.5, 0.5}; // bond 1, too far for any force along its old direction
        ConstraintFit const fit = shake ? solveByShake(t.shape(), t.work, 1e-4) : solveByLincs(t.shape(), t.work, {});
        EXPECT_FALSE(fit.good);
        EXPECT_EQ(fit.worst, 1);
        EXPECT_GT(fit.present, 0.2);
        EXPECT_GT(fit.rootMeanSquare, 0.2);
        t.reset();
        t.work.displacement[3] = {NAN, 0, 0};
        EXPECT_FALSE((shake ? solveByShake(t.shape(), t.work, 1e-4) : solveByLincs(t.shape(), t.work, {})).good);
    }
}

/// What is left stretches nothing, has the momentum it had, and what was taken is at right angles to it in the metric of the masses: there
/// is only one such split.
TEST(Projection, LeavesWhatStretchesNothing)
{
    forEachTrial([](Trial& t) {
        std::vector<Vec3d> before;
        for (std::size_t i = 0; i < t.free.size(); ++i) before.push_back(t.work.velocity[i] = 500 * t.free[i]);
        projectOut(t.shape(), t.work);
        Vec3d momentum{}, angular{};
        double overlap = 0, taken = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            double const mass = 1 / t.shape().inverseMass[i];
            Vec3d const away = t.work.velocity[i] - before[i];
            momentum += mass * away;
            angular += cross(t.places[i], mass * away);
            overlap += mass * dot(away, t.work.velocity[i]);
            taken += mass * norm2(away);
        }
        EXPECT_GT(taken, 0.01);
        EXPECT_LT(largest(momentum), 1e-12);
        EXPECT_LT(largest(angular), 1e-12);
        EXPECT_NEAR(overlap, 0, 1e-11);
        for (std::size_t i = 0; i < t.shape().bonds.size(); ++i) {
            auto const& bond = t.shape().bonds[i];
            Vec3d const relative = t.work.velocity[static_cast<std::size_t>(bond.a)] - t.work.velocity[static_cast<std::size_t>(bond.b)];
            EXPECT_NEAR(dot(t.work.before[i], relative), 0, 1e-12);
        }
    });
}

TEST(ConstraintSet, FindsWhatHangsTogether)
{
    system::Topology topology = trial::emptyTopology();
    trial::addFreeAtoms(topology, 2, 40);
    system::MoleculeType type;
    type.name = "TWO";
    for (double const mass : {12.0, 1.0, 16.0, 14.0, 1.0, 2.0}) type.atoms.push_back({"X", "TWO", 1, 0, 0.0, mass, 'A'});
    topology.parameters[static_cast<std::size_t>(system::Kind::constraint)] = {{0.1}, {0.11}};
    topology.parameters[static_cast<std::size_t>(system::Kind::constraintNoExclusion)] = {{0.12}, {0.1}};
    type.of(system::Kind::constraint) = {{3, 4, 1, 0, 5, 3}, {0, 1, 0}};
    type.of(system::Kind::constraintNoExclusion) = {{4, 5, 0, 1}, {0, 1}};
    topology.parameters[static_cast<std::size_t>(system::Kind::constraintNoExclusion)][1] = {0.11}; // said twice, alike
    trial::addMolecules(topology, type, 3);
    constraints::ConstraintSet const set(topology);
    ASSERT_EQ(set.shapes().size(), 2U);
    EXPECT_EQ(set.bondCount(), 12);
    EXPECT_EQ(set.shapes()[0].atoms, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(set.shapes()[0].bonds.size(), 1U);
    EXPECT_EQ(set.shapes()[0].bonds[0].length, 0.11);
    EXPECT_TRUE(set.shapes()[0].couplings.empty());
    constraints::ConstraintShape const& triangle = set.shapes()[1];
    EXPECT_EQ(triangle.atoms, (std::vector<std::int32_t>{3, 4, 5}));
    EXPECT_EQ(triangle.triangleBonds, (std::vector<std::int32_t>{0, 1, 2}));
    EXPECT_EQ(triangle.couplings.size(), 6U);
    // bonds 3-4 and 5-3 share atom 3 of 14 amu, the first end of one and the second of the other
    double const scale = 1 / std::sqrt((1 / 14.0 + 1) * (1 / 14.0 + 0.5));
    EXPECT_NEAR(triangle.couplings[0].factor, scale / 14, 1e-15);
    ASSERT_EQ(set.groups().size(), 6U);
    EXPECT_EQ(set.groups()[3].firstAtom, 2 + 6);
    EXPECT_EQ(constraints::ConstraintSet(topology, constraints::Weights::equal).shapes()[1].inverseMass, (std::vector<double>{1, 1, 1}));

    topology.parameters[static_cast<std::size_t>(system::Kind::constraintNoExclusion)][1] = {0.1};
    EXPECT_THROW(constraints::ConstraintSet{topology}, base::RunFailed);
}

} // namespace
