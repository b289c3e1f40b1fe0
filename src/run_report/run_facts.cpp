#include "run_report/run_facts.hpp"

#include "base/error.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace alder::run_report {

namespace {

using Json = nlohmann::ordered_json;

/// The value under a key; null where there is none, or no object to have one.
Json const& under(Json const& json, char const* key)
{
    static Json const nothing;
    auto const found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() ? *found : nothing;
}

std::string textUnder(Json const& json, char const* key)
{
    Json const& value = under(json, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<double> numberUnder(Json const& json, char const* key)
{
    Json const& value = under(json, key);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::optional<std::int64_t> countUnder(Json const& json, char const* key)
{
    Json const& value = under(json, key);
    return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

std::string shown(Json const& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Pairs of what and value; an object within ("GPU") becomes pairs of its own, and what is null is not shown.
Pairs pairsOf(Json const& json, std::string const& before = {})
{
    Pairs pairs;
    if (!json.is_object()) return pairs;
    for (auto const& [key, value] : json.items()) {
        if (value.is_null()) continue;
        std::string const name = before.empty() ? key : fmt::format("{} {}", before, key);
        if (value.is_object()) {
            Pairs const inner = pairsOf(value, name);
            pairs.insert(pairs.end(), inner.begin(), inner.end());
        } else {
            pairs.emplace_back(name, shown(value));
        }
    }
    return pairs;
}

void readPerformance(Json const& json, RunFacts& facts)
{
    facts.nsPerDay = numberUnder(json, "ns_per_day");
    facts.hoursPerNs = numberUnder(json, "hours_per_ns");
    facts.noRate = textUnder(json, "reason");
    facts.timedSteps = numberUnder(json, "timed_steps");
    facts.timedSeconds = numberUnder(json, "timed_s");
    facts.wallSeconds = numberUnder(json, "wall_s");
    for (Json const& row : under(json, "table"))
        facts.table.push_back({textUnder(row, "part"), numberUnder(row, "calls").value_or(0), numberUnder(row, "wall_s").value_or(0),
                               numberUnder(row, "device_s")});
    for (Json const& row : under(json, "rates"))
        if (auto const step = countUnder(row, "step"))
            if (auto const speed = numberUnder(row, "ns_per_day")) facts.rates.push_back({*step, *speed});
}

void readAverages(Json const& json, RunFacts& facts)
{
    if (!json.is_object()) return;
    for (auto const& [name, row] : json.items())
        if (auto const mean = numberUnder(row, "mean"))
            facts.averages.push_back({name, textUnder(row, "unit"), *mean, numberUnder(row, "rms_fluctuation").value_or(0)});
}

} // namespace

std::string RunFacts::fileNamed(std::string const& what) const
{
    auto const found = std::find_if(files.begin(), files.end(), [&](auto const& file) { return file.first == what; });
    return found == files.end() ? std::string() : found->second;
}

RunFacts readRunFacts(std::string const& path)
{
    Json json;
    try {
        json = Json::parse(output::readWhole(path));
    } catch (Json::exception const&) {
        base::refuseInput({path, 0}, "is no whole JSON file", "name the md.json that alder mdrun wrote");
    } catch (base::RunFailed const& reason) {
        base::refuseInput({}, reason.what(), "name the md.json that alder mdrun wrote");
    }
    std::string const schema = textUnder(json, "schema");
    bool const ofRun = schema == "alder-run-1" || (schema == "alder-bench-2" && textUnder(json, "made_by") == "mdrun");
    if (!ofRun)
        base::refuseInput({path, 0}, fmt::format("tells of no run (schema '{:.40}')", schema), "name the md.json that alder mdrun wrote");
    RunFacts facts;
    facts.title = textUnder(json, "title");
    facts.ended = textUnder(json, "ended");
    facts.version = textUnder(json, "version");
    facts.madeAt = textUnder(json, "made_at");
    facts.commandLine = textUnder(json, "command_line");
    facts.inputHash = textUnder(json, "input_hash");
    facts.fixture = under(json, "fixture") == Json(true);
    facts.lastStep = countUnder(under(json, "final_state"), "step");
    facts.hardware = pairsOf(under(json, "hardware"));
    facts.build = pairsOf(under(json, "build"));
    facts.files = pairsOf(under(json, "files"));
    facts.plan = pairsOf(under(json, "plan"));
    std::string const atoms = textUnder(under(json, "plan"), "atoms");
    if (!atoms.empty() && atoms.size() < 18 && std::all_of(atoms.begin(), atoms.end(), [](char c) { return c >= '0' && c <= '9'; }))
        facts.atoms = std::stoll(atoms);
    readPerformance(under(json, "performance"), facts);
    readAverages(under(json, "averages"), facts);
    facts.averagesOver = countUnder(json, "averages_over").value_or(0);
    return facts;
}

} // namespace alder::run_report
