#include "report/export.hpp"

#include "report/best_choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <variant>

namespace alder::report {

namespace {

using Json = nlohmann::ordered_json;

template <class T> Json orNull(std::optional<T> const& value) { return value ? Json(*value) : Json(nullptr); }

Json recordOf(Row const& row, RowCost const* cost)
{
    std::optional<Spread> const speed = row.nsPerDay();
    Json r;
    r["status"] = nameOf(row.standing);
    r["right"] = row.right;
    r["steady"] = orNull(row.steady);
    r["machine"] = row.machine;
    r["deck"] = row.system.deck;
    r["atoms"] = row.system.atoms;
    r["dt_ps"] = row.system.dtPs;
    r["rcoulomb_nm"] = row.system.rcoulombNm;
    r["rvdw_nm"] = row.system.rvdwNm;
    r["place"] = row.setup.place;
    r["transform"] = orNull(row.setup.transform);
    r["gpus"] = row.setup.gpus;
    r["replicas"] = row.setup.replicas;
    r["ranks"] = row.setup.ranks;
    r["pme_ranks"] = row.setup.pmeRanks;
    r["threads"] = row.setup.threads;
    r["windows"] = row.values.size();
    r["ns_per_day"] = speed ? Json(speed->median) : Json(nullptr);
    r["ns_per_day_least"] = speed ? Json(speed->least) : Json(nullptr);
    r["ns_per_day_most"] = speed ? Json(speed->most) : Json(nullptr);
    r["atom_steps_per_s"] = orNull(row.atomStepsPerSecond());
    r["drift_kJ_mol_ns_atom"] = orNull(row.drift);
    r["drift_error"] = orNull(row.driftError);
    r["force_error"] = orNull(row.forceError);
    r["host_MiB"] = orNull(row.hostMiB);
    r["device_MiB"] = orNull(row.deviceMiB);
    r["power_W"] = orNull(row.powerW);
    r["ns_per_kWh"] = orNull(row.nsPerKWh());
    r["price"] = cost ? Json(cost->price.name) : Json("no price");
    r["price_kind"] = cost ? Json(nameOf(cost->price.kind)) : Json(nullptr);
    r["price_verified"] = cost ? Json(cost->price.verified) : Json(nullptr);
    r["price_date"] = cost ? Json(cost->price.date) : Json(nullptr);
    r["price_source"] = cost ? Json(cost->price.source) : Json(nullptr);
    r["currency"] = cost ? Json(cost->price.currency) : Json(nullptr);
    r["cost_per_hour"] = cost ? Json(cost->perHour) : Json(nullptr);
    r["lost"] = cost ? orNull(cost->lost) : Json(nullptr);
    r["cost_per_ns"] = cost ? orNull(cost->perNs) : Json(nullptr);
    r["ns_per_currency_unit"] = cost ? orNull(cost->nsPerUnit()) : Json(nullptr);
    r["version"] = row.version;
    r["revision"] = row.revision;
    r["build_type"] = row.buildType;
    r["hosts"] = fmt::format("{}", fmt::join(row.hosts, "; "));
    r["files"] = fmt::format("{}", fmt::join(row.files, "; "));
    r["remarks"] = row.remarks();
    return r;
}

std::vector<Json> recordsOf(Comparison const& comparison)
{
    std::vector<Json> records;
    for (Row const& row : comparison.rows) {
        if (row.costs.empty()) records.push_back(recordOf(row, nullptr));
        for (RowCost const& cost : row.costs) records.push_back(recordOf(row, &cost));
    }
    return records;
}

std::string cellOf(Json const& value)
{
    if (value.is_null()) return "";
    if (!value.is_string()) return value.dump();
    auto text = value.get<std::string>();
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

Json bestJson(Comparison const& comparison)
{
    auto const indexOf = [&](Row const* row) { return row ? Json(row - comparison.rows.data()) : Json(nullptr); };
    Json list = Json::array();
    for (BestChoice const& best : bestChoices(comparison)) {
        Json cheapest = Json::array();
        for (Cheapest const& c : best.cheapest)
            cheapest.push_back({{"currency", c.cost->price.currency},
                                {"price", c.cost->price.name},
                                {"cost_per_ns", orNull(c.cost->perNs)},
                                {"lost", orNull(c.cost->lost)},
                                {"row", indexOf(c.row)}});
        list.push_back({{"deck", best.system.deck},
                        {"atoms", best.system.atoms},
                        {"fastest_run", indexOf(best.fastestRun)},
                        {"most_in_all", indexOf(best.mostInAll)},
                        {"cheapest", cheapest}});
    }
    return list;
}

Json chartJson(page::BarChart const& chart)
{
    Json json{{"title", chart.title}, {"series", Json::array()}};
    for (page::BarSeries const& series : chart.series) {
        Json bars{{"name", series.name}, {"groups", chart.groups}, {"values", Json::array()}, {"marks", Json::array()}};
        for (page::Bar const& bar : series.bars) {
            bars["values"].push_back(bar.value);
            bars["marks"].push_back(bar.mark);
        }
        json["series"].push_back(std::move(bars));
    }
    return json;
}

Json chartJson(page::LineChart const& chart)
{
    Json json{{"title", chart.title}, {"series", Json::array()}};
    for (page::Series const& series : chart.series)
        json["series"].push_back({{"name", series.name}, {"mark", series.mark}, {"x", series.x}, {"y", series.y}});
    return json;
}

} // namespace

std::string csvText(Comparison const& comparison)
{
    std::string text;
    std::vector<std::string> cells;
    Json const names = recordOf(Row{}, nullptr);
    for (auto const& [name, value] : names.items()) cells.push_back(name);
    text += fmt::format("{}\r\n", fmt::join(cells, ","));
    std::vector<Json> const records = recordsOf(comparison);
    for (Json const& record : records) {
        cells.clear();
        for (Json const& value : record) cells.push_back(cellOf(value));
        text += fmt::format("{}\r\n", fmt::join(cells, ","));
    }
    return text;
}

std::string jsonText(Comparison const& comparison, std::vector<LedgerCost> const& ledger, std::vector<page::Chart> const& charts)
{
    Json json;
    json["schema"] = "alder-report-1";
    json["prices"] = comparison.pricesFile;
    json["checkpoint_min"] = comparison.preemptions.checkpointMinutes;
    json["restart_min"] = comparison.preemptions.restartMinutes;
    json["records"] = Json::array();
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
        Row const& row = comparison.rows[i];
        for (std::size_t c = 0; c < std::max<std::size_t>(1, row.costs.size()); ++c) {
            Json record = recordOf(row, row.costs.empty() ? nullptr : &row.costs[c]);
            record["row"] = i;
            json["records"].push_back(std::move(record));
        }
    }
    json["best"] = bestJson(comparison);
    json["ledger"] = Json::array();
    for (LedgerCost const& cost : ledger)
        json["ledger"].push_back({{"device", cost.device},
                                  {"system", cost.system},
                                  {"runs", cost.runs},
                                  {"unfinished", cost.unfinished},
                                  {"hours", cost.hours},
                                  {"gpu_hours", cost.gpuHours},
                                  {"ns", cost.ns},
                                  {"price", cost.price.empty() ? Json(nullptr) : Json(cost.price)},
                                  {"currency", cost.currency.empty() ? Json(nullptr) : Json(cost.currency)},
                                  {"amount", cost.price.empty() ? Json(nullptr) : Json(cost.amount)},
                                  {"cost_per_ns", orNull(cost.perNs())}});
    json["charts"] = Json::array();
    for (page::Chart const& chart : charts) json["charts"].push_back(std::visit([](auto const& some) { return chartJson(some); }, chart));
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace alder::report
