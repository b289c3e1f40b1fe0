#pragma once
// A shipped deck, run by whatever back end.

#include "base/data_path.hpp"
#include "deck/deck.hpp"
#include "loop/step_loop.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace alder::test {

using MakeBackend = std::function<std::unique_ptr<engine::Backend>(system::Topology const&, plan::RunPlan const&)>;

/// A shipped deck, planned, with a few keys of its .mdp replaced.
class DeckRun {
public:
    /// `box`: the last line of a .gro, in place of the deck's.
    explicit DeckRun(std::string const& name, std::string const& more = {}, plan::RunRequest const& request = {},
                     std::string const& box = {})
    {
        std::string const folder = base::dataFolder("inputs").string() + "/" + name + "/";
        std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::replace(test.begin(), test.end(), '/', '_');
        std::string const mdp = fmt::format("{}{}_{}_{}.mdp", testing::TempDir(), name, test, getpid()); // ranks run this at once
        {
            std::ifstream in(folder + "nvt.mdp");
            std::ofstream out(mdp);
            for (std::string line; std::getline(in, line);) {
                std::string const key = line.substr(0, line.find_first_of(" ="));
                if (key.empty() || more.find(key + " =") == std::string::npos) out << line << '\n';
            }
            out << more;
        }
        std::string gro = folder + "conf.gro";
        if (!box.empty()) {
            std::ifstream in(gro);
            std::string text(std::istreambuf_iterator<char>(in), {});
            text.erase(text.find_last_not_of(" \n") + 1);
            text.replace(text.rfind('\n') + 1, std::string::npos, box + "\n");
            gro = mdp + ".gro";
            std::ofstream(gro) << text;
        }
        deck_ = deck::readDeck({mdp, gro, folder + "topol.top", {}, {}});
        plan_ = plan::makePlan(deck_.options, deck_.topology, deck_.state.box, request);
        if (deck_.state.velocities.empty()) deck_.state.velocities.assign(deck_.state.positions.size(), {});
        deck_.state.coupling.thermostatIntegral.assign(plan_.dynamics.groups.size(), 0.0);
    }
    [[nodiscard]] std::unique_ptr<engine::Backend> backend(MakeBackend const& maker) const { return maker(deck_.topology, plan_); }
    [[nodiscard]] system::State const& start() const { return deck_.state; }
    [[nodiscard]] plan::RunPlan& plan() { return plan_; }
    [[nodiscard]] system::Topology const& topology() const { return deck_.topology; }

    /// Steps up to the plan's last one.
    [[nodiscard]] system::State go(MakeBackend const& maker, system::State state, std::int64_t steps)
    {
        plan_.dynamics.steps = steps;
        std::unique_ptr<engine::Backend> const made = backend(maker);
        loop::StopRequest const stop(-1);
        loop::LoopParts parts{plan_, stop, {}, [](system::State&) {}, 1e9, {}, false};
        static_cast<void>(loop::StepLoop(*made, parts).run(state));
        return state;
    }

private:
    deck::Deck deck_;
    plan::RunPlan plan_;
};

} // namespace alder::test
