// What a rank sees of others is what docs/scaling.md derives from the layout.

#include "domain/decomposition.hpp"
#include "domain/run_layout.hpp"
#include "math/variates.hpp"
#include "ranks/rank_world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace alder::test {
namespace {

/// Single atoms.
system::Topology atoms(std::int64_t count)
{
    system::Topology topology;
    system::MoleculeType type;
    type.name = "AR";
    type.atoms.emplace_back();
    type.atoms.back().mass = 40;
    topology.types.push_back(type);
    topology.blocks.push_back({0, count, 0, 0});
    topology.atomCount = topology.moleculeCount = count;
    return topology;
}

/// The part of the cross-section along the third vector (nm^2) that a domain sees of others, the mean of all, in a box of la x lb (nm), with
/// columns of this width and lists that reach over `wide` of them: all that lies ahead along a; along b both sides, but one side alone
/// where that is across the box's border; and what the steps in borders add.
struct Section {
    double la, lb, columnA, columnB;
    int wideA, wideB;
    [[nodiscard]] double seen(domain::DomainCounts domains) const
    {
        double const wa = la / domains.a, wb = lb / domains.b, ra = wideA * columnA, rb = wideB * columnB;
        double const step = (1 - 1.0 / domains.a) * 3 * rb * columnA;
        double const ahead = domains.a > 1 ? std::min(ra, la - wa) * std::min(lb, wb + 2 * rb) + step : 0;
        double const beside = domains.b > 1 ? std::min((2 - 1.0 / domains.b) * rb, lb - wb) * wa : 0;
        return ahead + beside;
    }
};

TEST(Halo, HoldsWhatIsDerivedOnPaper)
{
    domain::Communicator& ranks = allRanks();
    constexpr std::int64_t count = 40000;
    constexpr double listCutoff = 1.0, edge = 7.4;
    system::Topology const topology = atoms(count);
    physics::Box const box({edge, 0, 0}, {0, edge, 0}, {0, 0, edge});
    domain::ColumnGrid const grid = domain::chooseColumns(box, {count, listCutoff});
    Section const section{edge,
                          edge,
                          edge / grid.a,
                          edge / grid.b,
                          static_cast<int>(std::ceil(listCutoff / edge * grid.a)),
                          static_cast<int>(std::ceil(listCutoff / edge * grid.b))};
    for (int a = 1; a <= ranks.size(); ++a) {
        if (ranks.size() % a != 0) continue;
        domain::DomainCounts const domains{a, ranks.size() / a};
        domain::HomeAtoms start;
        if (ranks.first()) {
            for (std::int32_t i = 0; i < count; ++i) {
                math::Variates random(1, math::RandomPurpose::langevin, 0, i);
                auto const place = [&] { return static_cast<std::int32_t>(static_cast<std::uint32_t>(random.uniform() * 4294967295.0)); };
                math::FractionVec const f{place(), place(), place()};
                start.numbers.push_back(i);
                start.positions.push_back(f);
            }
            start.velocities.resize(start.positions.size());
        }
        domain::Decomposition decomposition(ranks, topology, domains, {count, listCutoff});
        domain::Share const share = decomposition.redistribute(std::move(start), box, 1);
        std::array<std::int64_t, 2> sums{share.topology.homeCount(), share.topology.atomCount - share.topology.homeCount()};
        ranks.sum(sums);
        EXPECT_EQ(sums[0], count);
        double const derived = ranks.size() * static_cast<double>(count) * section.seen(domains) / (edge * edge);
        EXPECT_NEAR(static_cast<double>(sums[1]), derived, 0.15 * derived + 1) << domains.a << " x " << domains.b;

        domain::Traffic const before = ranks.traffic();
        std::vector<math::FractionVec> positions = share.positions;
        std::vector<math::ForceUnits> forces(positions.size());
        domain::Halo halo = share.halo;
        halo.exchangePositions(positions);
        halo.returnForces(forces);
        std::array<std::int64_t, 1> bytes{(ranks.traffic() - before).bytes};
        ranks.sum(bytes);
        EXPECT_EQ(bytes[0], 36 * sums[1]) << "12 bytes to a rank that sees an atom, 24 back";
    }
}

/// A rank that sees an atom has it where its home has it, and what it feels arrives there.
TEST(Halo, BringsPositionsAndTakesForcesBack)
{
    domain::Communicator& ranks = allRanks();
    constexpr std::int64_t count = 3000;
    system::Topology const topology = atoms(count);
    physics::Box const box({4, 0, 0}, {1, 4, 0}, {-1, 0.5, 5});
    auto const placeOf = [](std::int64_t number) {
        auto const n = static_cast<std::uint32_t>(number);
        return math::FractionVec{static_cast<std::int32_t>(n * 2654435761U), static_cast<std::int32_t>(n * 40503U * 65537U),
                                 static_cast<std::int32_t>(n * 97U * 16777259U)};
    };
    domain::HomeAtoms start;
    if (ranks.first()) {
        for (std::int32_t i = 0; i < count; ++i) {
            start.numbers.push_back(i);
            start.positions.push_back(placeOf(i));
            start.velocities.push_back({1.0 * i, 0, 0});
        }
    }
    domain::DomainCounts const domains = domain::chooseDomains(ranks.size(), domain::chooseCells(box, {count, 0.9}), box, 0.9);
    ASSERT_EQ(domains.count(), ranks.size());
    domain::Decomposition decomposition(ranks, topology, domains, {count, 0.9});
    domain::Share share = decomposition.redistribute(std::move(start), box, 1);
    std::vector<math::ForceUnits> forces;
    for (std::size_t i = 0; i < share.positions.size(); ++i) {
        std::int64_t const number = share.topology.numberOf(static_cast<std::int64_t>(i));
        EXPECT_EQ(share.positions[i], placeOf(number));
        forces.push_back({1, number, 0});
    }
    share.halo.returnForces(forces);
    std::vector<math::ForceUnits> const all = decomposition.gather(share.topology, forces, domain::Audience::everyone);
    std::int64_t copies = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        math::ForceUnits const f = all[static_cast<std::size_t>(i)];
        EXPECT_EQ(f.y, f.x * i);
        copies += f.x;
    }
    std::array<std::int64_t, 1> seen{share.topology.atomCount};
    ranks.sum(seen);
    EXPECT_EQ(copies, seen[0]);
    std::vector<math::Vec3d> const velocities = decomposition.gather(share.topology, share.velocities, domain::Audience::first);
    EXPECT_EQ(velocities.size(), ranks.first() ? static_cast<std::size_t>(count) : 0U);
    for (std::size_t i = 0; i < velocities.size(); ++i) EXPECT_EQ(velocities[i].x, static_cast<double>(i));
}

