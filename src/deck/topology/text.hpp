#pragma once
// The words of one line of a topology, and numbers in them. Strict: a word is a number as a whole or not at all, so that a macro that
// nobody defined is never taken for "no parameter".

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alder::deck {

inline bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline std::string_view trim(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

/// A word of the input as a message may show it: in quotes, short, without control characters.
std::string shown(std::string_view word);

/// Splits at blanks into `words`, which is cleared first.
void splitWords(std::string_view text, std::vector<std::string_view>& words);

/// The whole word as an integer, with or without sign.
inline bool toInteger(std::string_view word, std::int64_t& value)
{
    if (word.size() > 1 && word.front() == '+') word.remove_prefix(1);
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
}

/// The whole word as a finite number. Values too small for a double are zero.
bool toReal(std::string_view word, double& value);

} // namespace alder::deck
