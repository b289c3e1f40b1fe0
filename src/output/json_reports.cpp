#include "output/json_reports.hpp"

#include "output/storage/durable_file.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace alder::output {

namespace {

using Json = nlohmann::ordered_json;

/// Not-a-number is no JSON; null says that there is no value.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json matrix(math::Mat3d const& m)
{
    Json rows = Json::array();
    for (math::Vec3d const& v : {m.x, m.y, m.z}) rows.push_back({number(v.x), number(v.y), number(v.z)});
    return rows;
}

Json object(std::vector<std::pair<std::string, std::string>> const& pairs)
{
    Json json = Json::object();
    for (auto const& [name, value] : pairs) json[name] = value;
    return json;
}

Json performanceOf(Performance const& p)
{
    Json json = Json::object();
    if (p.measured()) {
        json["ns_per_day"] = number(p.nsPerDay());
        json["hours_per_ns"] = number(p.hoursPerNs());
    } else {
        json["ns_per_day"] = nullptr;
        json["hours_per_ns"] = nullptr;
        json["reason"] = "fewer than " + std::to_string(Performance::fewestSteps) + " timed steps";
    }
    json["timed_steps"] = p.timedSteps;
    json["timed_s"] = p.timedSeconds;
    json["steps"] = p.steps;
    json["wall_s"] = p.wallSeconds;
    json["list_builds"] = p.listBuilds;
    json["list_prunings"] = p.listPrunings;
    if (p.exchange.ranks > 1)
        json["exchange"] = {{"ranks", p.exchange.ranks},
                            {"messages_per_step", number(p.exchange.messages)},
                            {"bytes_per_step", number(p.exchange.bytes)},
                            {"most_messages_of_a_rank_per_step", number(p.exchange.mostMessages)},
                            {"most_bytes_of_a_rank_per_step", number(p.exchange.mostBytes)},
                            {"reductions_per_step", number(p.exchange.reductions)}};
    Json rows = Json::array();
    for (std::size_t i = 0; i < base::partCount; ++i) {
        auto const part = static_cast<base::Part>(i);
        if (p.clock.calls(part) > 0)
            rows.push_back({{"part", base::nameOf(part)}, {"calls", p.clock.calls(part)}, {"wall_s", p.clock.seconds(part)}});
    }
    json["table"] = std::move(rows);
    return json;
}

Json averagesOf(observe::EnergyAverages const& averages)
{
    Json json = Json::object();
    for (std::size_t c = 0; c < averages.columns().size() && averages.count() > 0; ++c) {
        observe::EnergyColumn const& column = averages.columns().columns()[c];
        json[column.name] = {
            {"mean", number(averages.mean(c))}, {"rms_fluctuation", number(averages.fluctuation(c))}, {"unit", column.unit}};
    }
    return json;
}

/// File names and titles come from users and need not be UTF-8; such bytes are replaced, never a reason to lose the report.
std::string textOf(Json const& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

} // namespace

void writeRunJson(std::string const& path, RunRecord const& record, Performance const& performance, observe::EnergyAverages const& averages,
                  RunEnd const& end)
{
    Json json;
    json["schema"] = "alder-run-1";
    json["version"] = record.version;
    json["ended"] = end.how;
    json["final_state"] = end.stateSha256.empty() ? Json(nullptr) : Json{{"step", end.step}, {"sha256", end.stateSha256}};
    json["title"] = record.title;
    json["command_line"] = record.commandLine;
    json["input_hash"] = record.inputHash;
    json["build"] = object(record.build);
    json["hardware"] = object(record.hardware);
    json["files"] = object(record.files);
    json["plan"] = object(record.plan);
    json["performance"] = performanceOf(performance);
    json["averages_over"] = averages.count();
    json["averages"] = averagesOf(averages);
    replaceFile(path, textOf(json));
}

std::string energyJson(EnergyReport const& report)
{
    observe::Energies const& e = report.energies;
    Json terms = Json::object();
    for (system::Term term : report.terms) terms[std::string(system::nameOf(term))] = number(e.terms[static_cast<std::size_t>(term)]);
    terms["Potential"] = number(e.potential);
    for (auto const& [name, value] : report.groupTerms) terms[name] = number(value);
    if (report.leapFrogKinetic) terms["Kinetic En."] = number(*report.leapFrogKinetic);
    auto const ifMoving = [&](double value) { return report.velocities ? number(value) : Json(nullptr); };
    Json json;
    json["schema"] = "alder-energy-1";
    json["natoms"] = report.atoms;
    json["terms"] = std::move(terms);
    json["virial"] = matrix(e.virial);
    json["pressure"] = ifMoving(e.pressure);
    json["kinetic"] = ifMoving(e.kinetic);
    json["temperature"] = ifMoving(e.temperature);
    return textOf(json);
}

void writeEnergyJson(std::string const& path, EnergyReport const& report) { replaceFile(path, energyJson(report)); }

} // namespace alder::output
