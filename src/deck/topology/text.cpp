#include "deck/topology/text.hpp"

#include <cstdlib>

namespace alder::deck {

std::string shown(std::string_view word)
{
    constexpr std::size_t longest = 60;
    std::string text = "'";
    for (char c : word.substr(0, longest)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    if (word.size() > longest) text += "...";
    return text + "'";
}

void splitWords(std::string_view text, std::vector<std::string_view>& words)
{
    words.clear();
    std::size_t at = 0;
    while (true) {
        while (at < text.size() && isBlank(text[at])) ++at;
        if (at == text.size()) return;
        std::size_t const start = at;
        while (at < text.size() && !isBlank(text[at])) ++at;
        words.push_back(text.substr(start, at - start));
    }
}

bool toReal(std::string_view word, double& value)
{
    if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range && end == word.data() + word.size()) {
        value = std::strtod(std::string(word).c_str(), nullptr);
        return std::isfinite(value);
    }
    return error == std::errc() && end == word.data() + word.size() && std::isfinite(value);
}

} // namespace alder::deck
