// .gro files: columns, boxes, velocities, and what must be refused.
#include "deck/gro_reader.hpp"
#include "deck/written_topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::deck {
namespace {

using ::testing::HasSubstr;

std::string const atoms = "    1MOL     C1    1   1.000   2.000   3.000\n    2SOL     OW    2  -1.150  12.000   0.500\n";

Configuration readGood(std::string const& text)
{
    base::FaultList faults;
    Configuration c = readGroText("a.gro", text, faults);
    EXPECT_TRUE(faults.empty()) << (faults.faults().empty() ? "" : faults.faults()[0].text());
    return c;
}

void expectRefused(std::string const& text, std::int64_t line, std::string const& says)
{
    base::FaultList faults;
    readGroText("a.gro", text, faults);
    ASSERT_FALSE(faults.empty()) << text;
    EXPECT_EQ(faults.faults()[0].place.line, line) << faults.faults()[0].text();
    EXPECT_THAT(faults.faults()[0].text(), HasSubstr(says));
}

TEST(Gro, ReadsColumnsNamesAndBox)
{
    Configuration const c = readGood("a title\n2\n" + atoms + "   5.0 6.0 7.0\n");
    EXPECT_EQ(c.title, "a title");
    ASSERT_EQ(c.size(), 2U);
    EXPECT_EQ(c.atomNames[1].view(), "OW");
    EXPECT_EQ(c.residueNames[1].view(), "SOL");
    EXPECT_EQ(c.residueNumbers[1], 2);
    EXPECT_EQ(c.positions[1], (math::Vec3d{-1.15, 12, 0.5}));
    EXPECT_TRUE(c.velocities.empty());
    EXPECT_EQ(c.box.c(), (math::Vec3d{0, 0, 7}));
    EXPECT_EQ(c.boxLine, 5);
}

TEST(Gro, LineEndsAndALastLineWithoutOne)
{
    Configuration const c = readGood("t\r\n1\r\n    1MOL     C1    1   1.000   2.000   3.000\r\n5 5 5");
    EXPECT_EQ(c.positions[0], (math::Vec3d{1, 2, 3}));
    EXPECT_EQ(c.title, "t");
}

TEST(Gro, AnyPrecision)
{
    EXPECT_EQ(readGood("t\n1\n    1MOL     C1    1   1.00   2.00   3.25\n5 5 5\n").positions[0].z, 3.25);
    EXPECT_EQ(readGood("t\n1\n    1MOL     C1    1   1.000001   2.000002  -3.123456\n5 5 5\n").positions[0].z, -3.123456);
}

TEST(Gro, GluedColumns)
{
    Configuration const c = readGood("t\n1\n    1MOL     C1    1-100.123-200.456-300.789-10.3772 -0.2281  2.8391\n500 500 500\n");
    EXPECT_EQ(c.positions[0], (math::Vec3d{-100.123, -200.456, -300.789}));
    EXPECT_EQ(c.velocities[0], (math::Vec3d{-10.3772, -0.2281, 2.8391}));
}

TEST(Gro, NumbersWrapAfter99999)
{
    Configuration const c =
        readGood("t\n2\n99999SOL     OW99999   1.000   2.000   3.000\n    0SOL     OW    0   1.000   2.000   3.000\n5 5 5\n");
    EXPECT_EQ(c.residueNumbers[0], 99999);
    EXPECT_EQ(c.residueNumbers[1], 0);
    expectRefused("t\n1\n    1MOL     O3100000   1.150   1.150   1.000\n5 5 5\n", 3, "columns 8 wide");
}

TEST(Gro, VelocitiesOfSomeAtomsOnly)
{
    base::FaultList faults;
    Configuration const c = readGroText(
        "a.gro",
        "t\n2\n    1MOL     C1    1   1.000   2.000   3.000  0.1000 -0.2000  0.3000\n    1MOL     C1    2   1.000   2.000   3.000\n5 5 5\n",
        faults);
    EXPECT_TRUE(faults.empty());
    ASSERT_EQ(faults.warnings().size(), 1U);
    EXPECT_EQ(faults.warnings()[0].place.line, 4);
    EXPECT_EQ(c.velocities[0].y, -0.2);
    EXPECT_EQ(c.velocities[1], math::Vec3d{});
}

TEST(Gro, NineBoxValuesAndSkew)
{
    Configuration const c = readGood("t\n2\n" + atoms + "5 5 5 0 0 1.5 0 2 -2.5\n");
    EXPECT_EQ(c.box.b(), (math::Vec3d{1.5, 5, 0}));
    EXPECT_EQ(c.box.c(), (math::Vec3d{2, -2.5, 5}));
    // b.x = 3 and c = (3,3,5) lean by more than half: c - b = (0,-2,5), b - a = (-2,5,0) span the same lattice.
    base::FaultList faults;
    Configuration const leaning = readGroText("a.gro", "t\n2\n" + atoms + "5 5 5 0 0 3 0 3 3\n", faults);
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(faults.warnings().size(), 1U);
    EXPECT_EQ(leaning.box.b(), (math::Vec3d{-2, 5, 0}));
    EXPECT_EQ(leaning.box.c(), (math::Vec3d{0, -2, 5}));
}

TEST(Gro, RefusesBadBoxes)
{
    std::string const head = "t\n2\n" + atoms;
    expectRefused(head, 4, "ends before the box");
    expectRefused(head + "\n", 5, "holds 0 numbers");
    expectRefused(head + "5 5\n", 5, "holds 2 numbers");
    expectRefused(head + "5 5 5 0 0\n", 5, "holds 5 numbers");
    expectRefused(head + "0 0 0\n", 5, "not above 0");
    expectRefused(head + "5 -5 5\n", 5, "not above 0");
    expectRefused(head + "5 5 5 1 0 0 0 0 0\n", 5, "not along x");
    expectRefused(head + "nan 5 5\n", 5, "holds 0 numbers");
    expectRefused(head + "1e9 5 5\n", 5, "beyond");
    expectRefused(head + "1e-9 5 5\n", 5, "beyond");
}

TEST(Gro, RefusesBadAtomsAndCounts)
{
    expectRefused("", 0, "is empty");
    expectRefused("t\n", 1, "ends before the number");
    expectRefused("t\nx\n", 2, "no number of atoms");
    expectRefused("t\n-3\n", 2, "no number of atoms");
    expectRefused("t\n0\n5 5 5\n", 2, "no number of atoms");
    expectRefused("t\n3\n" + atoms + "5 5 5\n", 5, "columns");
    expectRefused("t\n1\n" + atoms + "5 5 5\n", 4, "holds 0 numbers");
    expectRefused("t\n900000000000\n" + atoms, 4, "ends after 2 of");
    expectRefused("t\n1\n    1MOL     C1    1     nan   1.000   1.000\n5 5 5\n", 3, "decimal points");
    expectRefused("t\n2\n" + atoms.substr(0, 45) + "    1MOL     C1    1   1.000     nan   1.000\n5 5 5\n", 4, "three numbers");
    expectRefused("t\n1\n    1MOL     C1    1   1.000  2.0000   3.000\n5 5 5\n", 3, "equally far apart");
    expectRefused("t\n1\n    1MOL     C1    1   1.000   2.000   3.000  0.1000 x.2000  0.3000\n5 5 5\n", 3, "velocities");
    expectRefused("t\n1\n    1MOL     C1    11.000e72.000e73.000e7\n5 5 5\n", 3, "");
}

TEST(Gro, OneFileOneConfiguration)
{
    base::FaultList faults;
    readGroText("a.gro", "t\n2\n" + atoms + "5 5 5\nt= 1\n2\n" + atoms + "5 5 5\n", faults);
    EXPECT_TRUE(faults.empty());
    ASSERT_EQ(faults.warnings().size(), 1U);
    EXPECT_EQ(faults.warnings()[0].place.line, 6);
}

TEST(Gro, FramesOfAFileOneAfterTheOther)
{
    test::Folder const folder;
    std::string const one = "water t= 1.5 step= 30\n2\n" + atoms + "5 5 5\n", two = "t= 2\n2\n" + atoms + "6 6 6\n\n";
    base::FaultList faults;
    GroFrames frames(folder.write("a.gro", one + two), faults);
    ASSERT_TRUE(frames.more());
    Configuration const first = frames.next(faults);
    EXPECT_TRUE(first.whole);
    EXPECT_EQ(titleValue(first.title, "t"), 1.5);
    EXPECT_EQ(titleValue(first.title, "step"), 30);
    ASSERT_TRUE(frames.more());
    Configuration const second = frames.next(faults);
    EXPECT_EQ(second.box.a().x, 6);
    EXPECT_EQ(titleValue(second.title, "t"), 2);
    EXPECT_EQ(titleValue(second.title, "step"), std::nullopt);
    EXPECT_FALSE(frames.more());
    EXPECT_TRUE(faults.empty() && faults.warnings().empty());

    GroFrames cut(folder.write("b.gro", one + "t\n2\n" + atoms), faults);
    EXPECT_TRUE(cut.next(faults).whole);
    EXPECT_FALSE(cut.next(faults).whole);
    ASSERT_EQ(faults.faults().size(), 1U);
    EXPECT_THAT(faults.faults()[0].text(), HasSubstr("b.gro:9: ends before the box"));
}

TEST(Gro, ValuesOfTitles)
{
    EXPECT_EQ(titleValue("last= 7 t= 1 run t= -2.5e1", "t"), -25);
    EXPECT_EQ(titleValue("post= 3", "t"), std::nullopt);
    EXPECT_EQ(titleValue("t= x", "t"), std::nullopt);
    EXPECT_EQ(titleValue("t= 4 t= x", "t"), 4);
    EXPECT_EQ(titleValue("t=5", "t"), 5);
    EXPECT_EQ(titleValue("", "t"), std::nullopt);
}

TEST(Gro, ShowsTenFaultsOfAFile)
{
    std::string text = "t\n100\n" + atoms;
    for (int i = 0; i < 98; ++i) text += "bad line\n";
    base::FaultList faults;
    readGroText("a.gro", text + "5 5 5\n", faults);
    EXPECT_EQ(faults.faults().size(), 10U);
}

TEST(Gro, FileThatIsNotThere)
{
    base::FaultList faults;
    readGro("/nonexistent/a.gro", faults);
    ASSERT_EQ(faults.faults().size(), 1U);
    EXPECT_THAT(faults.faults()[0].text(), HasSubstr("/nonexistent/a.gro: cannot be read"));
}

} // namespace
} // namespace alder::deck
