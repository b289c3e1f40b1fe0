#include "run_report/run_story.hpp"

#include "base/error.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace alder::run_report {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longestParameters = 256 * 1024;

/// Why the facts are not those of the trajectory; empty where they are.
std::string misfit(RunFacts const& facts, RunStory const& story)
{
    std::string const named = fs::path(facts.fileNamed("trajectory")).filename().string();
    if (!named.empty() && named != fs::path(story.file).filename()) return fmt::format("it tells of the trajectory {}", named);
    if (facts.atoms && story.records.atoms > 0 && *facts.atoms != story.records.atoms)
        return fmt::format("it tells of {} atoms, the trajectory holds {}", *facts.atoms, story.records.atoms);
    if (facts.lastStep && !story.records.steps.empty() && *facts.lastStep < story.records.steps.front())
        return fmt::format("it ends at step {}, before the trajectory begins", *facts.lastStep);
    return {};
}

void readFacts(RunStory& story)
{
    fs::path const json = fs::path(story.file).replace_extension(".json");
    std::string const name = json.filename().string();
    if (!fs::exists(json)) {
        story.remarks.push_back(
            fmt::format("There is no {} beside the trajectory: a run writes it at its end. How the run ended, its hardware, "
                        "plan and speed, and where its time went, are therefore not known.",
                        name));
        return;
    }
    try {
        RunFacts facts = readRunFacts(json.string());
        if (std::string const why = misfit(facts, story); !why.empty()) {
            story.remarks.push_back(fmt::format("{} is not used: {}.", name, why));
            return;
        }
        auto const& steps = story.records.steps;
        if (facts.lastStep && !steps.empty() && *facts.lastStep < steps.back())
            story.remarks.push_back(fmt::format("{} tells of an earlier start, which ended at step {}: the trajectory goes on to step {}.",
                                                name, *facts.lastStep, steps.back()));
        story.facts = std::move(facts);
    } catch (base::InputRefused const& reason) {
        story.remarks.push_back(fmt::format("{} is not used: {}", name, reason.what()));
    }
}

/// Names in md.json are as from the folder of the run, which is the trajectory's, less what its own name has of folders.
std::vector<fs::path> placesOf(std::string const& file, RunStory const& story)
{
    fs::path const beside = fs::path(story.file).parent_path();
    fs::path from = fs::absolute(story.file).parent_path();
    std::string const named = story.facts->fileNamed("trajectory");
    for (fs::path const& part : fs::path(named).parent_path())
        if (part != "." && part != "..") from = from.parent_path();
    return {from / file, beside / file};
}

void readParameters(RunStory& story)
{
    if (!story.facts) return;
    std::string const file = story.facts->fileNamed("parameters");
    if (file.empty()) return;
    for (fs::path const& place : placesOf(file, story)) {
        std::error_code ignored;
        if (!fs::is_regular_file(place, ignored) || fs::file_size(place, ignored) > longestParameters) continue;
        try {
            story.parameters = output::readWhole(place);
            story.parametersFile = file;
            return;
        } catch (base::RunFailed const&) {
            continue; // may not be ours to read
        }
    }
    story.remarks.push_back(fmt::format("The parameters, {}, are no longer where the run read them.", file));
}

} // namespace

RunStory readStory(std::string const& trajectory)
{
    RunStory story;
    story.file = trajectory;
    story.records = output::readEnergies(trajectory);
    readFacts(story);
    readParameters(story);
    return story;
}

} // namespace alder::run_report
