// In a high box columns have layers, and domains may be cut along the third vector: the bits are those of one rank all the same.

#include "cpu/cpu_backend.hpp"
#include "math/variates.hpp"
#include "ranks/layout_runs.hpp"

#include <cmath>

namespace alder::test {
namespace {

/// Layouts of so many ranks whose third number is not one.
std::vector<domain::DomainCounts> layered(int ranks, int layers)
{
    std::vector<domain::DomainCounts> all;
    for (int c = 1; c <= std::min(ranks, layers); ++c) {
        if (ranks % c != 0 || (c == 1 && ranks > 1)) continue;
        all.push_back({ranks / c, 1, c});
        if (ranks > c) all.push_back({1, ranks / c, c});
    }
    return all;
}

TEST(Layers, GiveTheBitsOfOneRank)
{
    cpu::CpuChoice choice;
    choice.simd = cpu::bestSimdLevel();
    auto const make = [&](auto const& topology, auto const& plan, auto const& layout) {
        return std::make_unique<cpu::CpuBackend>(topology, plan, choice, layout);
    };
    LayoutRuns runs({"water", npt, 40, "", 5}, make);
    system::State const& start = runs.deck().start();
    plan::RunPlan const& plan = runs.deck().plan();
    ASSERT_EQ(start.positions.size(), 5U * 2700);
    domain::ToShare const toShare{start.box, {runs.deck().topology().atomCount, plan.pairs.listCutoff}, plan.pme.active};
    int const layers = domain::chooseCells(start.box, toShare.columns).layers;
    ASSERT_EQ(layers, 3);
    for (domain::DomainCounts const domains : layered(allRanks().size(), layers)) {
        domain::RunLayout layout = domain::settleLayout(allRanks(), {{domains.a, domains.b, domains.c}, 0}, toShare);
        layout.ranks = &allRanks(); // one rank, too, goes the way of several
        runs.expectSameBits(layout, make);
    }
}

// A pair is searched from one of its cells alone, and every image of it within reach from one of them.
TEST(Layers, AreSearchedFromWhereTheirPairsAre)
{
    physics::Box const box({4, 0, 0}, {1, 5, 0}, {-1, 0.5, 16});
    domain::CellGrid const grid = domain::chooseCells(box, {2000, 0.9});
    ASSERT_EQ(grid.layers, 3);
    domain::CellReach const reach(grid, box, 0.9);
    std::vector<std::vector<int>> from;
    for (int cell = 0; cell < grid.count(); ++cell) from.push_back(reach.searchedFrom(cell));
    auto const searches = [&](int i, int j) {
        return std::binary_search(from[static_cast<std::size_t>(j)].begin(), from[static_cast<std::size_t>(j)].end(), i);
    };
    for (int n = 0; n < 20000; ++n) {
        math::Variates random(7, math::RandomPurpose::langevin, 0, n);
        auto const place = [&] { return static_cast<std::int32_t>(static_cast<std::uint32_t>(random.uniform() * 4294967295.0)); };
        math::FractionVec const one{place(), place(), place()};
        math::Vec3d const way{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
        math::FractionVec const other = math::wrappingSum(one, box.toFractionStep(way * (0.89 / math::norm(way))));
        EXPECT_TRUE(searches(grid.cellOf(one), grid.cellOf(other)) || searches(grid.cellOf(other), grid.cellOf(one)));
    }
}

TEST(Layers, AreThereInHighBoxesOnly)
{
    auto const layers = [](double height, double cutoff, domain::ColumnRule const& rule) {
        return domain::chooseCells(physics::Box({5, 0, 0}, {0, 5, 0}, {0, 0, height}), {10000, cutoff, rule}).layers;
    };
    EXPECT_EQ(layers(9.99, 1, domain::clusterColumns), 1);
    EXPECT_EQ(layers(10.01, 1, domain::clusterColumns), 2);
    EXPECT_EQ(layers(10.01, 1.5, domain::clusterColumns), 1);
    EXPECT_EQ(layers(26, 1.5, domain::clusterColumns), 4);
    EXPECT_EQ(layers(100, 1, domain::ColumnRule{64, 1, 1}), 1) << "who has no layers gets one";
}

} // namespace
} // namespace alder::test
