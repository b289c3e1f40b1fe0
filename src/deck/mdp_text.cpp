#include "deck/mdp_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace alder::deck {

namespace {

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

/// A piece of the user's text for a message: short, without control characters.
std::string quoted(std::string_view text)
{
    std::string shown;
    for (char c : text.substr(0, 60)) shown += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    if (text.size() > 60) shown += "...";
    return "'" + shown + "'";
}

std::vector<std::string_view> splitViews(std::string_view text)
{
    std::vector<std::string_view> parts;
    std::size_t at = 0;
    while (at < text.size()) {
        while (at < text.size() && isBlank(text[at])) ++at;
        std::size_t const start = at;
        while (at < text.size() && !isBlank(text[at])) ++at;
        if (at > start) parts.push_back(text.substr(start, at - start));
    }
    return parts;
}

/// Faults of form shown of one file; a file that is no .mdp at all has one a line.
constexpr int mostFaults = 20;

/// The name under which an entry is kept: the row's, with the numbers that were written.
std::string nameFor(KeyInfo const& row, std::string_view written)
{
    return row.name.find('#') == std::string_view::npos ? std::string(row.name) : canonical(written);
}

} // namespace

bool readInteger(std::string_view text, std::int64_t& value)
{
    std::string const all(trimmed(text));
    if (all.empty()) return false;
    char* end = nullptr;
    errno = 0;
    value = std::strtoll(all.c_str(), &end, 10);
    return errno == 0 && end == all.c_str() + all.size();
}

bool readReal(std::string_view text, double& value)
{
    std::string const all(trimmed(text));
    if (all.empty()) return false;
    char* end = nullptr;
    value = std::strtod(all.c_str(), &end);
    return end == all.c_str() + all.size() && std::isfinite(value);
}

std::vector<std::string> splitBlanks(std::string_view text)
{
    std::vector<std::string> parts;
    for (std::string_view part : splitViews(text)) parts.emplace_back(part);
    return parts;
}

MdpText::MdpText(std::string file, std::string_view text, base::FaultList& faults) : file_(std::move(file))
{
    std::int64_t number = 0;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::string_view const line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        addLine(line.substr(0, line.find(';')), ++number, faults);
    }
}

void MdpText::refuse(base::FaultList& faults, std::int64_t line, std::string what, std::string instead)
{
    if (++found_ <= mostFaults) faults.refuse({file_, line}, std::move(what), std::move(instead));
}

void MdpText::addLine(std::string_view line, std::int64_t number, base::FaultList& faults)
{
    line = trimmed(line);
    if (line.empty()) return;
    base::Place const place{file_, number};
    std::size_t const equals = line.find('=');
    if (equals == std::string_view::npos) {
        refuse(faults, number, fmt::format("{} has no '='", quoted(line)), "write key = value, or ';' before a comment");
        return;
    }
    std::string_view const written = trimmed(line.substr(0, equals)), value = trimmed(line.substr(equals + 1));
    if (written.empty()) {
        refuse(faults, number, "there is no key before '='", "write key = value, or ';' before a comment");
        return;
    }
    KeyInfo const* key = findKey(written);
    // GROMACS drops a key without a value before it asks what the key is.
    if (key == nullptr && value.empty()) {
        if (++valueless_ <= mostFaults) faults.warn(place, fmt::format("unknown key {} without a value", quoted(written)), "leave it out");
        return;
    }
    if (key == nullptr) {
        std::string const near = found_ < mostFaults ? nearestKey(written) : std::string();
        refuse(faults, number, fmt::format("unknown key {}", quoted(written)),
               near.empty() ? "no known key is near it; leave it out" : fmt::format("the nearest known key is '{}'", near));
        return;
    }
    if (key->verdict == Verdict::renamed) {
        faults.warn(place, fmt::format("'{}' is an old spelling", key->name), fmt::format("write '{}'", key->harmless));
        key = findKey(key->harmless);
    }
    if (value.empty()) return;
    std::string const name = nameFor(*key, written);
    auto const [at, isNew] = entries_.try_emplace(name, MdpEntry{key, std::string(value), number});
    if (!isNew) {
        refuse(faults, number, fmt::format("'{}' is given twice, first in line {}", name, at->second.line), "keep one of the two");
        return;
    }
    if (key->verdict == Verdict::obsolete) {
        faults.warn(place, fmt::format("'{}' is no longer known to GROMACS and has no effect", name), "leave it out");
    }
    judgeForm(at->second, faults);
}

void MdpText::judgeForm(MdpEntry const& entry, base::FaultList& faults)
{
    KeyInfo const& key = *entry.key;
    std::int64_t integer = 0;
    double real = 0;
    switch (key.form) {
    case Form::integer:
        if (!readInteger(entry.value, integer))
            refuse(faults, entry.line, fmt::format("{} for '{}' is not an integer", quoted(entry.value), key.name),
                   "write digits alone, such as 1000");
        break;
    case Form::real:
        if (!readReal(entry.value, real))
            refuse(faults, entry.line, fmt::format("{} for '{}' is not a number", quoted(entry.value), key.name),
                   "write one finite number");
        break;
    case Form::reals:
        for (std::string_view part : splitViews(entry.value))
            if (!readReal(part, real))
                refuse(faults, entry.line, fmt::format("{} in '{}' is not a number", quoted(part), key.name),
                       "write finite numbers separated by blanks");
        break;
    case Form::word: {
        std::vector<std::string_view> const known = splitViews(key.words);
        std::string const written = canonical(entry.value);
        if (std::none_of(known.begin(), known.end(), [&](std::string_view word) { return canonical(word) == written; }))
            refuse(faults, entry.line, fmt::format("{} is no value of '{}'", quoted(entry.value), key.name),
                   fmt::format("write one of: {}; the nearest is {}", fmt::join(known, ", "), nearest(entry.value, known)));
        break;
    }
    case Form::text: break;
    }
}

MdpEntry const* MdpText::find(std::string_view key) const
{
    auto const at = entries_.find(std::string(key));
    return at == entries_.end() ? nullptr : &at->second;
}

base::Place MdpText::placeOf(std::string_view key) const
{
    MdpEntry const* entry = find(key);
    return {file_, entry ? entry->line : 0};
}

std::int64_t MdpText::integer(std::string_view key, std::int64_t fallback) const
{
    MdpEntry const* entry = find(key);
    std::int64_t value = 0;
    return entry && readInteger(entry->value, value) ? value : fallback;
}

double MdpText::real(std::string_view key, double fallback) const
{
    MdpEntry const* entry = find(key);
    double value = 0;
    return entry && readReal(entry->value, value) ? value : fallback;
}

std::string MdpText::word(std::string_view key, std::string_view fallback) const
{
    MdpEntry const* entry = find(key);
    if (!entry) return canonical(fallback);
    std::string written = canonical(entry->value);
    for (std::string_view known : splitViews(entry->key->words))
        if (canonical(known) == written) return written;
    return canonical(fallback);
}

bool MdpText::yes(std::string_view key, bool fallback) const { return word(key, fallback ? "yes" : "no") == "yes"; }

std::vector<std::string> MdpText::list(std::string_view key) const
{
    MdpEntry const* entry = find(key);
    return entry ? splitBlanks(entry->value) : std::vector<std::string>{};
}

std::vector<double> MdpText::reals(std::string_view key) const
{
    std::vector<double> values;
    for (std::string const& part : list(key)) {
        double value = 0;
        if (readReal(part, value)) values.push_back(value);
    }
    return values;
}

} // namespace alder::deck
