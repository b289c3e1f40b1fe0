#include "accounting/toml_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace alder::accounting {

struct TomlTable::Content {
    std::shared_ptr<toml::table const> whole; // a copy of a part would forget its lines
    toml::table const& table;
    std::string file;
};

namespace {

base::Place placeIn(std::string const& file, toml::node const& node) { return {file, static_cast<std::int64_t>(node.source().begin.line)}; }

} // namespace

TomlTable::TomlTable(std::shared_ptr<Content const> content, base::FaultList& faults) : content_(std::move(content)), faults_(faults) {}

base::Place TomlTable::place() const { return placeIn(content_->file, content_->table); }

base::Place TomlTable::placeOf(std::string const& key) const
{
    toml::node const* const node = content_->table.get(key);
    return node ? placeIn(content_->file, *node) : place();
}

bool TomlTable::has(std::string const& key) const { return content_->table.contains(key); }

void TomlTable::refuse(std::string const& key, std::string what, std::string instead)
{
    faults_.refuse(placeOf(key), std::move(what), std::move(instead));
}

std::optional<std::string> TomlTable::textIfAny(std::string const& key)
{
    read_.push_back(key);
    toml::node const* const node = content_->table.get(key);
    if (!node) return {};
    if (auto value = node->value<std::string>(); node->is_string() && value && !value->empty()) return value;
    refuse(key, fmt::format("{} is no text", key), fmt::format("write {} = \"...\"", key));
    return {};
}

std::string TomlTable::text(std::string const& key)
{
    std::optional<std::string> const value = textIfAny(key);
    if (!has(key)) refuse(key, fmt::format("{} is missing", key), fmt::format("write {} = \"...\"", key));
    return value.value_or("");
}

std::optional<double> TomlTable::amountIfAny(std::string const& key)
{
    read_.push_back(key);
    toml::node const* const node = content_->table.get(key);
    if (!node) return {};
    if (auto const value = node->value<double>(); node->is_number() && value && std::isfinite(*value) && *value > 0) return value;
    refuse(key, fmt::format("{} is no number above 0", key), fmt::format("write {} = 3.66", key));
    return {};
}

std::optional<bool> TomlTable::flagIfAny(std::string const& key)
{
    read_.push_back(key);
    toml::node const* const node = content_->table.get(key);
    if (!node) return {};
    if (node->is_boolean()) return node->value<bool>();
    refuse(key, fmt::format("{} is neither true nor false", key), fmt::format("write {} = true or false", key));
    return {};
}

std::optional<std::string> TomlTable::dateIfAny(std::string const& key)
{
    read_.push_back(key);
    toml::node const* const node = content_->table.get(key);
    if (!node) return {};
    if (auto const value = node->value<toml::date>(); node->is_date() && value)
        return fmt::format("{:04}-{:02}-{:02}", value->year, value->month, value->day);
    refuse(key, fmt::format("{} is no date", key), fmt::format("write {} = 2026-11-30, without quotes", key));
    return {};
}

void TomlTable::refuseUnreadKeys()
{
    for (auto const& [key, value] : content_->table)
        if (std::find(read_.begin(), read_.end(), key.str()) == read_.end())
            faults_.refuse(placeIn(content_->file, value), fmt::format("there is no key '{}' here", key.str()), "leave it out");
}

std::vector<TomlTable> readTables(std::filesystem::path const& file, std::string const& name, base::FaultList& faults)
{
    std::shared_ptr<toml::table const> whole;
    try {
        whole = std::make_shared<toml::table const>(toml::parse_file(file.string()));
    } catch (toml::parse_error const& broken) {
        std::ostringstream what;
        what << broken.description();
        base::refuseInput({file.string(), static_cast<std::int64_t>(broken.source().begin.line)}, what.str(),
                          fmt::format("write tables [[{}]] in TOML (docs/accounting.md)", name));
    }
    std::vector<TomlTable> tables;
    for (auto const& [key, value] : *whole) {
        if (key.str() != name || !value.is_array_of_tables()) {
            faults.refuse(placeIn(file.string(), value), fmt::format("'{}' is not known here", key.str()),
                          fmt::format("write tables that begin with [[{}]]", name));
            continue;
        }
        for (toml::node const& element : *value.as_array())
            tables.emplace_back(std::make_shared<TomlTable::Content const>(TomlTable::Content{whole, *element.as_table(), file.string()}),
                                faults);
    }
    return tables;
}

} // namespace alder::accounting
