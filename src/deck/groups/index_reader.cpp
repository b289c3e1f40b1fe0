#include "deck/groups/index_reader.hpp"

#include "deck/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_set>

namespace alder::deck {

namespace {

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view nextWord(std::string_view& rest)
{
    while (!rest.empty() && isBlank(rest.front())) rest.remove_prefix(1);
    std::size_t n = 0;
    while (n < rest.size() && !isBlank(rest[n])) ++n;
    std::string_view const word = rest.substr(0, n);
    rest.remove_prefix(n);
    return word;
}

std::string shown(std::string_view text)
{
    std::string printable;
    for (char c : text.substr(0, 40)) printable += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return printable;
}

std::string lower(std::string_view text)
{
    std::string all;
    for (char c : text) all += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return all;
}

bool equalWithoutCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

/// Faults shown of one file.
constexpr int mostFaults = 10;

} // namespace

IndexGroup const* IndexGroups::find(std::string_view name) const
{
    for (IndexGroup const& group : groups)
        if (equalWithoutCase(group.name, name)) return &group;
    return nullptr;
}

IndexGroups readIndexText(std::string const& file, std::string_view text, std::int64_t atomCount, base::FaultList& faults)
{
    IndexGroups index;
    index.file = file;
    std::unordered_set<std::string> names;
    std::int64_t number = 0;
    int found = 0;
    auto const refuse = [&](std::string what, std::string instead) {
        if (++found <= mostFaults) faults.refuse({file, number}, std::move(what), std::move(instead));
    };
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        line = line.substr(0, line.find(';'));
        ++number;
        std::string_view rest = line;
        std::string_view word = nextWord(rest);
        if (word.empty()) continue;
        if (word.front() == '[') {
            std::size_t const open = line.find('['), close = line.find(']');
            std::string_view inner = close == std::string_view::npos ? std::string_view{} : line.substr(open + 1, close - open - 1);
            std::string_view const name = nextWord(inner);
            if (name.empty() || !nextWord(inner).empty())
                refuse("this header holds no single group name", "write [ name ]");
            else if (!names.insert(lower(name)).second)
                faults.warn({file, number}, fmt::format("there is a group '{}' already", shown(name)), "the first one is used");
            index.groups.push_back({std::string(name), {}, number});
            continue;
        }
        for (; !word.empty(); word = nextWord(rest)) {
            std::int64_t atom = 0;
            auto const [stop, error] = std::from_chars(word.data(), word.data() + word.size(), atom);
            if (index.groups.empty()) {
                refuse(fmt::format("'{}' stands before the first group", shown(word)), "begin with a header: [ name ]");
                break;
            }
            if (error != std::errc() || stop != word.data() + word.size()) {
                refuse(fmt::format("'{}' is no atom number", shown(word)), "write atom numbers separated by blanks");
            } else if (atom < 1 || atom > atomCount) {
                refuse(fmt::format("group '{}' names atom {} of {}", shown(index.groups.back().name), atom, atomCount),
                       fmt::format("write atom numbers from 1 to {}", atomCount));
            } else {
                index.groups.back().atoms.push_back(atom - 1);
            }
        }
    }
    if (index.groups.empty()) {
        number = 0;
        refuse("holds no group", "begin with a header: [ name ]");
    }
    return index;
}

IndexGroups readIndex(std::string const& file, std::int64_t atomCount, base::FaultList& faults)
{
    std::string bytes;
    if (!readWholeFile(file, bytes, faults)) return {};
    return readIndexText(file, bytes, atomCount, faults);
}

} // namespace alder::deck
