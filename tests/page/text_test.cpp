#include "page/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace alder::page {
namespace {

TEST(Text, OfUsersBecomesNoMarkup)
{
    EXPECT_EQ(escaped("<script>alert('a & \"b\"')</script>"), "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;");
    EXPECT_EQ(escaped("a\tb\nc"), "a\tb\nc");
    EXPECT_EQ(escaped(std::string("a\0\x1b[0mb\x7f", 8)), "a[0mb");
}

TEST(Text, ThatIsNoUtf8IsReplaced)
{
    std::string const bad = "\xEF\xBF\xBD";
    EXPECT_EQ(escaped("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB2"), "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB2");
    EXPECT_EQ(escaped("\xE9t\xE9"), bad + "t" + bad);              // Latin-1
    EXPECT_EQ(escaped("\xC0\xBC"), bad + bad);                     // < written too long
    EXPECT_EQ(escaped("\xED\xA0\x80"), bad + bad + bad);           // half of a surrogate pair
    EXPECT_EQ(escaped("\xF4\x90\x80\x80"), bad + bad + bad + bad); // beyond the last plane
    EXPECT_EQ(escaped("a\xE2\x82"), "a" + bad + bad);              // cut short
}

TEST(Text, OfJsonCannotEndItsElement) { EXPECT_EQ(escapedJson(R"({"a": "</script><!--"})"), R"({"a": "\u003c/script>\u003c!--"})"); }

TEST(Text, OfNumbersIsShort)
{
    EXPECT_EQ(numberText(0), "0");
    EXPECT_EQ(numberText(17.28), "17.28");
    EXPECT_EQ(numberText(-41234.5678), "-41235");
    EXPECT_EQ(numberText(-41234.5678, 8), "-41234.568");
    EXPECT_EQ(numberText(0.00012345678, 3), "0.000123");
    EXPECT_EQ(numberText(1.5e-7), "1.5e-07");
    EXPECT_EQ(numberText(2.5e12), "2.5e+12");
    EXPECT_EQ(numberText(100), "100");
    EXPECT_EQ(numberText(std::nan("")), "-");
    EXPECT_EQ(numberText(std::numeric_limits<double>::infinity()), "-");
}

TEST(Text, IsShortenedByCharacters)
{
    EXPECT_EQ(shortened("water", 5), "water");
    EXPECT_EQ(shortened("waters", 5), "wate\xE2\x80\xA6");
    EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 3), "\xC3\xA9\xC3\xA9\xC3\xA9");
    EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 2), "\xC3\xA9\xE2\x80\xA6");
}

} // namespace
} // namespace alder::page