TEST(Layout, RefusesWhatCannotWorkWithTheLargestCountThatCan)
{
    domain::Communicator& ranks = allRanks();
    physics::Box const tiny({1.2, 0, 0}, {0, 1.2, 0}, {0, 0, 1.2});
    domain::ToShare const run{tiny, {100, 0.5}, true};
    domain::ColumnGrid const fits = domain::chooseColumns(tiny, run.columns);
    domain::LayoutWish wish;
    wish.domains = {fits.a + 1, 1, 1};
    EXPECT_THROW(static_cast<void>(domain::settleLayout(ranks, wish, run)), base::InputRefused);
    wish.domains = {1, 1, 2};
    EXPECT_THROW(static_cast<void>(domain::settleLayout(ranks, wish, run)), base::InputRefused);
    wish = {};
    wish.pmeRanks = ranks.size();
    EXPECT_THROW(static_cast<void>(domain::settleLayout(ranks, wish, run)), base::InputRefused);
}

TEST(Layout, GivesEveryDomainAColumnAndAboutItsShareOfTheWeight)
{
    domain::CellGrid const grid{{14, 14}, 1};
    std::vector<std::int64_t> weight(static_cast<std::size_t>(grid.count()), 100);
    for (std::size_t c = 0; c < weight.size() / 2; ++c) weight[c] = 0; // a half-empty box
    std::vector<std::int32_t> const owners = domain::ownersOf(grid, {4, 2}, weight);
    std::vector<std::int64_t> load(8, 0), columns(8, 0);
    for (std::size_t c = 0; c < owners.size(); ++c) {
        load[static_cast<std::size_t>(owners[c])] += weight[c];
        ++columns[static_cast<std::size_t>(owners[c])];
    }
    std::int64_t const all = std::accumulate(load.begin(), load.end(), std::int64_t{0});
    for (std::size_t r = 0; r < load.size(); ++r) {
        EXPECT_GT(columns[r], 0);
        EXPECT_LE(std::abs(load[r] - all / 8), 200) << r; // two columns
    }
}

} // namespace
} // namespace alder::test
