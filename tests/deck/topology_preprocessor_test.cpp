#include "deck/topology/preprocessor.hpp"
#include "written_topology.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>

namespace alder::deck {
namespace {

using test::Folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> linesOf(SourceText const& text)
{
    std::vector<std::string> out;
    for (auto const& line : text.lines) out.push_back(line.text);
    return out;
}

struct Preprocessed {
    SourceText text;
    base::FaultList faults;
    [[nodiscard]] std::vector<std::string> lines() const { return linesOf(text); }
    [[nodiscard]] std::string firstFault() const { return faults.empty() ? "" : faults.faults()[0].text(); }
    [[nodiscard]] std::string firstWarning() const { return faults.warnings().empty() ? "" : faults.warnings()[0].text(); }
};

Preprocessed preprocessed(std::string_view text, std::vector<std::string> const& defines = {})
{
    Preprocessed out;
    out.text = preprocess({"t.top", defines, {}}, text, out.faults);
    return out;
}

Preprocessed preprocessedFile(PreprocessRequest const& request)
{
    Preprocessed out;
    out.text = preprocess(request, out.faults);
    return out;
}

TEST(TopologyPreprocessor, aMacroDefinedAnewComesLast)
{
    // Expansion goes once through the macros in order of definition: a, now after b, can no longer reach it.
    EXPECT_THAT(preprocessed("#define a b\n#define b 1\na").lines(), ElementsAre("1"));
    EXPECT_THAT(preprocessed("#define a b\n#define b 1\n#undef a\na\n#define a b\na b").lines(), ElementsAre("a", "b 1"));
    EXPECT_THAT(preprocessed("#define a-b 2\n#undef a-b\na-b").lines(), ElementsAre("a-b"));
}

TEST(TopologyPreprocessor, manyMacrosComeAndGoInLittleTime)
{
    std::clock_t const start = std::clock(); // of this process: others on the machine do not count
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "#define m" + std::to_string(i) + " 1\n";
    for (int i = 0; i < 20000; ++i) text += "#undef m" + std::to_string(i) + "\n";
    EXPECT_THAT(preprocessed(text + "m7").lines(), ElementsAre("m7"));
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5);
}

TEST(TopologyPreprocessor, dropsCommentsAndBlanks)
{
    auto const p = preprocessed("a b ; comment\n\n  ; all comment\n* star comment\n  * and indented\r\n\tc d\t\r\nlast");
    EXPECT_THAT(p.lines(), ElementsAre("a b", "c d", "last"));
    EXPECT_EQ(p.text.lines[1].line, 6);
    EXPECT_EQ(p.text.placeOf(p.text.lines[2]).line, 7);
    EXPECT_EQ(p.text.joined(), "a b\nc d\nlast\n");
}

TEST(TopologyPreprocessor, joinsContinuedLines)
{
    auto const p = preprocessed("1 2 \\\n 3 \\  \r\n4\nnext \\");
    EXPECT_THAT(p.lines(), ElementsAre("1 2   3  4", "next"));
    EXPECT_EQ(p.text.lines[0].line, 1);
}

TEST(TopologyPreprocessor, continuesPastDirectives)
{
    EXPECT_THAT(preprocessed("1 2 \\\n#ifdef X\n 5\n#else\n 6\n#endif\n").lines(), ElementsAre("1 2   6"));
}

TEST(TopologyPreprocessor, commentBeforeBackslashSwallowsTheNextLine)
{
    EXPECT_THAT(preprocessed("1 2 ; c \\\n3 4\n5").lines(), ElementsAre("1 2", "5"));
}

TEST(TopologyPreprocessor, expandsMacrosOfSeveralFields)
{
    auto const p = preprocessed("#define gb 0.1 1000\n#define half\tgb ; note\n1 2 1 gb\n1 2 gbx xgb _gb gb_\n3 half\n");
    // half comes after gb in the order of definition, so its own gb is not expanded any more.
    EXPECT_THAT(p.lines(), ElementsAre("1 2 1 0.1 1000", "1 2 gbx xgb _gb gb_", "3 gb"));
}

TEST(TopologyPreprocessor, macrosMayUseLaterOnes)
{
    EXPECT_THAT(preprocessed("#define BOND 1 LEN 5\n#define LEN 0.2\nBOND\n").lines(), ElementsAre("1 0.2 5"));
    EXPECT_THAT(preprocessed("#define SELF SELF x\nSELF\n").lines(), ElementsAre("SELF x"));
}

TEST(TopologyPreprocessor, redefinesAndForgetsMacros)
{
    EXPECT_THAT(preprocessed("#define A 1\n#define A 2\nA\n#undef A\nA\n#undef B\n#define E\nE\n").lines(), ElementsAre("2", "A", "E"));
    EXPECT_THAT(preprocessed("#define a-b 7\na-b a\n#undef a-b\na-b").lines(), ElementsAre("7 a", "a-b"));
    EXPECT_THAT(preprocessed("#define 5 6\n5 55\n").lines(), ElementsAre("6 55"));
}

TEST(TopologyPreprocessor, takesDefinesFromOutside)
{
    EXPECT_THAT(preprocessed("#ifdef POSRES\nyes FC\n#endif\n", {"POSRES", "FC=1000 2000"}).lines(), ElementsAre("yes 1000 2000"));
}

TEST(TopologyPreprocessor, nestsConditions)
{
    char const* text = "#define A\n#ifdef A\na\n#ifndef B\nnb\n#ifdef C\nc\n#else\nnc\n#endif\n#endif\n#else\n#ifdef A\nx\n#else\ny\n"
                       "#endif\n[ unknown ]\n#strange\n#endif\nend\n";
    EXPECT_THAT(preprocessed(text).lines(), ElementsAre("a", "nb", "nc", "end"));
}

TEST(TopologyPreprocessor, warnsOfTextThatBecomesPartOfAName)
{
    auto const p = preprocessed("#define X\n#ifdef X ; comment\nin\n#endif\nout\n");
    EXPECT_THAT(p.lines(), ElementsAre("out"));
    EXPECT_THAT(p.firstWarning(), HasSubstr("t.top:2"));
    EXPECT_THAT(preprocessed("#define X 1\n#undef X ; c\nX\n").firstWarning(), HasSubstr("t.top:2"));
}

TEST(TopologyPreprocessor, warnsOfConditionsLeftOpenAndSecondElse)
{
    EXPECT_THAT(preprocessed("#ifdef X\na\n").firstWarning(), HasSubstr("t.top:1: this condition is never closed"));
    EXPECT_THAT(preprocessed("#ifdef X\n#else\n#else\n#endif\n").firstWarning(), HasSubstr("second #else"));
    EXPECT_THAT(preprocessed("#ifdef X\n#if 0\n#endif\nb\n").firstWarning(), HasSubstr("#if does not count"));
}

TEST(TopologyPreprocessor, refusesBadDirectives)
{
    for (auto const& [text, part] :
         std::vector<std::pair<std::string, std::string>>{{"#if 1\n#endif\n", "#if is not known"},
                                                          {"#elif X\n", "#elif is not known"},
                                                          {"#ifdf X\n", "did you mean #ifdef?"},
                                                          {"#INCLUDE \"x\"\n", "did you mean #include?"},
                                                          {"#\n", "unknown directive"},
                                                          {"#else\n", "#else without"},
                                                          {"#endif\n", "#endif without"},
                                                          {"#define\n", "#define without a name"},
                                                          {"#undef \n", "#undef without a name"},
                                                          {"#ifdef\n#endif\n", "#ifdef without a name"},
                                                          {"#include\n", "without a quoted file name"},
                                                          {"#include \"nowhere.itp\"\n", "'nowhere.itp' is not found"},
                                                          {"#include \"\"\n", "is not found"},
                                                          {"#include <nowhere.itp>\n", "is not found"}}) {
        auto const p = preprocessed(text);
        ASSERT_EQ(p.faults.faults().size(), 1U) << text;
        EXPECT_THAT(p.firstFault(), HasSubstr("t.top:1: ")) << text;
        EXPECT_THAT(p.firstFault(), HasSubstr(part)) << text;
    }
}

TEST(TopologyPreprocessor, refusesMacrosThatExplode)
{
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += "#define M" + std::to_string(i) + " M" + std::to_string(i + 1) + " M" + std::to_string(i + 1) + "\n";
    EXPECT_THAT(preprocessed(text + "M0\n").firstFault(), HasSubstr("longer than a megabyte"));
    std::string continued;
    for (int i = 0; i < 20; ++i) continued += std::string(100000, 'x') + "\\\n";
    EXPECT_THAT(preprocessed(continued).firstFault(), HasSubstr("more than a megabyte"));
}

TEST(TopologyPreprocessor, searchesTheFolderOfTheIncludingFileFirst)
{
    Folder const f;
    f.write("ff/forcefield.itp", "local\n#include \"bonded.itp\"\n");
    f.write("ff/bonded.itp", "beside");
    f.write("dir/bonded.itp", "in the -I folder");
    f.write("dir/only.itp", "found by -I");
    f.write("lib/lib.itp", "found in the library");
    std::string const top = f.write("t.top", "#include \"ff/forcefield.itp\"\n#include <only.itp>\n#include \"lib.itp\" ; c\n");
    char const* const old = std::getenv("GMXLIB");
    std::string const before = old ? old : "";
    ::setenv("GMXLIB", ("/nonexistent:" + f.at("lib")).c_str(), 1);
    auto const p = preprocessedFile({top, {}, {f.at("dir")}});
    auto const relative = preprocessedFile({top, {}, {"dir"}});
    if (old)
        ::setenv("GMXLIB", before.c_str(), 1);
    else
        ::unsetenv("GMXLIB");
    EXPECT_THAT(p.lines(), ElementsAre("local", "beside", "found by -I", "found in the library"));
    EXPECT_EQ(p.lines(), relative.lines());
    EXPECT_EQ(p.text.placeOf(p.text.lines[1]).file, f.at("ff/bonded.itp"));
    EXPECT_TRUE(p.faults.empty());
    EXPECT_EQ(findInclude(f.at("lib/lib.itp"), top, {}), f.at("lib/lib.itp"));
    EXPECT_EQ(findInclude("/nonexistent.itp", top, {}), "");
}

TEST(TopologyPreprocessor, refusesCirclesAndLetsFilesComeTwice)
{
    Folder const f;
    f.write("a.itp", "a\n#include \"b.itp\"\n");
    f.write("b.itp", "b\n#include \"a.itp\"\n");
    auto const p = preprocessedFile({f.write("t.top", "#include \"a.itp\"\nend\n"), {}, {}});
    EXPECT_THAT(p.firstFault(), HasSubstr("b.itp:2: 'a.itp' includes itself"));
    EXPECT_THAT(p.lines(), ElementsAre("a", "b", "end"));
    f.write("c.itp", "c\n");
    EXPECT_THAT(preprocessedFile({f.write("t2.top", "#include \"c.itp\"\n#include \"c.itp\""), {}, {}}).lines(), ElementsAre("c", "c"));
}

TEST(TopologyPreprocessor, endsWhereFilesIncludeEachOtherManyTimes)
{
    Folder const f;
    std::string const twice[2] = {"#include \"", "\"\n"};
    for (int i = 0; i < 20; ++i) {
        std::string const next = "f" + std::to_string(i + 1) + ".itp";
        f.write("f" + std::to_string(i) + ".itp", twice[0] + next + twice[1] + twice[0] + next + twice[1]);
    }
    f.write("f20.itp", "x\n");
    auto const p = preprocessedFile({f.at("f0.itp"), {}, {}});
    EXPECT_THAT(p.firstFault(), HasSubstr("included files"));
}

TEST(TopologyPreprocessor, conditionsEndWithTheirFile)
{
    Folder const f;
    f.write("half.itp", "#ifdef NO\nhidden\n");
    auto const p = preprocessedFile({f.write("t.top", "#include \"half.itp\"\nshown\n#endif\n"), {}, {}});
    EXPECT_THAT(p.lines(), ElementsAre("shown"));
    EXPECT_THAT(p.firstFault(), HasSubstr("t.top:3: #endif without"));
}

TEST(TopologyPreprocessor, refusesWhatCannotBeRead)
{
    Folder const f;
    auto const p = preprocessedFile({f.at("missing.top"), {}, {}});
    EXPECT_THAT(p.firstFault(), HasSubstr("missing.top: cannot be read"));
    EXPECT_THAT(p.lines(), IsEmpty());
    // A folder and a device are no include files, whatever their size.
    EXPECT_EQ(findInclude("/dev/zero", "t.top", {}), "");
    EXPECT_EQ(findInclude("/", "t.top", {}), "");
}

} // namespace
} // namespace alder::deck
