#include "accounting/ledger_entry.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <stdexcept>

namespace alder::accounting {

namespace {

using Json = nlohmann::ordered_json;
constexpr char const* schema = "alder-ledger-1";

Json textOrNull(std::optional<std::string> const& text) { return text ? Json(*text) : Json(nullptr); }

std::optional<std::string> optionalText(Json const& json, char const* key)
{
    Json const& value = json.at(key);
    if (value.is_null()) return {};
    return value.get<std::string>();
}

/// A number that a sum can bear.
double amountAt(Json const& json, char const* key)
{
    double const value = json.at(key).get<double>();
    if (!std::isfinite(value) || value < 0) throw std::invalid_argument(std::string(key) + " is no amount");
    return value;
}

std::int64_t countAt(Json const& json, char const* key)
{
    Json const& value = json.at(key);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0) throw std::invalid_argument(std::string(key) + " is no count");
    return value.get<std::int64_t>();
}

Json costJson(std::optional<Cost> const& cost)
{
    if (!cost) return nullptr;
    return {{"amount", cost->amount}, {"currency", cost->currency}, {"price", cost->price}, {"verified", cost->verified}};
}

std::optional<Cost> costOf(Json const& json)
{
    if (json.is_null()) return {};
    return Cost{amountAt(json, "amount"), json.at("currency").get<std::string>(), json.at("price").get<std::string>(),
                json.at("verified").get<bool>()};
}

} // namespace

std::string lineOf(LedgerEntry const& e)
{
    Json json;
    json["schema"] = schema;
    json["ended_at"] = e.endedAt;
    json["version"] = e.version;
    json["job"] = textOrNull(e.job);
    json["project"] = textOrNull(e.project);
    json["user"] = e.user;
    json["host"] = e.host;
    json["system"] = {{"title", e.title}, {"topology", e.deck}, {"input_hash", e.inputHash}};
    json["device"] = e.device;
    json["mig_profile"] = textOrNull(e.slice);
    json["gpus"] = e.gpus;
    json["ranks"] = e.ranks;
    json["processors"] = e.processors;
    json["hours"] = e.hours;
    json["gpu_hours"] = e.gpuHours();
    json["cost"] = costJson(e.cost);
    json["ns"] = e.ns;
    json["steps"] = e.steps;
    json["exit"] = {{"status", e.status}, {"reason", e.reason}};
    // Titles and names come from users and need not be UTF-8; line ends inside of them are escaped by JSON.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

LedgerEntry entryOf(std::string_view line)
{
    try {
        Json const json = Json::parse(line);
        if (std::string const found = json.at("schema").get<std::string>(); found != schema)
            throw std::invalid_argument("schema '" + found + "' is not known");
        LedgerEntry e;
        e.endedAt = json.at("ended_at").get<std::string>();
        e.version = json.at("version").get<std::string>();
        e.job = optionalText(json, "job");
        e.project = optionalText(json, "project");
        e.user = json.at("user").get<std::string>();
        e.host = json.at("host").get<std::string>();
        Json const& system = json.at("system");
        e.title = system.at("title").get<std::string>();
        e.deck = system.at("topology").get<std::string>();
        e.inputHash = system.at("input_hash").get<std::string>();
        e.device = json.at("device").get<std::string>();
        e.slice = optionalText(json, "mig_profile");
        e.gpus = countAt(json, "gpus");
        e.ranks = countAt(json, "ranks");
        e.processors = countAt(json, "processors");
        e.hours = amountAt(json, "hours");
        e.cost = costOf(json.at("cost"));
        e.ns = amountAt(json, "ns");
        e.steps = countAt(json, "steps");
        e.status = json.at("exit").at("status").get<int>();
        e.reason = json.at("exit").at("reason").get<std::string>();
        return e;
    } catch (nlohmann::json::exception const& broken) {
        throw std::invalid_argument(broken.what());
    }
}

} // namespace alder::accounting
