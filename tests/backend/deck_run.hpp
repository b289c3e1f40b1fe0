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
#include <sstream>
#include <string>
#include <vector>

namespace alder::test {

using MakeBackend = std::function<std::unique_ptr<engine::Backend>(system::Topology const&, plan::RunPlan const&)>;

/// The text of a .gro file in a rectangular box, so many times on top of each other, with the atoms of each kind of molecule as they come.
inline std::string stackedGro(std::string const& text, int times)
{
    std::istringstream in(text);
    std::string title, line;
    std::size_t count = 0;
    std::getline(in, title);
    in >> count;
    std::getline(in, line);
    std::vector<std::string> atoms(count);
    for (std::string& atom : atoms) std::getline(in, atom);
    double a = 0, b = 0, c = 0;
    in >> a >> b >> c;
    std::string stacked = fmt::format("{}\n{}\n", title, static_cast<std::size_t>(times) * count);
    for (int n = 0; n < times; ++n)
        for (std::string const& atom : atoms)
            stacked += fmt::format("{}{:8.3f}{}\n", atom.substr(0, 36), std::stod(atom.substr(36, 8)) + n * c, atom.substr(44));
    return stacked + fmt::format("{} {} {:.6f}\n", a, b, times * c);
}

/// A shipped deck, planned, with a few keys of its .mdp replaced.
class DeckRun {
public:
    /// `box`: the last line of a .gro, in place of the deck's. `stacked`: how many times the deck, of one kind of molecule, stands on itself.
    explicit DeckRun(std::string const& name, std::string const& more = {}, plan::RunRequest const& request = {},
                     std::string const& box = {}, int stacked = 1)
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
        std::string gro = folder + "conf.gro", top = folder + "topol.top";
        auto const textOf = [](std::string const& path) {
            std::ifstream in(path);
            return std::string(std::istreambuf_iterator<char>(in), {});
        };
        if (!box.empty()) {
            std::string text = textOf(gro);
            text.erase(text.find_last_not_of(" \n") + 1);
            text.replace(text.rfind('\n') + 1, std::string::npos, box + "\n");
            gro = mdp + ".gro";
            std::ofstream(gro) << text;
        }
        if (stacked > 1) {
            std::string const text = stackedGro(textOf(gro), stacked);
            std::ofstream(gro = mdp + ".gro") << text;
            std::string molecules = textOf(top);
            molecules.erase(molecules.find_last_not_of(" \n") + 1);
            std::size_t const count = molecules.find_last_of(' ') + 1;
            molecules.replace(count, std::string::npos, std::to_string(stacked * std::stoi(molecules.substr(count))) + "\n");
            std::ofstream(top = mdp + ".top") << molecules;
        }
        deck_ = deck::readDeck({mdp, gro, top, {}, {}});
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
        loop::LoopParts parts{plan_, stop, {}, [](system::State&) {}, 1e9, {}, {}, {}};
        static_cast<void>(loop::StepLoop(*made, parts).run(state));
        return state;
    }

private:
    deck::Deck deck_;
    plan::RunPlan plan_;
};

} // namespace alder::test
