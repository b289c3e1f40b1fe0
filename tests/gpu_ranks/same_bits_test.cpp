// Ranks whose kernels are emulated, each with a GPU of its own: the bits of one rank alone.

#include "gpu/provider.hpp"
#include "ranks/layout_runs.hpp"
#include "simt/control.hpp"

#include <span>

namespace alder::test {
namespace {

class GpuSameBits : public testing::TestWithParam<RankCase> {};

TEST_P(GpuSameBits, onAnyLayoutOfRanks)
{
    auto const make = [](auto const& topology, auto const& plan, auto const& layout) {
        return gpu::makeBackend(topology, plan, {}, layout);
    };
    LayoutRuns runs(GetParam(), make);
    for (domain::RunLayout const& layout : runs.layouts(gpu::columnNeeds(runs.deck().topology(), runs.deck().plan())))
        runs.expectSameBits(layout, make);
}

/// Energies and virial of the start, virtual sites where the deck put them; not every rank has any.
TEST_P(GpuSameBits, energiesToo)
{
    auto const make = [](auto const& topology, auto const& plan, auto const& layout) {
        return gpu::makeBackend(topology, plan, {}, layout);
    };
    LayoutRuns runs(GetParam());
    for (domain::RunLayout const& layout : runs.layouts(gpu::columnNeeds(runs.deck().topology(), runs.deck().plan())))
        runs.expectSameSums(layout, make);
}

TEST(GpuRanks, HaveATurnForEachKernelThatOneDoesNotNeed)
{
    if (allRanks().size() == 1) GTEST_SKIP() << "no other rank";
    simt::resetCounts();
    LayoutRuns runs({"butane", noise, 3});
    domain::RunLayout const layout = runs.layouts(gpu::columnNeeds(runs.deck().topology(), runs.deck().plan())).front();
    static_cast<void>(runs.deck().go([&](auto const& topology, auto const& plan) { return gpu::makeBackend(topology, plan, {}, layout); },
                                     runs.deck().start(), 3));
    for (char const* kernel : {"addForces", "addPlanes", "packForces", "packPieces", "packPositions", "unpackPieces", "unpackPositions"}) {
        std::int64_t launches = simt::counts().launchesOf(kernel);
        allRanks().sum(std::span(&launches, 1));
        EXPECT_GT(launches, 0) << kernel;
    }
}

/// Lengths of lines that no rank count divides, and rows without a partner.
constexpr char const* oddGrid = "fourier-nx = 25\nfourier-ny = 21\nfourier-nz = 27\npme-order = 6\n";

INSTANTIATE_TEST_SUITE_P(Decks, GpuSameBits,
                         testing::Values(RankCase{"argon", "", 60}, RankCase{"water", "", 60}, RankCase{"peptide", npt, 40},
                                         RankCase{"water", "", 30, slab}, RankCase{"water", "", 30, octahedron},
                                         RankCase{"nacl", oddGrid, 40}, RankCase{"tip4p", "", 20}, RankCase{"peptide", vacuum, 20},
                                         RankCase{"water", gap, 20, slab}, RankCase{"butane", noise, 60}),
                         nameOf);

} // namespace
} // namespace alder::test
