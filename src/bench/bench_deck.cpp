#include "bench/bench_deck.hpp"

#include "base/data_path.hpp"
#include "base/error.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace alder::bench {

namespace fs = std::filesystem;

namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The key of a line of an .mdp, in small letters and with dashes; empty: there is none.
std::string keyOf(std::string_view line)
{
    line = line.substr(0, line.find(';'));
    std::size_t const equals = line.find('=');
    if (equals == std::string_view::npos) return {};
    std::string key;
    for (char const c : line.substr(0, equals))
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            key += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return key;
}

bool opensMolecules(std::string_view line)
{
    std::string bare;
    for (char const c : line.substr(0, line.find(';')))
        if (std::isspace(static_cast<unsigned char>(c)) == 0) bare += c;
    return bare == "[molecules]";
}

/// The one file with this ending, or the one called `name` of several.
fs::path oneOf(fs::path const& folder, std::string const& ending, std::string const& name, base::FaultList& faults)
{
    std::vector<fs::path> found;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ending) found.push_back(fs::absolute(entry.path()));
    if (found.size() == 1) return found.front();
    for (fs::path const& path : found)
        if (path.filename() == name) return path;
    if (found.empty() && ending == ".ndx") return {};
    faults.refuse({folder.string(), 0},
                  fmt::format("holds {} {} files{}", found.size(), ending, found.empty() ? "" : fmt::format(", none of them {}", name)),
                  fmt::format("keep one in it, or call the one that counts {}", name));
    return {};
}

} // namespace

std::vector<StandardDeck> const& standardDecks()
{
    static std::vector<StandardDeck> const decks{
        {"water-3k", "water", {1, 1, 1}, 2700},       {"peptide-3k", "peptide", {1, 1, 1}, 2926}, {"water-22k", "water", {2, 2, 2}, 21600},
        {"peptide-23k", "peptide", {2, 2, 2}, 23408}, {"water-97k", "water", {3, 3, 4}, 97200},   {"water-1m", "water", {7, 7, 8}, 1058400},
    };
    return decks;
}

std::string tiledGro(std::string const& gro, std::array<int, 3> const& copies)
{
    std::vector<std::string_view> const lines = linesOf(gro);
    std::size_t const atoms = lines.size() > 2 ? static_cast<std::size_t>(std::strtoull(std::string(lines[1]).c_str(), nullptr, 10)) : 0;
    if (atoms == 0 || lines.size() < atoms + 3) throw base::RunFailed("a deck to be copied has no atoms in its .gro");
    std::string const boxLine(lines[atoms + 2]);
    std::array<double, 3> box{};
    char const* at = boxLine.c_str();
    for (double& edge : box) {
        char* end = nullptr;
        edge = std::strtod(at, &end);
        at = end;
    }
    int const total = copies[0] * copies[1] * copies[2];
    std::string out = fmt::format("{}\n{}\n", lines[0], atoms * static_cast<std::size_t>(total));
    out.reserve(static_cast<std::size_t>(total) * gro.size() + 100);
    std::size_t count = 0;
    for (int a = 0; a < copies[0]; ++a)
        for (int b = 0; b < copies[1]; ++b)
            for (int c = 0; c < copies[2]; ++c)
                for (std::size_t i = 0; i < atoms; ++i) {
                    // Three columns of eight behind 20 characters: the format's own, in which our decks are written.
                    std::string_view const line = lines[i + 2];
                    std::array<double, 3> const shift{a * box[0], b * box[1], c * box[2]};
                    out += line.substr(0, 15);
                    out += fmt::format("{:5d}", ++count % 100000);
                    for (std::size_t k = 0; k < 3; ++k)
                        out += fmt::format("{:8.3f}", std::strtod(std::string(line.substr(20 + 8 * k, 8)).c_str(), nullptr) + shift[k]);
                    out += line.substr(std::min<std::size_t>(44, line.size()));
                    out += '\n';
                }
    out += fmt::format("{:10.5f}{:10.5f}{:10.5f}\n", copies[0] * box[0], copies[1] * box[1], copies[2] * box[2]);
    return out;
}

std::string repeatedMolecules(std::string const& topology, int times)
{
    std::string out, molecules;
    bool inside = false;
    for (std::string_view const line : linesOf(topology)) {
        (inside ? molecules : out) += std::string(line) + "\n";
        if (opensMolecules(line)) inside = true;
    }
    for (int i = 0; i < times; ++i) out += molecules;
    return out;
}

std::string withKeys(std::string const& mdp, std::vector<std::pair<std::string, std::string>> const& keys)
{
    std::string out;
    for (std::string_view const line : linesOf(mdp)) {
        std::string const key = keyOf(line);
        if (std::none_of(keys.begin(), keys.end(), [&](auto const& replaced) { return replaced.first == key; }))
            out += std::string(line) + "\n";
    }
    for (auto const& [key, value] : keys) out += fmt::format("{} = {}\n", key, value);
    return out;
}

BenchDeck makeStandardDeck(StandardDeck const& deck, fs::path const& folder)
{
    fs::create_directories(folder);
    fs::path const source = base::dataFolder("inputs") / deck.source;
    int const total = deck.copies[0] * deck.copies[1] * deck.copies[2];
    BenchDeck made{deck.name, folder / "run.mdp", folder / "conf.gro", folder / "topol.top", {}, true};
    output::replaceFile(made.coordinates, tiledGro(output::readWhole(source / "conf.gro"), deck.copies));
    output::replaceFile(made.topology, repeatedMolecules(output::readWhole(source / "topol.top"), total));
    // Frames and log lines are the user's wish, not the engine's speed; energies are needed for the drift.
    output::replaceFile(made.mdp, withKeys(output::readWhole(source / "nvt.mdp"), {{"nstxout", "0"}, {"nstvout", "0"}, {"nstlog", "0"}}));
    return made;
}

BenchDeck findDeck(std::string const& argument, fs::path const& work)
{
    for (StandardDeck const& deck : standardDecks())
        if (deck.name == argument) return makeStandardDeck(deck, work / deck.name);
    if (!fs::is_directory(argument)) {
        std::string names;
        for (StandardDeck const& deck : standardDecks()) names += (names.empty() ? "" : ", ") + deck.name;
        base::refuseInput({argument, 0}, "is neither a deck that alder makes nor a folder with one",
                          fmt::format("name one of {}, or a folder", names));
    }
    fs::path const folder = fs::absolute(argument).lexically_normal();
    base::FaultList faults;
    BenchDeck deck;
    deck.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    deck.mdp = oneOf(folder, ".mdp", "run.mdp", faults);
    deck.coordinates = oneOf(folder, ".gro", "conf.gro", faults);
    deck.topology = oneOf(folder, ".top", "topol.top", faults);
    deck.index = oneOf(folder, ".ndx", "index.ndx", faults);
    faults.throwIfAny();
    return deck;
}

fs::path withTimeStep(BenchDeck const& deck, double dt, fs::path const& folder)
{
    std::vector<std::pair<std::string, std::string>> keys{{"dt", fmt::format("{}", dt)}};
    if (dt >= 0.004) keys.emplace_back("mass-repartition-factor", "3");
    fs::path path = folder / fmt::format("{}-{}fs.mdp", deck.name, 1000 * dt);
    output::replaceFile(path, withKeys(output::readWhole(deck.mdp), keys));
    return path;
}

} // namespace alder::bench
