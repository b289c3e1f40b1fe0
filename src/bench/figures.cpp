#include "bench/figures.hpp"

#include "base/build_info.hpp"
#include "base/utc_time.hpp"
#include "output/run_record.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace alder::bench {

namespace {

/// What all runs have, added up; null where one of them does not tell.
Json summed(std::vector<Json> const& results, Json::json_pointer const& where)
{
    double sum = 0;
    for (Json const& result : results) {
        if (!result.at(where).is_number()) return nullptr;
        sum += result.at(where).get<double>();
    }
    return sum;
}

/// Runs that share a GPU tell its whole power each: their mean counts, once a GPU.
Json powerOf(std::vector<Json> const& results, std::vector<Json> const& reports)
{
    std::map<std::string, std::vector<double>> byGpu;
    for (std::size_t i = 0; i < results.size(); ++i) {
        Json const& gpu = reports[i].at("hardware").at("GPU");
        if (gpu.is_null() || !results[i].at("power_W").is_number()) return nullptr;
        byGpu[gpu.at("uuid").get<std::string>()].push_back(results[i].at("power_W").get<double>());
    }
    double sum = 0;
    for (auto const& [uuid, powers] : byGpu) {
        double mean = 0;
        for (double const power : powers) mean += power / static_cast<double>(powers.size());
        sum += mean;
    }
    return sum;
}

/// Of the time from the first one's beginning to the last one's end, the part in which all were being timed.
double timeTogether(std::vector<Json> const& results, std::vector<Json> const& reports)
{
    double firstBegin = INFINITY, lastBegin = -INFINITY, firstEnd = INFINITY, lastEnd = -INFINITY;
    for (std::size_t i = 0; i < results.size(); ++i) {
        double const begin = reports[i].at("performance").at("timed_from_unix_s").get<double>();
        double end = begin;
        for (Json const& window : results[i].at("windows")) end += window.at("seconds").get<double>();
        firstBegin = std::min(firstBegin, begin);
        lastBegin = std::max(lastBegin, begin);
        firstEnd = std::min(firstEnd, end);
        lastEnd = std::max(lastEnd, end);
    }
    return lastEnd > firstBegin ? (firstEnd - lastBegin) / (lastEnd - firstBegin) : 0;
}

/// Windows of all runs, one by one: steps added, seconds averaged.
Json windowsOf(std::vector<Json> const& results)
{
    Json windows = Json::array();
    for (std::size_t w = 0; w < results.front().at("windows").size(); ++w) {
        std::int64_t steps = 0;
        double seconds = 0;
        for (Json const& result : results) {
            Json const& window = result.at("windows").at(w);
            steps += window.at("steps").get<std::int64_t>();
            seconds += window.at("seconds").get<double>() / static_cast<double>(results.size());
        }
        windows.push_back({{"steps", steps}, {"seconds", seconds}});
    }
    return windows;
}

/// ns/day: steps x dt (ps) / 1000 / seconds x 86400.
Json speedOf(Json const& windows, double dt)
{
    std::vector<double> values;
    for (Json const& window : windows)
        values.push_back(window.at("steps").get<double>() * dt * 1e-3 / window.at("seconds").get<double>() * 86400);
    output::Spread const spread = output::spreadOf(values);
    return {{"median", spread.median}, {"least", spread.least}, {"most", spread.most}, {"values", values}};
}

std::string numberOr(Json const& value, char const* format, char const* otherwise)
{
    return value.is_number() ? fmt::format(fmt::runtime(format), value.get<double>()) : otherwise;
}

} // namespace

Json resultOf(std::string const& deck, std::vector<Json> const& reports)
{
    std::vector<Json> results;
    for (Json const& report : reports) {
        if (report.at("results").empty() || report.at("results").at(0).at("windows").empty())
            throw std::invalid_argument("the run ended before it was timed");
        results.push_back(report.at("results").at(0));
        if (results.back().at("windows").size() != results.front().at("windows").size())
            throw std::invalid_argument("runs were timed in different numbers of windows");
    }
    Json result = results.front();
    result["deck"] = deck;
    if (results.size() == 1) return result;
    if (double const together = timeTogether(results, reports); together < 0.9)
        throw std::invalid_argument(
            fmt::format("runs were timed together for {:.0f} % of the time only; give longer windows", 100 * std::max(together, 0.0)));
    std::map<std::string, int> gpus;
    for (Json const& report : reports)
        if (Json const& gpu = report.at("hardware").at("GPU"); !gpu.is_null()) ++gpus[gpu.at("uuid").get<std::string>()];
    result["replicas"] = results.size();
    result["gpus"] = gpus.size();
    result["windows"] = windowsOf(results);
    result["ns_per_day"] = speedOf(result["windows"], result.at("dt_ps").get<double>());
    result["steady"] = std::all_of(results.begin(), results.end(), [](Json const& r) { return r.at("steady") == true; });
    for (char const* memory : {"host_MiB", "device_MiB"})
        result["peak_memory"][memory] = summed(results, Json::json_pointer("/peak_memory") / memory);
    result["power_W"] = powerOf(results, reports);
    return result;
}

