#include "output/json_reports.hpp"

#include "base/utc_time.hpp"
#include "output/storage/durable_file.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <type_traits>

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

template <class T> Json orNull(std::optional<T> const& value)
{
    if (!value) return nullptr;
    if constexpr (std::is_floating_point_v<T>)
        return number(*value);
    else
        return *value;
}

/// Where the device was sampled, its parts are told, too, though the host has spent no time on them.
Json timingTable(base::Clock const& clock, std::int64_t steps)
{
    bool const sampled = clock.sampledSteps() > 0;
    Json rows = Json::array();
    for (std::size_t i = 0; i < base::partCount; ++i) {
        auto const part = static_cast<base::Part>(i);
        double const device = clock.deviceSeconds(part, steps);
        if (clock.calls(part) == 0 && !(device > 0)) continue;
        Json row{{"part", base::nameOf(part)}, {"calls", clock.calls(part)}, {"wall_s", clock.seconds(part)}};
        if (sampled) row["device_s"] = device;
        rows.push_back(std::move(row));
    }
    return rows;
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
    json["timed_from_unix_s"] = orNull(p.began);
    Json rates = Json::array();
    for (RateSoFar const& rate : p.rates) rates.push_back({{"step", rate.step}, {"ns_per_day", number(rate.nsPerDay)}});
    json["rates"] = std::move(rates);
    json["table"] = timingTable(p.clock, p.steps);
    return json;
}

Json speedOf(Performance const& p)
{
    std::vector<double> values;
    for (TimedWindow const& window : p.windows)
        if (window.steps >= Performance::fewestSteps && window.seconds > 0) values.push_back(p.rateOf(window));
    if (values.empty()) return {{"median", nullptr}, {"least", nullptr}, {"most", nullptr}, {"values", Json::array()}};
    Spread const spread = spreadOf(values);
    return {{"median", spread.median}, {"least", spread.least}, {"most", spread.most}, {"values", values}};
}

/// One of `results` in docs/bench_schema.md.
Json resultOf(TimedSetup const& setup, Performance const& p)
{
    Json json;
    json["deck"] = setup.deck;
    json["atoms"] = setup.atoms;
    json["dt_ps"] = number(setup.dt);
    json["rcoulomb_nm"] = number(setup.rcoulomb);
    json["rvdw_nm"] = number(setup.rvdw);
    json["place"] = setup.place;
    json["transform"] = orNull(setup.transform);
    json["ranks"] = setup.ranks;
    json["pme_ranks"] = setup.pmeRanks;
    json["threads"] = setup.threads;
    json["replicas"] = 1;
    json["gpus"] = setup.gpus;
    json["ns_per_day"] = speedOf(p);
    json["steady"] = orNull(p.steady);
    json["windows"] = Json::array();
    for (TimedWindow const& window : p.windows) json["windows"].push_back({{"steps", window.steps}, {"seconds", number(window.seconds)}});
    json["drift_kJ_mol_ns_atom"] = p.drift ? number(p.drift->slope) : Json(nullptr);
    json["drift_error"] = p.drift ? number(p.drift->error) : Json(nullptr);
    json["force_error"] = nullptr; // `alder energy -force-error` tells
    json["peak_memory"] = {{"host_MiB", orNull(p.hostMemory)}, {"device_MiB", orNull(p.deviceMemory)}};
    json["power_W"] = orNull(p.power);
    json["table"] = timingTable(p.clock, p.steps);
    json["kernels"] = nullptr;
    return json;
}

Json hardwareOf(RunRecord const& record)
{
    TimedSetup const& setup = record.setup;
    Json json = object(record.hardware);
    json["host"] = setup.host;
    json["CPU"] = setup.processor;
    json["processors"] = setup.processors;
    json["GPU"] = nullptr;
    if (!setup.gpu) return json;
    GpuFacts const& gpu = *setup.gpu;
    json["GPU"] = {{"name", gpu.name},         {"memory_GiB", number(gpu.memory)},        {"compute_capability", gpu.computeCapability},
                   {"uuid", gpu.uuid},         {"mig_profile", orNull(gpu.slice)},        {"driver", orNull(gpu.driver)},
                   {"cuda", orNull(gpu.cuda)}, {"power_limit_W", orNull(gpu.powerLimit)}, {"clock_MHz", orNull(gpu.clock)}};
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
    json["schema"] = "alder-bench-2";
    json["made_by"] = "mdrun";
    json["made_at"] = base::utcNow();
    json["fixture"] = false;
    json["rehearsal"] = record.setup.place == "emulated-gpu";
    json["right"] = end.how.rfind("failed", 0) != 0;
    json["version"] = record.version;
    json["ended"] = end.how;
    json["final_state"] = end.stateSha256.empty() ? Json(nullptr) : Json{{"step", end.step}, {"sha256", end.stateSha256}};
    json["title"] = record.title;
    json["command_line"] = record.commandLine;
    json["input_hash"] = record.inputHash;
    json["build"] = object(record.build);
    json["build"]["version"] = record.version;
    json["hardware"] = hardwareOf(record);
    json["files"] = object(record.files);
    json["plan"] = object(record.plan);
    json["performance"] = performanceOf(performance);
    json["averages_over"] = averages.count();
    json["averages"] = averagesOf(averages);
    json["checks"] = Json::array();
    json["results"] = Json::array();
    if (!performance.windows.empty()) json["results"].push_back(resultOf(record.setup, performance));
    json["left_out"] = Json::array();
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
    if (report.forceError) json["force_error"] = number(*report.forceError);
    return textOf(json);
}

void writeEnergyJson(std::string const& path, EnergyReport const& report) { replaceFile(path, energyJson(report)); }

} // namespace alder::output
