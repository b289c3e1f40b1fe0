// PME over several ranks against PME on one: the same bits of forces, energies and virial, whatever ranks solve, however they share the
// grid, and whoever has which atoms. Started by a launcher; every rank runs all tests, and knows the answer by computing it alone.

#include "domain/rank_world.hpp"
#include "pme/charged_system.hpp"

#include "base/error.hpp"
#include "domain/pme_team.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <random>

namespace alder::test {

namespace {

std::unique_ptr<domain::Communicator> ranks; ///< of the test that runs

class PmeRanks : public testing::Test {
protected:
    static void SetUpTestSuite() { ranks = std::make_unique<domain::Communicator>(domain::test::world()); }
    static void TearDownTestSuite() { ranks.reset(); }
};

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

struct Answer {
    std::vector<math::ForceUnits> forces;
    system::ForceSums sums;
};

bool operator==(math::FixedTensor const& a, math::FixedTensor const& b)
{
    return largestDifference(a.value(), b.value()) == 0 && a.xx.units == b.xx.units && a.yz.units == b.yz.units;
}

void expectSame(Answer const& found, Answer const& expected)
{
    std::size_t different = 0;
    for (std::size_t i = 0; i < expected.forces.size(); ++i) different += found.forces[i] != expected.forces[i];
    EXPECT_EQ(different, 0U) << "of " << expected.forces.size() << " atoms";
    for (std::size_t t = 0; t < system::termCount; ++t) EXPECT_EQ(found.sums.terms[t].units, expected.sums.terms[t].units) << t;
    EXPECT_TRUE(found.sums.virial == expected.sums.virial);
}

/// What each rank holds: its own atoms in an order of its own, then some of others'.
struct Part {
    std::vector<std::size_t> atoms; ///< by local number
    std::int64_t homeCount = 0;
    system::Topology topology;
    std::vector<math::FractionVec> positions;
};

Part partOf(ChargedSystem const& system, std::vector<int> const& owner, int rank)
{
    Part part;
    for (std::size_t i = 0; i < owner.size(); ++i)
        if (owner[i] == rank) part.atoms.push_back(i);
    std::shuffle(part.atoms.begin(), part.atoms.end(), std::mt19937(static_cast<unsigned>(rank)));
    part.homeCount = static_cast<std::int64_t>(part.atoms.size());
    for (std::size_t i = 0; i < owner.size(); i += 7)
        if (owner[i] != rank) part.atoms.push_back(i);
    system::MoleculeType type;
    for (std::size_t const i : part.atoms) {
        system::Atom atom;
        atom.charge = system.charges[i];
        atom.type = static_cast<int>(i); // sources of dispersion are given by atom
        type.atoms.push_back(atom);
        part.positions.push_back(system.positions[i]);
    }
    type.exclusionStart.assign(part.atoms.size() + 1, 0);
    part.topology.types.push_back(type);
    if (!part.atoms.empty()) part.topology.blocks.push_back({0, 1, 0, 0});
    part.topology.atomCount = static_cast<std::int64_t>(part.atoms.size());
    part.topology.moleculeCount = 1;
    return part;
}

/// One step on all ranks; everybody gets the whole answer.
Answer step(cpu::PmeForces& pme, Part const& part, std::size_t atoms, physics::Box const& box, bool withSums)
{
    base::Clock clock;
    Answer answer;
    std::vector<math::ForceUnits> local(part.atoms.size());
    pme.start(part.positions);
    pme.add(part.positions, box, local, withSums ? &answer.sums : nullptr, clock);
    std::vector<std::int64_t> all(3 * atoms + system::termCount + 9);
    for (std::size_t i = 0; i < part.atoms.size(); ++i) {
        if (i >= index(part.homeCount)) { EXPECT_EQ(local[i], (math::ForceUnits{0, 0, 0})); }
        std::size_t const at = 3 * part.atoms[i];
        all[at] += local[i].x;
        all[at + 1] += local[i].y;
        all[at + 2] += local[i].z;
    }
    std::int64_t* next = all.data() + 3 * atoms;
    math::FixedTensor& v = answer.sums.virial;
    std::array<math::FixedSum*, 9> const tensor{&v.xx, &v.xy, &v.xz, &v.yx, &v.yy, &v.yz, &v.zx, &v.zy, &v.zz};
    for (math::FixedSum const& term : answer.sums.terms) *next++ = term.units;
    for (math::FixedSum const* element : tensor) *next++ = element->units;
    ranks->sum(all);
    for (std::size_t i = 0; i < atoms; ++i) answer.forces.push_back({all[3 * i], all[3 * i + 1], all[3 * i + 2]});
    next = all.data() + 3 * atoms;
    for (math::FixedSum& term : answer.sums.terms) term.units = *next++;
    for (math::FixedSum* element : tensor) element->units = *next++;
    return answer;
}

Answer alone(ChargedSystem const& system, plan::PmePlan const& plan, cpu::SimdLevel level)
{
    cpu::PmeForces pme(system.topology(), plan, level, 1);
    Answer answer;
    answer.forces.resize(system.charges.size());
    base::Clock clock;
    pme.add(system.positions, system.box, answer.forces, &answer.sums, clock);
    return answer;
}

/// All ranks solve, or some do nothing else; then those have no atoms.
std::vector<int> randomOwners(std::size_t atoms, int holders, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<int> owner(atoms);
    for (int& o : owner) o = static_cast<int>(random() % static_cast<unsigned>(holders));
    return owner;
}

/// By place along an axis, as a decomposition would.
std::vector<int> ownersAlong(std::int32_t math::FractionVec::*axis, ChargedSystem const& system, int holders)
{
    std::vector<int> owner;
    for (math::FractionVec const& r : system.positions) owner.push_back(cpu::planeOf(r.*axis, holders));
    return owner;
}

/// The layouts of the ranks there are: all solve or some do, in slabs, pencils, or as suits the grid.
struct TeamShape {
    int separate;
    std::array<int, 2> pencils;
};
std::vector<TeamShape> teamShapes()
{
    int const n = ranks->size();
    std::vector<TeamShape> shapes;
    for (int separate = 0; separate<n; separate += n> 4 ? 3 : 1) {
        int const solvers = separate > 0 ? separate : n;
        shapes.push_back({separate, {0, 0}});
        for (int alongZ = 1; alongZ <= solvers; ++alongZ)
            if (solvers % alongZ == 0 && (n <= 4 || alongZ > 1)) shapes.push_back({separate, {solvers / alongZ, alongZ}});
    }
    return shapes;
}

std::string nameOf(TeamShape const& s)
{
    return fmt::format("{} ranks, {} separate, pencils {} x {}", ranks->size(), s.separate, s.pencils[0], s.pencils[1]);
}

void compareAll(ChargedSystem const& system, plan::PmePlan const& plan, cpu::SimdLevel level = cpu::bestSimdLevel(), int threads = 1)
{
    Answer const expected = alone(system, plan, level);
    for (TeamShape const& shape : teamShapes()) {
        SCOPED_TRACE(nameOf(shape));
        domain::PmeTeam const team(*ranks, shape.separate, shape.pencils);
        cpu::PmeForces pme(system.topology(), plan, level, threads, &team);
        int const holders = ranks->size() - shape.separate;
        for (auto const& owner : {randomOwners(system.charges.size(), holders, 3), ownersAlong(&math::FractionVec::y, system, holders)}) {
            Part const part = partOf(system, owner, ranks->rank());
            pme.takeAtoms(part.topology, part.homeCount);
            for (int repeat = 0; repeat < 2; ++repeat) expectSame(step(pme, part, system.charges.size(), system.box, true), expected);
        }
    }
}

struct Case {
    Shape shape;
    int order;
    std::array<int, 3> grid;
};

TEST_F(PmeRanks, haveTheBitsOfOneRank)
{
    for (Case const& c : {Case{Shape::rectangular, 4, {20, 24, 48}}, Case{Shape::triclinic, 4, {25, 21, 52}},
                          Case{Shape::triclinic, 6, {24, 22, 49}}, Case{Shape::rectangular, 5, {18, 20, 33}}}) {
        SCOPED_TRACE(fmt::format("order {}", c.order));
        ChargedSystem const system = randomCharges(120, c.shape, 1.5, 11);
        compareAll(system, planFor(system, c.order, c.grid, 3.0));
    }
}

TEST_F(PmeRanks, haveThemForEveryOrderAndInstructionSet)
{
    for (cpu::SimdLevel const level : levels())
        for (int order = 3; order <= 8; ++order) {
            SCOPED_TRACE(fmt::format("order {} on {}", order, cpu::nameOf(level)));
            ChargedSystem const system = randomCharges(50, Shape::triclinic, 0.5, 12);
            compareAll(system, planFor(system, order, {14, 15, 36}, 2.5), level);
        }
}

TEST_F(PmeRanks, haveThemWithThreads)
{
    ChargedSystem const system = randomCharges(80, Shape::triclinic, 0, 13);
    compareAll(system, planFor(system, 4, {22, 25, 35}, 3.0), cpu::bestSimdLevel(), 3);
}

// Fewer planes than ranks, and than a spline reaches; one vector a row.
TEST_F(PmeRanks, haveThemOnTinyGrids)
{
    ChargedSystem const system = randomCharges(40, Shape::triclinic, 0.7, 14);
    for (auto const& [order, grid] : {std::pair<int, std::array<int, 3>>{4, {5, 6, 7}}, {4, {6, 4, 18}}, {8, {9, 8, 33}}, {6, {7, 12, 20}}})
        compareAll(system, planFor(system, order, grid, 2.0));
}

TEST_F(PmeRanks, haveThemInHalfEmptyBoxes)
{
    for (auto const axis : {&math::FractionVec::x, &math::FractionVec::z}) {
        ChargedSystem system = randomCharges(90, Shape::rectangular, 0, 15);
        for (math::FractionVec& r : system.positions) r.*axis = static_cast<std::int32_t>(static_cast<std::uint32_t>(r.*axis) / 3);
        compareAll(system, planFor(system, 4, {24, 20, 40}, 3.0));
    }
}

TEST_F(PmeRanks, haveThemForDispersion)
{
    ChargedSystem system = randomCharges(70, Shape::triclinic, 0, 17);
    for (std::size_t i = 0; i < system.charges.size(); ++i) system.charges[i] = 0.03 + 0.01 * static_cast<double>(i % 6);
    for (int const order : {4, 6}) compareAll(system, dispersionPlan(system, order, {20, 18, 36}, 2.5));
}

// Atoms wander through the cell, box and all, with no change of hands, to ranks that had no part in them: agreements are renewed in time.
// Grids are started together.
TEST_F(PmeRanks, followAtomsThatMove)
{
    ChargedSystem system = randomCharges(60, Shape::triclinic, 0, 18);
    plan::PmePlan const plan = planFor(system, 4, {40, 20, 64}, 3.0), second = planFor(system, 5, {36, 20, 48}, 2.5);
    for (TeamShape const& shape : teamShapes()) {
        SCOPED_TRACE(nameOf(shape));
        domain::PmeTeam const team(*ranks, shape.separate, shape.pencils);
        cpu::PmeForces pme(system.topology(), plan, cpu::bestSimdLevel(), 1, &team);
        cpu::PmeForces other(system.topology(), second, cpu::bestSimdLevel(), 1, &team);
        Part part = partOf(system, ownersAlong(&math::FractionVec::x, system, ranks->size() - shape.separate), ranks->rank());
        pme.takeAtoms(part.topology, part.homeCount);
        other.takeAtoms(part.topology, part.homeCount);
        ChargedSystem moved = system;
        for (int turn = 0; turn < 16; ++turn) {
            for (std::size_t i = 0; i < moved.positions.size(); ++i) {
                auto const far = static_cast<std::int32_t>((std::int64_t{1} << 32) / 50 * (i % 3 == 0 ? 1 : -1));
                moved.positions[i] = math::wrappingSum(moved.positions[i], {far, far / 3, -far});
            }
            moved.box = physics::Box({1.8 + 0.01 * turn, 0, 0}, {0.6, 1.9, 0}, {-0.5, 0.8, 2.0});
            for (std::size_t i = 0; i < part.atoms.size(); ++i) part.positions[i] = moved.positions[part.atoms[i]];
            base::Clock clock;
            std::vector<math::ForceUnits> forces(part.atoms.size());
            pme.start(part.positions);
            other.start(part.positions);
            pme.add(part.positions, moved.box, forces, nullptr, clock);
            other.add(part.positions, moved.box, forces, nullptr, clock);
            if (turn % 8 != 7) continue;
            Answer const first = alone(moved, plan, cpu::bestSimdLevel()), then = alone(moved, second, cpu::bestSimdLevel());
            std::size_t different = 0;
            for (std::size_t i = 0; i < index(part.homeCount); ++i)
                different += forces[i] != first.forces[part.atoms[i]] + then.forces[part.atoms[i]];
            EXPECT_EQ(different, 0U) << turn;
        }
    }
}

// What docs/scaling.md derives, for all ranks together.
TEST_F(PmeRanks, sendWhatIsDerivedOnPaper)
{
    ChargedSystem const system = randomCharges(150, Shape::rectangular, 0, 19);
    int const n = 64, order = 4, holders = ranks->size();
    plan::PmePlan const plan = planFor(system, order, {n, n, n}, 3.0);
    std::vector<int> const owner = ownersAlong(&math::FractionVec::y, system, holders);
    for (TeamShape const& shape : teamShapes()) {
        if (shape.separate > 0 || shape.pencils[0] == 0) continue;
        SCOPED_TRACE(nameOf(shape));
        domain::PmeTeam const team(*ranks, 0, shape.pencils);
        cpu::PmeForces pme(system.topology(), plan, cpu::bestSimdLevel(), 1, &team);
        auto const [px, pz] = shape.pencils;
        pme::GridShares const shares({n, n, n}, cpu::bestSimdLevel() == cpu::SimdLevel::avx512 ? 16 : 8, shape.pencils);
        if (shares.parts != shape.pencils) continue; // some ranks stay idle
        Part const part = partOf(system, owner, ranks->rank());
        pme.takeAtoms(part.topology, part.homeCount);
        step(pme, part, system.charges.size(), system.box, false); // with its agreement
        domain::Traffic const before = ranks->traffic();
        int const steps = 5;
        for (int s = 0; s < steps; ++s) step(pme, part, system.charges.size(), system.box, false);
        domain::Traffic const sent = ranks->traffic() - before;
        std::vector<std::int64_t> all{sent.messages, sent.bytes};
        ranks->sum(all);

        double const waves = 8.0 * (n / 2 + 1) * n * n, margin = 4.0 * (order - 1) * (n + order - 1);
        double bytes = 2 * waves * ((px - 1.0) / px + (pz - 1.0) / pz);
        if (px > 1) bytes += 2 * margin * holders * (n / pz + order - 1.0);
        if (pz > 1) bytes += 2 * margin * holders * (n / px + order - 1.0);
        std::vector<int> const ownersX = pme::ownersOf(shares.planes), ownersZ = pme::ownersOf(shares.points);
        for (std::size_t i = 0; i < owner.size(); ++i) {
            math::FractionVec const& r = system.positions[i];
            int const to = shares.rankOf(ownersX[index(cpu::planeOf(r.x, n))], ownersZ[index(cpu::planeOf(r.z, n))]);
            if (to != owner[i] && system.charges[i] != 0) bytes += 16 + 12;
        }
        EXPECT_NEAR(static_cast<double>(all[1]) / steps, bytes, 0.15 * bytes);
        // All atoms may get to all shares here: one message a pair of ranks there and back; margins, turns.
        double const messages = holders * (2.0 * (holders - 1) + (px > 1 ? 2 : 0) + (pz > 1 ? 2 : 0) + 2 * (px - 1) + 2 * (pz - 1));
        EXPECT_LE(static_cast<double>(all[0]) / steps, messages);
        EXPECT_GE(static_cast<double>(all[0]) / steps, 0.85 * messages);
    }
}

// All ranks refuse in the same step.
TEST_F(PmeRanks, refuseChargesPiledUpTogether)
{
    for (int const count : {30, 60}) {
        ChargedSystem system = randomCharges(8, Shape::rectangular, 0, 8);
        system.positions.resize(index(count) + 8, system.positions[0]);
        system.charges.resize(index(count) + 8, 1.0);
        plan::PmePlan const plan = planFor(system, 4, {20, 20, 40}, 3.0);
        for (TeamShape const& shape : teamShapes()) {
            SCOPED_TRACE(nameOf(shape));
            domain::PmeTeam const team(*ranks, shape.separate, shape.pencils);
            cpu::PmeForces pme(system.topology(), plan, cpu::bestSimdLevel(), 1, &team);
            Part const part = partOf(system, randomOwners(system.charges.size(), ranks->size() - shape.separate, 3), ranks->rank());
            pme.takeAtoms(part.topology, part.homeCount);
            std::vector<math::ForceUnits> forces(part.atoms.size());
            base::Clock clock;
            pme.start(part.positions);
            EXPECT_THROW(pme.add(part.positions, system.box, forces, nullptr, clock), base::RunFailed);
            ranks->barrier();
        }
    }
}

TEST_F(PmeRanks, doNothingWithoutCharges)
{
    ChargedSystem system = randomCharges(12, Shape::rectangular, 0, 8);
    system.charges.assign(12, 0.0);
    compareAll(system, planFor(system, 4, {20, 20, 20}, 3.0));
}

} // namespace
} // namespace alder::test
