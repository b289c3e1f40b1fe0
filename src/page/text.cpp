#include "page/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace alder::page {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool continues(std::string_view text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// Bytes of the character at `at`; 0 where none begins there: a stray byte, one cut short, one written longer than it need be, half of a
/// surrogate pair or beyond the last plane.
std::size_t lengthOfCharacter(std::string_view text, std::size_t at)
{
    auto const byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    std::uint32_t const lead = byte(at);
    if (lead < 0x80U) return 1;
    std::size_t const length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
    if (lead < 0xC2U || lead > 0xF4U) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (!continues(text, at + i)) return 0;
    std::uint32_t const second = byte(at + 1);
    if ((lead == 0xE0U && second < 0xA0U) || (lead == 0xEDU && second > 0x9FU)) return 0;
    if ((lead == 0xF0U && second < 0x90U) || (lead == 0xF4U && second > 0x8FU)) return 0;
    return length;
}

std::string_view entityOf(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
    }
}

} // namespace

std::string escaped(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (std::size_t i = 0; i < text.size();) {
        std::size_t const length = lengthOfCharacter(text, i);
        if (length == 0) out += replacement;
        if (length > 1) out += text.substr(i, length);
        if (length == 1) {
            std::string_view const entity = entityOf(text[i]);
            bool const control = (static_cast<unsigned char>(text[i]) < 0x20U && text[i] != '\t' && text[i] != '\n') || text[i] == 0x7F;
            if (!entity.empty())
                out += entity;
            else if (!control)
                out += text[i];
        }
        i += std::max<std::size_t>(length, 1);
    }
    return out;
}

std::string escapedJson(std::string_view json)
{
    std::string out;
    out.reserve(json.size());
    for (char c : json) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

std::string numberText(double value, int digits)
{
    if (!std::isfinite(value)) return "-";
    if (value == 0) return "0";
    int const exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (exponent < -4 || exponent >= 9) return fmt::format("{:.{}g}", value, digits);
    int const decimals = std::max(0, digits - 1 - exponent);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string shortened(std::string_view text, std::size_t characters)
{
    std::size_t end = 0, kept = 0, cut = 0;
    while (end < text.size() && kept < characters) {
        if (kept + 1 == characters) cut = end;
        end += std::max<std::size_t>(lengthOfCharacter(text, end), 1);
        ++kept;
    }
    return end == text.size() ? std::string(text) : std::string(text.substr(0, cut)) + "\xE2\x80\xA6";
}

} // namespace alder::page
