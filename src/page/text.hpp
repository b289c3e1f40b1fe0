#pragma once
// Text for a page: nothing that a user wrote may become markup.

#include <string>
#include <string_view>

namespace alder::page {

/// Text as it stands in HTML, in elements and in quoted attributes alike. Bytes that are no UTF-8 become U+FFFD; control characters other
/// than tab and line feed are left out.
std::string escaped(std::string_view text);

/// JSON as it may stand in a script element: every < as \u003c, which says the same inside of a JSON string, the one place where it can be.
std::string escapedJson(std::string_view json);

/// A number for readers: `digits` significant ones, no exponent between 1e-4 and 1e9, no zeros behind; "-" for what is not finite.
std::string numberText(double value, int digits = 5);

/// At most `characters` characters, the last an ellipsis where something was cut off.
std::string shortened(std::string_view text, std::size_t characters);

} // namespace alder::page
