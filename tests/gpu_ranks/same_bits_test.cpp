// Ranks whose kernels are emulated, each with a GPU of its own: the bits of one rank alone.

#include "gpu/provider.hpp"
#include "ranks/layout_runs.hpp"

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

/// Energies and virial of the start.
TEST_P(GpuSameBits, energiesToo)
{
    LayoutRuns runs(GetParam(), nullptr);
    system::Topology const& topology = runs.deck().topology();
    plan::RunPlan const& plan = runs.deck().plan();
    auto const sumsOf = [&](domain::RunLayout const& layout) {
        std::unique_ptr<engine::Backend> const backend = gpu::makeBackend(topology, plan, {}, layout);
        plan::StepPlan step;
        step.buildList = step.energies = true;
        backend->adopt(runs.deck().start());
        backend->buildLists();
        backend->forces(step);
        return backend->sums();
    };
    system::ForceSums const alone = sumsOf({});
    for (domain::RunLayout const& layout : runs.layouts(gpu::columnNeeds(topology, plan))) {
        SCOPED_TRACE(domain::describe(layout));
        system::ForceSums const together = sumsOf(layout);
        for (std::size_t t = 0; t < system::termCount; ++t) EXPECT_EQ(together.terms[t].units, alone.terms[t].units) << t;
        EXPECT_EQ(together.virial.xx.units, alone.virial.xx.units);
        EXPECT_EQ(together.virial.xz.units, alone.virial.xz.units);
        EXPECT_EQ(together.virial.zz.units, alone.virial.zz.units);
    }
}

/// Lengths of lines that no rank count divides, and rows without a partner.
constexpr char const* oddGrid = "fourier-nx = 25\nfourier-ny = 21\nfourier-nz = 27\npme-order = 6\n";

INSTANTIATE_TEST_SUITE_P(Decks, GpuSameBits,
                         testing::Values(RankCase{"argon", "", 60}, RankCase{"water", "", 60}, RankCase{"peptide", npt, 40},
                                         RankCase{"water", "", 30, slab}, RankCase{"water", "", 30, octahedron},
                                         RankCase{"nacl", oddGrid, 40}, RankCase{"tip4p", reactionField, 40},
                                         RankCase{"butane", noise, 60}),
                         nameOf);

} // namespace
} // namespace alder::test
