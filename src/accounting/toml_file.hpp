#pragma once
// Tables that users edit, in TOML: read with their places, so that every fault has its line.

#include "base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace alder::accounting {

/// One [[table]] of a file. Each key that is read is ticked off; those left over are refused by finish().
class TomlTable {
public:
    /// What toml++ made of it; its headers stay out of everybody's sight.
    struct Content;
    TomlTable(std::shared_ptr<Content const> content, base::FaultList& faults);

    [[nodiscard]] base::Place place() const;
    [[nodiscard]] base::Place placeOf(std::string const& key) const;
    [[nodiscard]] bool has(std::string const& key) const;
    /// An empty text or no value after a fault has been noted.
    std::string text(std::string const& key);
    std::optional<std::string> textIfAny(std::string const& key);
    /// A finite number above 0.
    std::optional<double> amountIfAny(std::string const& key);
    std::optional<bool> flagIfAny(std::string const& key);
    /// "2026-11-30", written as a date of TOML, without quotes.
    std::optional<std::string> dateIfAny(std::string const& key);
    void refuse(std::string const& key, std::string what, std::string instead);
    void refuseUnreadKeys();

private:
    std::shared_ptr<Content const> content_;
    base::FaultList& faults_;
    std::vector<std::string> read_;
};

/// All tables of [[name]] in a file, which may hold nothing else. Throws InputRefused where it is no TOML, or cannot be read.
std::vector<TomlTable> readTables(std::filesystem::path const& file, std::string const& name, base::FaultList& faults);

} // namespace alder::accounting
