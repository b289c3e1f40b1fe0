// .ndx files.
#include "deck/groups/index_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::deck {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Index, ReadsGroupsOverLines)
{
    base::FaultList faults;
    IndexGroups const index = readIndexText("a.ndx", "; comment\n[ First ]\n1 2\r\n 3 ; more\n[Second]\n5\n[ Empty ]", 5, faults);
    EXPECT_TRUE(faults.empty());
    ASSERT_EQ(index.groups.size(), 3U);
    EXPECT_THAT(index.groups[0].atoms, ElementsAre(0, 1, 2));
    EXPECT_EQ(index.groups[0].line, 2);
    EXPECT_EQ(index.find("SECOND"), &index.groups[1]);
    EXPECT_EQ(index.find("third"), nullptr);
}

TEST(Index, TheFirstOfTwoEqualNamesIsFound)
{
    base::FaultList faults;
    IndexGroups const index = readIndexText("a.ndx", "[ A ]\n1\n[ a ]\n2\n", 5, faults);
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(faults.warnings().size(), 1U);
    EXPECT_THAT(index.find("a")->atoms, ElementsAre(0));
}

TEST(Index, RefusesWhatIsNoIndex)
{
    auto const expectRefused = [](std::string const& text, std::int64_t line, std::string const& says) {
        base::FaultList faults;
        readIndexText("a.ndx", text, 5, faults);
        ASSERT_FALSE(faults.empty()) << text;
        EXPECT_EQ(faults.faults()[0].place.line, line) << text;
        EXPECT_THAT(faults.faults()[0].text(), HasSubstr(says));
    };
    expectRefused("", 0, "holds no group");
    expectRefused("1 2 3\n[ A ]\n1", 1, "before the first group");
    expectRefused("[ A ]\n1 x\n", 2, "no atom number");
    expectRefused("[ A ]\n\n6\n", 3, "names atom 6 of 5");
    expectRefused("[ A ]\n0\n", 2, "names atom 0 of 5");
    expectRefused("[ A ]\n99999999999999999999\n", 2, "no atom number");
    expectRefused("[ A\n1\n", 1, "no single group name");
    expectRefused("[ A B ]\n1\n", 1, "no single group name");
}

} // namespace
} // namespace alder::deck
