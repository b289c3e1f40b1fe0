#include "report/json_keys.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alder::report {

namespace {

/// Above 0, and such that products and ratios of a few of them stay finite.
bool isAmount(JsonKeys::Json const& value) { return value.is_number() && value.get<double>() > 1e-18 && value.get<double>() < 1e18; }

} // namespace

JsonKeys::JsonKeys(Json const& json, std::string path, std::string const& file, base::FaultList& faults)
    : json_(&json),
      path_(std::move(path)),
      file_(file),
      faults_(&faults)
{}

void JsonKeys::refuse(std::string const& key, std::string const& what, std::string instead) const
{
    faults_->refuse({file_, 0}, fmt::format("{}: {}", pathOf(key), what), std::move(instead));
}

void JsonKeys::refuseKind(std::string const& key, Json const& value, char const* wanted) const
{
    refuse(key, fmt::format("{} instead of {}", value.is_number() ? value.dump() : value.type_name(), wanted),
           "write it as docs/bench_schema.md says");
}

JsonKeys::Json const* JsonKeys::find(char const* key) const
{
    auto const found = json_->find(key);
    if (found != json_->end()) return &*found;
    refuse(key, "missing", "give every key of docs/bench_schema.md, with null where something is not known");
    return nullptr;
}

std::string JsonKeys::text(char const* key) const
{
    Json const* const value = find(key);
    if (value && value->is_string()) return value->get<std::string>();
    if (value) refuseKind(key, *value, "text");
    return {};
}

std::optional<std::string> JsonKeys::textOrNull(char const* key) const
{
    Json const* const value = find(key);
    if (!value || value->is_null()) return {};
    if (value->is_string()) return value->get<std::string>();
    refuseKind(key, *value, "text or null");
    return {};
}

std::optional<bool> JsonKeys::flagOrNull(char const* key) const
{
    Json const* const value = find(key);
    if (!value || value->is_null()) return {};
    if (value->is_boolean()) return value->get<bool>();
    refuseKind(key, *value, "true, false or null");
    return {};
}

bool JsonKeys::flag(char const* key) const
{
    Json const* const value = find(key);
    if (value && value->is_boolean()) return value->get<bool>();
    if (value) refuseKind(key, *value, "true or false");
    return false;
}

double JsonKeys::number(char const* key) const
{
    Json const* const value = find(key);
    if (value && value->is_number()) return value->get<double>();
    if (value) refuseKind(key, *value, "a number");
    return 0;
}

std::optional<double> JsonKeys::numberOrNull(char const* key) const
{
    Json const* const value = find(key);
    if (!value || value->is_null()) return {};
    if (value->is_number()) return value->get<double>();
    refuseKind(key, *value, "a number or null");
    return {};
}

double JsonKeys::amount(char const* key) const
{
    Json const* const value = find(key);
    if (value && isAmount(*value)) return value->get<double>();
    if (value) refuseKind(key, *value, "a number above 0");
    return 1;
}

std::optional<double> JsonKeys::amountOrNull(char const* key) const
{
    Json const* const value = find(key);
    if (!value || value->is_null()) return {};
    if (isAmount(*value)) return value->get<double>();
    refuseKind(key, *value, "a number above 0, or null");
    return {};
}

std::int64_t JsonKeys::count(char const* key, std::int64_t least) const
{
    // Far above any count of atoms or steps, and far below where a double or a product of counts loses a unit.
    constexpr std::int64_t most = std::int64_t{1} << 50;
    Json const* const value = find(key);
    if (!value) return least;
    if (value->is_number_integer() && *value >= least && *value <= most) return value->get<std::int64_t>();
    refuseKind(key, *value, fmt::format("a whole number, {} or more", least).c_str());
    return least;
}

std::optional<JsonKeys> JsonKeys::object(char const* key) const
{
    Json const* const value = find(key);
    if (!value) return {};
    if (value->is_object()) return JsonKeys(*value, pathOf(key), file_, *faults_);
    refuseKind(key, *value, "an object");
    return {};
}

std::optional<JsonKeys> JsonKeys::objectOrNull(char const* key) const
{
    Json const* const value = find(key);
    if (!value || value->is_null()) return {};
    if (value->is_object()) return JsonKeys(*value, pathOf(key), file_, *faults_);
    refuseKind(key, *value, "an object or null");
    return {};
}

JsonKeys::Json const* JsonKeys::findList(char const* key) const
{
    Json const* const value = find(key);
    if (!value || value->is_array()) return value;
    refuseKind(key, *value, "a list");
    return nullptr;
}

std::vector<JsonKeys> JsonKeys::objects(char const* key) const
{
    std::vector<JsonKeys> objects;
    Json const* const list = findList(key);
    if (!list) return objects;
    for (std::size_t i = 0; i < list->size(); ++i) {
        std::string const name = fmt::format("{}[{}]", key, i);
        if ((*list)[i].is_object())
            objects.emplace_back((*list)[i], pathOf(name), file_, *faults_);
        else
            refuseKind(name, (*list)[i], "an object");
    }
    return objects;
}

std::vector<double> JsonKeys::amounts(char const* key) const
{
    std::vector<double> amounts;
    Json const* const value = find(key);
    if (!value || value->is_null()) return amounts;
    if (!value->is_array()) {
        refuseKind(key, *value, "a list or null");
        return amounts;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        Json const& element = (*value)[i];
        if (isAmount(element))
            amounts.push_back(element.get<double>());
        else
            refuseKind(fmt::format("{}[{}]", key, i), element, "a number above 0");
    }
    return amounts;
}

std::vector<std::string> JsonKeys::texts(char const* key) const
{
    std::vector<std::string> texts;
    Json const* const list = findList(key);
    if (!list) return texts;
    for (std::size_t i = 0; i < list->size(); ++i) {
        if ((*list)[i].is_string())
            texts.push_back((*list)[i].get<std::string>());
        else
            refuseKind(fmt::format("{}[{}]", key, i), (*list)[i], "text");
    }
    return texts;
}

} // namespace alder::report
