#include "output/scratch_folder.hpp"
#include "run_report/record_series.hpp"
#include "run_report/run_page.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace alder::run_report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

output::EnergyRecords recordsOf(std::size_t count)
{
    output::EnergyRecords records;
    records.madeBy = "alder 0.1.0";
    records.atoms = 100;
    records.frames = 3;
    for (char const* name : {"Angle", "Box-X", "Box-Y", "Box-Z", "Conserved En.", "Density", "LJ (SR)", "Position Rest.", "Potential",
                             "T-A", "T-B", "Temperature", "strange"})
        records.columns.push_back({name, "kJ mol-1", {}});
    for (std::size_t i = 0; i < count; ++i) {
        records.steps.push_back(1000 + 10 * static_cast<std::int64_t>(i));
        records.times.push_back(50 + 0.02 * static_cast<double>(i));
        for (auto& column : records.columns) column.values.push_back(3 + 0.5 * static_cast<double>(i));
    }
    return records;
}

TEST(RecordSeries, HaveEveryColumnOnceInSections)
{
    output::EnergyRecords const records = recordsOf(2);
    std::vector<std::string> titles, columns;
    for (Section const& section : sectionsOf(records)) {
        titles.push_back(section.title);
        for (ColumnGroup const& group : section.groups)
            for (auto const* column : group.columns) columns.push_back(column->name);
    }
    EXPECT_THAT(titles, ElementsAre("Energies", "Temperature and pressure", "Box and density", "Nonbonded terms", "Bonded terms",
                                    "Restraints and other terms"));
    EXPECT_THAT(columns, ElementsAre("Potential", "Conserved En.", "Temperature", "T-A", "T-B", "Density", "Box-X", "Box-Y", "Box-Z",
                                     "LJ (SR)", "Angle", "Position Rest.", "strange"));
}

TEST(RecordSeries, RunningMeanIsThatOfEachWindow)
{
    double const nan = std::nan("");
    std::vector<double> values{1e9 + 1, 1e9 + 2, 1e9 + 6, 1e9 + 1, nan, 1e9, 1e9 + 3, 1e9 + 3};
    std::vector<double> const means = runningMean(values, 3);
    ASSERT_EQ(means.size(), values.size());
    EXPECT_TRUE(std::isnan(means[0]));
    EXPECT_DOUBLE_EQ(means[1], 1e9 + 3);
    EXPECT_DOUBLE_EQ(means[2], 1e9 + 3);
    for (std::size_t hole : {3U, 4U, 5U, 7U}) EXPECT_TRUE(std::isnan(means[hole])) << hole;
    EXPECT_DOUBLE_EQ(means[6], 1e9 + 2);
    EXPECT_TRUE(std::isnan(runningMean({1, 2}, 3)[0]));
    EXPECT_EQ(smoothingWidth(49), 0U);
    EXPECT_EQ(smoothingWidth(50), 3U);
    EXPECT_EQ(smoothingWidth(1000), 41U);
}

TEST(RecordSeries, DriftIsByAtom)
{
    auto const drift = driftByAtom(recordsOf(20));
    ASSERT_TRUE(drift);
    EXPECT_NEAR(drift->slope, 0.5 / 0.02 * 1000 / 100, 1e-9); // 0.5 kJ/mol each 0.02 ps
    EXPECT_NEAR(drift->start, 0, 1e-9);
    EXPECT_FALSE(driftByAtom(recordsOf(9)));
    output::EnergyRecords none = recordsOf(20);
    std::erase_if(none.columns, [](auto const& column) { return column.name == "Conserved En."; });
    EXPECT_FALSE(driftByAtom(none));
}

RunStory storyOf(std::size_t count)
{
    RunStory story;
    story.file = "md.h5md";
    story.records = recordsOf(count);
    return story;
}

TEST(RunPage, IsMadeOfAnyNumberOfRecords)
{
    for (std::size_t count : {0U, 1U, 2U, 9U, 10U, 60U}) {
        std::string const html = pageOf(storyOf(count));
        EXPECT_THAT(html, HasSubstr("Run md.h5md")) << count;
        EXPECT_THAT(html, Not(HasSubstr("nan"))) << count;
    }
}

