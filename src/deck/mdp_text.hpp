#pragma once
// The text of an .mdp: lines of `key = value`, each key judged by the table of keys.

#include "base/error.hpp"
#include "deck/mdp_keys.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace alder::deck {

/// One `key = value` of the file.
struct MdpEntry {
    KeyInfo const* key = nullptr;
    std::string value;
    std::int64_t line = 0;
};

/// The entries of one .mdp, and typed access to them. A value that does not read as what its key wants is a fault, and the default is
/// used so that the rest of the file can be judged too.
class MdpText {
public:
    /// Reads the text; faults for lines without '=', unknown keys and keys given twice, warnings for keys that GROMACS has dropped.
    MdpText(std::string file, std::string_view text, base::FaultList& faults);

    [[nodiscard]] MdpEntry const* find(std::string_view key) const;
    [[nodiscard]] base::Place placeOf(std::string_view key) const;
    [[nodiscard]] std::string const& file() const { return file_; }
    [[nodiscard]] std::map<std::string, MdpEntry> const& entries() const { return entries_; }

    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t fallback) const;
    [[nodiscard]] double real(std::string_view key, double fallback) const;
    /// The value in canonical form; the fallback where the key is not given or its word is none that GROMACS knows.
    [[nodiscard]] std::string word(std::string_view key, std::string_view fallback) const;
    [[nodiscard]] bool yes(std::string_view key, bool fallback) const;
    [[nodiscard]] std::vector<std::string> list(std::string_view key) const;
    [[nodiscard]] std::vector<double> reals(std::string_view key) const;

private:
    void addLine(std::string_view line, std::int64_t number, base::FaultList& faults);
    void judgeForm(MdpEntry const& entry, base::FaultList& faults);
    void refuse(base::FaultList& faults, std::int64_t line, std::string what, std::string instead);

    std::string file_;
    int found_ = 0;                           ///< faults of form
    int valueless_ = 0;                       ///< unknown keys without a value
    std::map<std::string, MdpEntry> entries_; ///< by the table's name, with numbers in place of '#'
};

/// Numbers as the whole of a text: nothing before, nothing after but blanks.
bool readInteger(std::string_view text, std::int64_t& value);
bool readReal(std::string_view text, double& value);
std::vector<std::string> splitBlanks(std::string_view text);

} // namespace alder::deck
