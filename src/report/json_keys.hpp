#pragma once
// JSON of others, read strictly: what is missing or of a wrong kind is a fault with its file and its path of keys, and reading goes on.

#include "base/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alder::report {

/// One object of a file.
class JsonKeys {
public:
    using Json = nlohmann::json;
    JsonKeys(Json const& json, std::string path, std::string const& file, base::FaultList& faults);

    /// Empty, 0 or false after a fault has been noted.
    [[nodiscard]] std::string text(char const* key) const;
    [[nodiscard]] std::optional<std::string> textOrNull(char const* key) const;
    [[nodiscard]] bool flag(char const* key) const;
    [[nodiscard]] std::optional<bool> flagOrNull(char const* key) const;
    [[nodiscard]] double number(char const* key) const;
    [[nodiscard]] std::optional<double> numberOrNull(char const* key) const;
    /// A finite number above 0; 1 after a fault, so that it may be divided by.
    [[nodiscard]] double amount(char const* key) const;
    [[nodiscard]] std::optional<double> amountOrNull(char const* key) const;
    /// A whole number, `least` or more; `least` after a fault.
    [[nodiscard]] std::int64_t count(char const* key, std::int64_t least) const;
    /// Without any keys after a fault.
    [[nodiscard]] std::optional<JsonKeys> object(char const* key) const;
    [[nodiscard]] std::optional<JsonKeys> objectOrNull(char const* key) const;
    [[nodiscard]] std::vector<JsonKeys> objects(char const* key) const;
    /// null is an empty list.
    [[nodiscard]] std::vector<double> amounts(char const* key) const;
    [[nodiscard]] std::vector<std::string> texts(char const* key) const;

    [[nodiscard]] bool has(char const* key) const { return json_->contains(key); }
    [[nodiscard]] std::string pathOf(std::string const& key) const { return path_.empty() ? key : path_ + "." + key; }
    void refuse(std::string const& key, std::string const& what, std::string instead) const;

private:
    /// Null where there is no such key, which is then a fault.
    [[nodiscard]] Json const* find(char const* key) const;
    [[nodiscard]] Json const* findList(char const* key) const;
    void refuseKind(std::string const& key, Json const& value, char const* wanted) const;

    Json const* json_;
    std::string path_;
    std::string file_;
    base::FaultList* faults_;
};

} // namespace alder::report