TEST(RunPage, DataHoldsTheRecords)
{
    auto const data = nlohmann::json::parse(dataOf(storyOf(20)));
    EXPECT_EQ(data["records"]["count"], 20);
    EXPECT_EQ(data["records"]["every"], 1);
    EXPECT_EQ(data["records"]["columns"]["Density"]["values"][19], 3 + 0.5 * 19);
    EXPECT_EQ(data["records"]["step"][1], 1010);
    EXPECT_DOUBLE_EQ(data["averages"]["Potential"]["mean"].get<double>(), 3 + 0.5 * 9.5);
    EXPECT_TRUE(data["ended"].is_null());
    auto const long_ = nlohmann::json::parse(dataOf(storyOf(200000)));
    EXPECT_EQ(long_["records"]["count"], 200000);
    std::size_t const every = long_["records"]["every"].get<std::size_t>();
    EXPECT_GT(every, 1U);
    EXPECT_EQ(long_["records"]["time_ps"].size(), (200000 + every - 1) / every);
    EXPECT_EQ(long_["records"]["time_ps"][1], 50 + 0.02 * static_cast<double>(every));
}

TEST(RunPage, EscapesWhatUsersWrote)
{
    RunStory story = storyOf(20);
    story.file = "<b>.h5md";
    story.parameters = story.parametersFile = "<b>";
    RunFacts facts;
    facts.title = facts.ended = facts.commandLine = facts.inputHash = "<b>";
    facts.hardware = facts.build = facts.files = facts.plan = {{"<b>", "<b>"}};
    facts.table = {{"<b>", 1, 1, 0.25}};
    story.facts = facts;
    story.remarks = {"<b>"};
    story.records.columns[0].name = story.records.columns[0].unit = "<b>";
    EXPECT_THAT(pageOf(story), Not(HasSubstr("<b>")));
    EXPECT_THAT(pageOf(story), HasSubstr("GPU s"));
}

class RunFactsFile : public test::ScratchFolder {};

TEST_F(RunFactsFile, IsReadInBothSchemas)
{
    write(at("old.json"), R"({"schema": "alder-run-1", "title": "t", "ended": "done", "plan": {"atoms": "12"}})");
    EXPECT_EQ(readRunFacts(at("old.json")).atoms, 12);
    write(at("new.json"), R"({"schema": "alder-bench-2", "made_by": "mdrun", "ended": "done", "final_state": {"step": 70},
        "hardware": {"host": "h", "GPU": {"name": "g", "power_limit_W": null}, "processors": 2},
        "performance": {"ns_per_day": null, "reason": "why", "table": [{"part": "p", "calls": 3, "wall_s": 0.5}],
                        "rates": [{"step": 10, "ns_per_day": 5.5}, {"step": 20, "ns_per_day": null}, 7]},
        "averages": {"Potential": {"mean": -3, "rms_fluctuation": 1, "unit": "kJ mol-1"}, "Pressure": {"mean": null}}})");
    RunFacts const facts = readRunFacts(at("new.json"));
    EXPECT_EQ(facts.lastStep, 70);
    EXPECT_THAT(facts.hardware, ElementsAre(std::pair("host", "h"), std::pair("GPU name", "g"), std::pair("processors", "2")));
    ASSERT_EQ(facts.rates.size(), 1U);
    EXPECT_EQ(facts.rates[0].nsPerDay, 5.5);
    EXPECT_FALSE(facts.nsPerDay);
    EXPECT_EQ(facts.noRate, "why");
    ASSERT_EQ(facts.table.size(), 1U);
    ASSERT_EQ(facts.averages.size(), 1U);
}

TEST_F(RunFactsFile, OfAnotherSortIsRefused)
{
    write(at("cut.json"), R"({"schema": "alder-run-1", )");
    write(at("bench.json"), R"({"schema": "alder-bench-2", "made_by": "bench"})");
    write(at("list.json"), "[1, 2]");
    for (char const* name : {"cut.json", "bench.json", "list.json", "none.json"}) EXPECT_ANY_THROW(readRunFacts(at(name))) << name;
}

} // namespace
} // namespace alder::run_report
