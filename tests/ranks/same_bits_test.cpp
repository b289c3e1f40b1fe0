// A run's bits are the same on any number of ranks: what one rank computes, alone, is held against what all compute together.

#include "backend/deck_run.hpp"
#include "cpu/cpu_backend.hpp"
#include "domain/run_layout.hpp"
#include "ranks/rank_world.hpp"

#include <fmt/format.h>

namespace alder::test {
namespace {

/// What is run, and what of its .mdp is other than the deck's.
struct Case {
    char const* deck;
    char const* keys;
    std::int64_t steps;
    char const* box = "";
};

/// Layouts that this many ranks allow.
std::vector<domain::LayoutWish> wishes(int ranks, bool grids)
{
    std::vector<domain::LayoutWish> all{{}};
    if (ranks > 1) all.push_back({{1, ranks, 1}, 0});
    if (ranks > 2 && grids) all.push_back({{0, 0, 0}, ranks / 3});
    return all;
}

class SameBits : public testing::TestWithParam<Case> {};

TEST_P(SameBits, onAnyLayoutOfRanks)
{
    Case const& run = GetParam();
    domain::Communicator& ranks = allRanks();
    DeckRun deck(run.deck, run.keys, {}, run.box);
    cpu::CpuChoice choice;
    choice.simd = cpu::bestSimdLevel();
    system::State alone;
    if (ranks.first())
        alone = deck.go([&](auto const& topology, auto const& plan) { return std::make_unique<cpu::CpuBackend>(topology, plan, choice); },
                        deck.start(), run.steps);
    ranks.barrier();
    plan::RunPlan const& plan = deck.plan();
    for (domain::LayoutWish const& wish : wishes(ranks.size(), plan.pme.active)) {
        for (int const threads : {1, 2}) {
            choice.threads = threads;
            domain::RunLayout layout;
            try {
                layout = domain::settleLayout(ranks, wish,
                                              {deck.start().box, {deck.topology().atomCount, plan.pairs.listCutoff}, plan.pme.active});
            } catch (base::InputRefused const&) {
                continue; // too small a box for this many
            }
            layout.ranks = &ranks; // one rank, too, goes the way of several
            SCOPED_TRACE(fmt::format("{}, {} threads", domain::describe(layout), threads));
            system::State const together =
                deck.go([&](auto const& topology, auto const& p) { return std::make_unique<cpu::CpuBackend>(topology, p, choice, layout); },
                        deck.start(), run.steps);
            if (!ranks.first()) continue;
            ASSERT_EQ(together.positions.size(), alone.positions.size());
            std::size_t differ = 0;
            for (std::size_t i = 0; i < alone.positions.size(); ++i)
                differ += alone.positions[i] == together.positions[i] && alone.velocities[i] == together.velocities[i] ? 0 : 1;
            EXPECT_EQ(differ, 0U) << "of " << alone.positions.size() << " atoms";
            EXPECT_EQ(together.box.a(), alone.box.a());
            EXPECT_EQ(together.box.c(), alone.box.c());
            EXPECT_EQ(together.coupling.thermostatIntegral, alone.coupling.thermostatIntegral);
        }
    }
}

constexpr char const* reactionField = "coulombtype = reaction-field\nepsilon-rf = 0\n";
/// Pressure and temperature coupling, bonds to hydrogen fixed.
constexpr char const* npt = "constraints = h-bonds\ntcoupl = v-rescale\npcoupl = C-rescale\npcoupltype = isotropic\ntau-p = 2\nref-p = 1\n"
                            "compressibility = 4.5e-5\nnstpcouple = 10\nnstcalcenergy = 10\n";
constexpr char const* noise = "integrator = sd\ntcoupl = no\nld-seed = 17\nconstraints = h-bonds\n";

/// A dipole of the cell that is felt: molecules that ranks have cut are taken whole, and in slabs every atom where it is.
constexpr char const* vacuum = "epsilon-surface = 1\nconstraints = h-bonds\n";
constexpr char const* gap = "ewald-geometry = 3dc\n";

/// Half of the box empty: ranks get as many atoms as others all the same, or none.
constexpr char const* slab = "6.4 3.2 3.2";
/// A truncated octahedron that holds the cube of water with nothing around it.
constexpr char const* octahedron = "5.7 5.37401 4.65403 0 0 1.9 0 -1.9 2.68701";

INSTANTIATE_TEST_SUITE_P(Decks, SameBits,
                         testing::Values(Case{"argon", "", 60}, Case{"water", "", 500}, Case{"peptide", npt, 500},
                                         Case{"water-dodecahedron", "", 500}, Case{"water", "", 500, slab},
                                         Case{"water", "", 500, octahedron}, Case{"tip4p", reactionField, 40}, Case{"butane", noise, 60},
                                         Case{"nacl", "", 40}, Case{"peptide", vacuum, 60}, Case{"water", gap, 60, slab},
                                         Case{"nacl", gap, 20}),
                         [](auto const& info) {
                             std::string name = fmt::format("{}{}", info.param.deck, info.index);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace alder::test