Json togetherOf(std::vector<Json> const& rounds)
{
    Json all = rounds.back();
    double weights = 0, drift = 0, power = 0;
    bool tellsPower = true;
    all["windows"] = Json::array();
    for (Json const& round : rounds) {
        for (Json const& window : round.at("windows")) all["windows"].push_back(window);
        for (char const* memory : {"host_MiB", "device_MiB"})
            if (round.at("peak_memory").at(memory).is_number() && !(all["peak_memory"][memory] > round.at("peak_memory").at(memory)))
                all["peak_memory"][memory] = round.at("peak_memory").at(memory);
        if (round.at("steady") == false) all["steady"] = false;
        tellsPower = tellsPower && round.at("power_W").is_number();
        if (tellsPower) power += round.at("power_W").get<double>() / static_cast<double>(rounds.size());
        if (!round.at("drift_error").is_number() || round.at("drift_error").get<double>() <= 0) continue;
        double const weight = 1 / std::pow(round.at("drift_error").get<double>(), 2);
        weights += weight;
        drift += weight * round.at("drift_kJ_mol_ns_atom").get<double>();
    }
    all["ns_per_day"] = speedOf(all["windows"], all.at("dt_ps").get<double>());
    all["power_W"] = tellsPower ? Json(power) : Json(nullptr);
    if (weights > 0) {
        all["drift_kJ_mol_ns_atom"] = drift / weights;
        all["drift_error"] = 1 / std::sqrt(weights);
    }
    return all;
}

std::vector<Json> Figures::results() const
{
    std::vector<Json> results;
    results.reserve(results_.size());
    for (auto const& [timing, result] : results_) results.push_back(result);
    return results;
}

void Figures::put(std::size_t timing, Json result, Json const& report)
{
    for (Accuracy const& known : accuracies_)
        if (known.deck == result.at("deck") && known.place == result.at("place")) result["force_error"] = known.error;
    bool const tellsMore = hardware_.is_null() || (hardware_.at("GPU").is_null() && !report.at("hardware").at("GPU").is_null());
    if (tellsMore) {
        build_ = report.at("build");
        hardware_ = {};
        for (char const* key : {"host", "CPU", "processors", "GPU"}) hardware_[key] = report.at("hardware").at(key);
    }
    rehearsal_ = rehearsal_ || report.at("rehearsal").get<bool>();
    results_[timing] = std::move(result);
}

void Figures::leftOut(std::string const& name, std::string const& reason) { leftOut_.push_back(fmt::format("{}: {}", name, reason)); }

void Figures::forceError(std::string const& deck, std::string const& place, double error)
{
    accuracies_.push_back({deck, place, error});
    for (auto& [timing, result] : results_)
        if (result.at("deck") == deck && result.at("place") == place) result["force_error"] = error;
}

bool Figures::knowsForceError(std::string const& deck, std::string const& place) const
{
    return std::any_of(accuracies_.begin(), accuracies_.end(), [&](Accuracy const& a) { return a.deck == deck && a.place == place; });
}

void Figures::write() const
{
    if (hardware_.is_null()) return; // nothing ran so far
    Json json;
    json["schema"] = "alder-bench-2";
    json["made_by"] = "bench";
    json["made_at"] = base::utcNow();
    json["fixture"] = false;
    json["rehearsal"] = rehearsal_;
    json["right"] = true; // nothing is checked here; a timing that failed has no figures
    json["build"] = build_;
    json["hardware"] = hardware_;
    json["checks"] = Json::array();
    json["results"] = results();
    json["left_out"] = leftOut_;
    output::replaceFile(file_, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string tableOf(std::vector<Json> const& results)
{
    std::string text = fmt::format("{:<16} {:>8} {:>4} {:<5} {:>11} {:>4} {:>4} {:>11} {:>8} {:>9} {:>10} {:>19}\n", "deck", "atoms", "fs",
                                   "place", "ranks x thr", "runs", "GPUs", "ns/day", "+- %", "MiB", "force err", "drift kJ/mol/ns/at");
    for (Json const& r : results) {
        Json const& speed = r.at("ns_per_day");
        double const median = speed.at("median").is_number() ? speed.at("median").get<double>() : NAN;
        std::string const spread =
            std::isfinite(median) ? fmt::format("{:.1f}", 50 * (speed.at("most").get<double>() - speed.at("least").get<double>()) / median)
                                  : "-";
        std::string const drift =
            r.at("drift_kJ_mol_ns_atom").is_number()
                ? fmt::format("{:.2g} +- {:.1g}", r.at("drift_kJ_mol_ns_atom").get<double>(), r.at("drift_error").get<double>())
                : "-";
        text += fmt::format("{:<16} {:>8} {:>4.3g} {:<5} {:>11} {:>4} {:>4} {:>11} {:>8} {:>9} {:>10} {:>19}{}\n",
                            r.at("deck").get<std::string>(), r.at("atoms").get<std::int64_t>(), 1000 * r.at("dt_ps").get<double>(),
                            r.at("place").get<std::string>().substr(0, 5),
                            fmt::format("{} x {}", r.at("ranks").get<int>(), r.at("threads").get<int>()), r.at("replicas").get<int>(),
                            r.at("gpus").get<int>(), numberOr(speed.at("median"), "{:.5g}", "-"), spread,
                            numberOr(r.at("peak_memory").at("host_MiB"), "{:.0f}", "-"), numberOr(r.at("force_error"), "{:.1e}", "-"),
                            drift, r.at("steady") == false ? "  not steady" : "");
    }
    return text;
}

} // namespace alder::bench
