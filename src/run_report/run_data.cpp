#include "observe/mean.hpp"
#include "run_report/record_series.hpp"
#include "run_report/run_page.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace alder::run_report {

namespace {

using Json = nlohmann::ordered_json;

/// More numbers than this would make a page of many megabytes: then every nth record alone is written down.
constexpr std::size_t mostNumbers = 400000;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class T> Json everyOf(std::vector<T> const& values, std::size_t every)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < values.size(); i += every) list.push_back(number(static_cast<double>(values[i])));
    return list;
}

Json recordsOf(output::EnergyRecords const& records)
{
    std::size_t const total = records.steps.size() * (records.columns.size() + 2);
    std::size_t const every = total <= mostNumbers ? 1 : (total + mostNumbers - 1) / mostNumbers;
    Json json;
    json["count"] = records.steps.size();
    json["every"] = every;
    json["step"] = Json::array();
    for (std::size_t i = 0; i < records.steps.size(); i += every) json["step"].push_back(records.steps[i]);
    json["time_ps"] = everyOf(records.times, every);
    json["columns"] = Json::object();
    for (auto const& column : records.columns)
        json["columns"][column.name] = {{"unit", column.unit}, {"values", everyOf(column.values, every)}};
    return json;
}

Json averagesOf(output::EnergyRecords const& records)
{
    Json json = Json::object();
    for (auto const& column : records.columns)
        if (auto const mean = observe::meanWithError(column.values))
            json[column.name] = {{"unit", column.unit},
                                 {"mean", mean->value},
                                 {"rms_fluctuation", mean->fluctuation},
                                 {"standard_error", mean->standardError ? Json(*mean->standardError) : Json(nullptr)}};
    return json;
}

} // namespace

std::string dataOf(RunStory const& story)
{
    Json json;
    json["schema"] = "alder-run-page-1";
    json["file"] = story.file;
    json["atoms"] = story.records.atoms;
    json["frames"] = story.records.frames;
    json["closed"] = story.records.closed;
    json["ended"] = story.facts ? Json(story.facts->ended) : Json(nullptr);
    json["averages"] = averagesOf(story.records);
    json["drift_kJ_mol_ns_atom"] = json["drift_error"] = nullptr;
    if (auto const drift = driftByAtom(story.records)) {
        json["drift_kJ_mol_ns_atom"] = drift->slope;
        json["drift_error"] = drift->standardError;
    }
    json["rates"] = Json::array();
    json["table"] = Json::array();
    if (story.facts) {
        for (auto const& rate : story.facts->rates) json["rates"].push_back({{"step", rate.step}, {"ns_per_day", number(rate.nsPerDay)}});
        for (auto const& part : story.facts->table)
            json["table"].push_back({{"part", part.name}, {"calls", number(part.calls)}, {"wall_s", number(part.seconds)}});
    }
    json["records"] = recordsOf(story.records);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace alder::run_report
