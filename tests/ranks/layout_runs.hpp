#pragma once
// A deck run by one rank alone, and by all together in every layout they can have.

#include "backend/deck_run.hpp"
#include "domain/run_layout.hpp"
#include "ranks/rank_world.hpp"

#include <fmt/format.h>

namespace alder::test {

/// What is run, and what of its .mdp is other than the deck's.
struct RankCase {
    char const* deck;
    char const* keys;
    std::int64_t steps;
    char const* box = "";
    int stacked = 1; ///< how many times it stands on itself
};
inline std::string nameOf(testing::TestParamInfo<RankCase> const& info)
{
    std::string name = fmt::format("{}{}", info.param.deck, info.index);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// Pressure and temperature coupling, bonds to hydrogen fixed.
constexpr char const* npt = "constraints = h-bonds\ntcoupl = v-rescale\npcoupl = C-rescale\npcoupltype = isotropic\ntau-p = 2\nref-p = 1\n"
                            "compressibility = 4.5e-5\nnstpcouple = 10\nnstcalcenergy = 10\n";
constexpr char const* noise = "integrator = sd\ntcoupl = no\nld-seed = 17\nconstraints = h-bonds\n";
constexpr char const* reactionField = "coulombtype = reaction-field\nepsilon-rf = 0\n";
/// A dipole of the cell that is felt: molecules that ranks have cut are taken whole, and in slabs every atom where it is.
constexpr char const* vacuum = "epsilon-surface = 1\nconstraints = h-bonds\n";
constexpr char const* gap = "ewald-geometry = 3dc\n";
/// Half of the box empty: ranks get as many atoms as others all the same, or none.
constexpr char const* slab = "6.4 3.2 3.2";
/// A truncated octahedron that holds the cube of water with nothing around it.
constexpr char const* octahedron = "5.7 5.37401 4.65403 0 0 1.9 0 -1.9 2.68701";

/// Makes a back end on this layout; one without ranks is for a rank alone.
using MakeOnLayout =
    std::function<std::unique_ptr<engine::Backend>(system::Topology const&, plan::RunPlan const&, domain::RunLayout const&)>;

class LayoutRuns {
public:
    LayoutRuns(RankCase const& run, MakeOnLayout const& alone) : run_(run), deck_(run.deck, run.keys, {}, run.box, run.stacked)
    {
        if (allRanks().first())
            alone_ = deck_.go([&](auto const& topology, auto const& plan) { return alone(topology, plan, {}); }, deck_.start(), run.steps);
        allRanks().barrier();
    }
    /// For its energies alone.
    explicit LayoutRuns(RankCase const& run) : run_(run), deck_(run.deck, run.keys, energies(), run.box, run.stacked) {}
    [[nodiscard]] DeckRun& deck() { return deck_; }

    /// Layouts that these ranks allow. `columns`: of the back end's pair lists.
    [[nodiscard]] std::vector<domain::RunLayout> layouts(domain::ColumnNeeds const& columns)
    {
        domain::Communicator& ranks = allRanks();
        bool const grids = deck_.plan().pme.active;
        std::vector<domain::LayoutWish> wishes{{}};
        if (ranks.size() > 1) wishes.push_back({{1, ranks.size(), 1}, 0});
        if (ranks.size() > 2 && grids) wishes.push_back({{0, 0, 0}, ranks.size() / 3});
        std::vector<domain::RunLayout> all;
        for (domain::LayoutWish const& wish : wishes) {
            try {
                domain::RunLayout layout = domain::settleLayout(ranks, wish, {deck_.start().box, columns, grids});
                layout.ranks = &ranks; // one rank, too, goes the way of several
                all.push_back(layout);
            } catch (base::InputRefused const&) { // too small a box for this many
            }
        }
        return all;
    }

    /// Runs it on all ranks, and holds what has come out against what one rank alone has found.
    void expectSameBits(domain::RunLayout const& layout, MakeOnLayout const& make)
    {
        SCOPED_TRACE(domain::describe(layout));
        system::State const together =
            deck_.go([&](auto const& topology, auto const& plan) { return make(topology, plan, layout); }, deck_.start(), run_.steps);
        if (!allRanks().first()) return;
        ASSERT_EQ(together.positions.size(), alone_.positions.size());
        std::size_t differ = 0;
        for (std::size_t i = 0; i < alone_.positions.size(); ++i)
            differ += alone_.positions[i] == together.positions[i] && alone_.velocities[i] == together.velocities[i] ? 0 : 1;
        EXPECT_EQ(differ, 0U) << "of " << alone_.positions.size() << " atoms";
        EXPECT_EQ(together.box.a(), alone_.box.a());
        EXPECT_EQ(together.box.c(), alone_.box.c());
        EXPECT_EQ(together.coupling.thermostatIntegral, alone_.coupling.thermostatIntegral);
    }

    void expectSameSums(domain::RunLayout const& layout, MakeOnLayout const& make)
    {
        SCOPED_TRACE(domain::describe(layout));
        auto const sumsOn = [&](domain::RunLayout const& on) {
            std::unique_ptr<engine::Backend> const backend = make(deck_.topology(), deck_.plan(), on);
            plan::StepPlan step;
            step.buildList = step.energies = true;
            backend->adopt(deck_.start());
            backend->buildLists();
            EXPECT_GE(backend->sitesOutOfPlace(), 0);
            backend->forces(step);
            return backend->sums();
        };
        system::ForceSums const alone = sumsOn({}), together = sumsOn(layout);
        for (std::size_t t = 0; t < system::termCount; ++t) EXPECT_EQ(together.terms[t].units, alone.terms[t].units) << t;
        EXPECT_EQ(together.virial.xx.units, alone.virial.xx.units);
        EXPECT_EQ(together.virial.xz.units, alone.virial.xz.units);
        EXPECT_EQ(together.virial.zz.units, alone.virial.zz.units);
    }

private:
    static plan::RunRequest energies()
    {
        plan::RunRequest request;
        request.purpose = plan::Purpose::energy;
        return request;
    }
    RankCase run_;
    DeckRun deck_;
    system::State alone_; ///< at the end; on the first rank
};

} // namespace alder::test
