#pragma once
// What is timed: decks that alder makes of those it comes with, and users' own.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace alder::bench {

/// Files of a deck, paths absolute; index empty: there is none.
struct BenchDeck {
    std::string name;
    std::filesystem::path mdp, coordinates, topology, index;
    bool ownMake = false; ///< one of standardDecks()
};

/// A deck made by putting copies of a shipped one side by side.
struct StandardDeck {
    std::string name;   ///< "water-97k"
    std::string source; ///< folder of `inputs`
    std::array<int, 3> copies;
    std::int64_t atoms;
};
std::vector<StandardDeck> const& standardDecks();

/// Writes conf.gro, topol.top and run.mdp into `folder`. Throws base::RunFailed.
BenchDeck makeStandardDeck(StandardDeck const& deck, std::filesystem::path const& folder);

/// A standard deck by its name, made in a folder of that name in `work`; or a folder with one .mdp (of several: run.mdp), one .gro
/// (conf.gro), one .top (topol.top) and at most one .ndx (index.ndx). Throws base::InputRefused.
BenchDeck findDeck(std::string const& argument, std::filesystem::path const& work);

/// The deck's .mdp with another time step (ps), written into `folder`. From 4 fs on, hydrogens' masses are tripled at their neighbors'
/// expense, as such steps need. Throws base::RunFailed.
std::filesystem::path withTimeStep(BenchDeck const& deck, double dt, std::filesystem::path const& folder);

/// Copies of a rectangular box side by side along its vectors; molecules stay whole. Throws base::RunFailed where the text is no such file.
std::string tiledGro(std::string const& gro, std::array<int, 3> const& copies);
/// A topology whose list of molecules is repeated.
std::string repeatedMolecules(std::string const& topology, int times);
/// An .mdp with keys replaced, or added.
std::string withKeys(std::string const& mdp, std::vector<std::pair<std::string, std::string>> const& keys);

} // namespace alder::bench
