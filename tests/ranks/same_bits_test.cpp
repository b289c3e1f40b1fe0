// A run's bits are the same on any number of ranks: what one rank computes, alone, is held against what all compute together.

#include "cpu/cpu_backend.hpp"
#include "ranks/layout_runs.hpp"

namespace alder::test {
namespace {

class SameBits : public testing::TestWithParam<RankCase> {};

TEST_P(SameBits, onAnyLayoutOfRanks)
{
    auto const on = [](int threads) {
        cpu::CpuChoice const choice{cpu::bestSimdLevel(), threads};
        return [choice](auto const& topology, auto const& plan, auto const& layout) {
            return std::make_unique<cpu::CpuBackend>(topology, plan, choice, layout);
        };
    };
    LayoutRuns runs(GetParam(), on(1));
    domain::ColumnNeeds const columns{runs.deck().topology().atomCount, runs.deck().plan().pairs.listCutoff};
    for (domain::RunLayout const& layout : runs.layouts(columns))
        for (int const threads : {1, 2}) {
            SCOPED_TRACE(fmt::format("{} threads", threads));
            runs.expectSameBits(layout, on(threads));
        }
}

/// Energies and virial of the start, virtual sites where the deck put them; not every rank has any.
TEST_P(SameBits, energiesToo)
{
    auto const make = [](auto const& topology, auto const& plan, auto const& layout) {
        return std::make_unique<cpu::CpuBackend>(topology, plan, cpu::CpuChoice{cpu::bestSimdLevel(), 1}, layout);
    };
    LayoutRuns runs(GetParam());
    domain::ColumnNeeds const columns{runs.deck().topology().atomCount, runs.deck().plan().pairs.listCutoff};
    for (domain::RunLayout const& layout : runs.layouts(columns)) runs.expectSameSums(layout, make);
}

INSTANTIATE_TEST_SUITE_P(Decks, SameBits,
                         testing::Values(RankCase{"argon", "", 60}, RankCase{"water", "", 500}, RankCase{"peptide", npt, 500},
                                         RankCase{"water-dodecahedron", "", 500}, RankCase{"water", "", 500, slab},
                                         RankCase{"water", "", 500, octahedron}, RankCase{"tip4p", reactionField, 40},
                                         RankCase{"tip4p", "", 40}, RankCase{"butane", noise, 60}, RankCase{"nacl", "", 40},
                                         RankCase{"peptide", vacuum, 60}, RankCase{"water", gap, 60, slab}, RankCase{"nacl", gap, 20}),
                         nameOf);

} // namespace
} // namespace alder::test
