#include "app/commands/commands.hpp"
#include "app/options/deck_options.hpp"
#include "app/single_point/comparison.hpp"
#include "app/single_point/single_point.hpp"
#include "base/data_path.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

namespace alder::app {

namespace {

namespace fs = std::filesystem;

struct ValidateOptions {
    std::vector<std::string> cases;
    HardwareOptions hardware;
};

struct ValidationCase {
    std::string name, title, source;
    deck::DeckFiles files;
    std::vector<Expectation> expectations;
};

/// Every folder of validation/ that holds a case.json, by name.
std::vector<fs::path> allCases()
{
    std::vector<fs::path> folders;
    for (fs::directory_entry const& entry : fs::directory_iterator(base::dataFolder("validation")))
        if (fs::exists(entry.path() / "case.json")) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

fs::path folderOf(std::string const& name)
{
    if (fs::exists(fs::path(name) / "case.json")) return name;
    fs::path folder = base::dataFolder("validation") / name;
    if (fs::exists(folder / "case.json")) return folder;
    std::string known;
    for (fs::path const& path : allCases()) known += (known.empty() ? "" : ", ") + path.filename().string();
    base::refuseInput({}, fmt::format("there is no validation case '{}'", name),
                      fmt::format("name one of {}, or a folder with a case.json", known));
}

/// Schema "alder-case-1", described in validation/README.md.
ValidationCase readCase(fs::path const& folder)
{
    std::string const file = (folder / "case.json").string();
    std::ifstream in(file);
    try {
        nlohmann::json const json = nlohmann::json::parse(in);
        if (json.at("schema") != "alder-case-1") base::refuseInput({file, 0}, "is of another schema", "write \"schema\": \"alder-case-1\"");
        ValidationCase result;
        result.name = json.at("name");
        result.title = json.at("title");
        result.source = json.at("source");
        auto const path = [&](char const* key) { return (folder / json.at("deck").at(key).get<std::string>()).string(); };
        result.files.mdp = path("mdp");
        result.files.coordinates = path("coordinates");
        result.files.topology = path("topology");
        if (json.at("deck").contains("index")) result.files.index = path("index");
        if (json.at("deck").contains("reference")) result.files.reference = path("reference");
        for (nlohmann::json const& e : json.at("expectations"))
            result.expectations.push_back({e.at("term"), e.at("value"), e.at("tolerance"), 0, e.at("source")});
        return result;
    } catch (nlohmann::json::exception const& error) {
        base::refuseInput({file, 0}, fmt::format("is no validation case ({})", error.what()), "write what validation/README.md describes");
    }
}

bool runCase(ValidationCase const& validation, Hardware const& hardware, Ranks& ranks)
{
    fmt::print("{}: {}\n  {}\n", validation.name, validation.title, validation.source);
    SinglePoint const point = computeSinglePoint(validation.files, hardware, {ranks, {}});
    std::map<std::string, double> values;
    for (auto const& [name, value] : namedTerms(point)) values[name] = value;
    // Sums of two terms, for sources that divide the electrostatic energy elsewhere.
    for (Expectation const& expectation : validation.expectations) {
        auto const plus = expectation.term.find(" + ");
        if (plus == std::string::npos) continue;
        auto const first = values.find(expectation.term.substr(0, plus)), second = values.find(expectation.term.substr(plus + 3));
        if (first != values.end() && second != values.end()) values[expectation.term] = first->second + second->second;
    }
    return printVerdicts(compare(values, validation.expectations));
}

int runValidate(ValidateOptions const& options, Ranks& ranks)
{
    if (ranks.size() > 1)
        base::refuseInput({}, fmt::format("{} MPI ranks were started, and validate runs on one", ranks.size()),
                          "start one process and give it threads with -nt");
    Hardware const hardware = chooseHardware(options.hardware, ranks);
    std::vector<fs::path> folders;
    for (std::string const& name : options.cases) folders.push_back(folderOf(name));
    if (folders.empty()) folders = allCases();
    int passed = 0;
    for (fs::path const& folder : folders) passed += runCase(readCase(folder), hardware, ranks) ? 1 : 0;
    auto const failed = static_cast<int>(folders.size()) - passed;
    fmt::print("{} passed, {} failed\n", passed, failed);
    return failed == 0 && passed > 0 ? exitDone : exitFailed;
}

} // namespace

void addValidate(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("validate", "Reference energies, term by term: value, reference, tolerance, source");
    auto options = std::make_shared<ValidateOptions>();
    command->add_option("case", options->cases, "Cases by name, or folders with a case.json; none: all that come with alder");
    addHardwareOptions(*command, options->hardware);
    command->callback([options, &chosen] { chosen = [options](Ranks& ranks) { return runValidate(*options, ranks); }; });
}

} // namespace alder::app
