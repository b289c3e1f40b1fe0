#include "report/charts.hpp"
#include "report/comparison_page.hpp"
#include "report/export.hpp"
#include "report/results.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace {

using namespace alder;
using namespace alder::report;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string const usd = "[[price]]\nname = \"a\"\ngpu = \"A100\"\nkind = \"on demand\"\ncurrency = \"USD\"\nper_hour = 3\n"
                        "date = 2026-12-01\nsource = \"a test\"\nverified = true\n";

class Pages : public test::Results {
protected:
    /// The fixtures of A100 and CPU, and the A100's again as if it had been measured twice as fast.
    Comparison all()
    {
        test::Json real = test::load("fixture_a100.json");
        real["fixture"] = false;
        for (test::Json& timing : real["results"]) {
            std::vector<double> rates = timing["ns_per_day"]["values"];
            for (double& rate : rates) rate *= 2;
            test::setRates(timing, rates);
        }
        return compared({real, test::load("fixture_a100.json"), test::load("fixture_cpu.json")}, usd);
    }
    static page::LineChart const& titled(std::vector<page::LineChart> const& charts, std::string const& title)
    {
        return *std::find_if(charts.begin(), charts.end(), [&](page::LineChart const& chart) { return chart.title == title; });
    }
    static page::Series const& named(page::LineChart const& chart, std::string const& name, std::string const& mark)
    {
        return *std::find_if(chart.series.begin(), chart.series.end(),
                             [&](page::Series const& series) { return series.name == name && series.mark == mark; });
    }
};

TEST_F(Pages, MeasuredAndMadeUpAreTwoSeries)
{
    std::vector<page::LineChart> const charts = chartsBySize(all());
    ASSERT_EQ(charts.size(), 4U);
    page::LineChart const& speed = titled(charts, "ns/day by system size");
    page::Series const& measured = named(speed, "NVIDIA A100-SXM4-80GB", "");
    page::Series const& fixture = named(speed, "NVIDIA A100-SXM4-80GB", "fixture: not measured");
    EXPECT_THAT(measured.x, ElementsAre(2926, 3000, 24000, 96000, 1000000));
    EXPECT_EQ(measured.x, fixture.x);
    for (std::size_t i = 0; i < fixture.y.size(); ++i) {
        EXPECT_NEAR(measured.y[i], 2 * fixture.y[i], 1e-9);
        EXPECT_LT(fixture.low[i], fixture.y[i]);
        EXPECT_GT(fixture.high[i], fixture.y[i]);
    }
    EXPECT_NEAR(fixture.y[1], 1200, 0.1); // not the 2600 of four runs at the same time
    EXPECT_NEAR(named(speed, "NVIDIA A100-SXM4-80GB, 4 GPUs", "").y[0], 660, 0.1);
    EXPECT_NEAR(named(titled(charts, "Atoms x steps a second"), "NVIDIA A100-SXM4-80GB", "").y[1], 2400 * 3000 * 1e6 / 2 / 86400, 1e4);
    EXPECT_NEAR(named(titled(charts, "ns for 1 USD"), "NVIDIA A100-SXM4-80GB, a", "").y[1], 5200 / 24.0 / 3, 0.01); // of four runs
    EXPECT_NEAR(named(titled(charts, "ns for 1 kWh"), "NVIDIA A100-SXM4-80GB", "").y[1], 5200 / (24 * 0.26), 0.1);
    for (page::LineChart const& chart : charts)
        for (page::Series const& series : chart.series)
            EXPECT_TRUE(series.name.find("EPYC") == std::string::npos || series.mark == "fixture: not measured") << chart.title;
}

TEST_F(Pages, BarsAreTheFastestFirst)
{
    std::vector<page::BarChart> const charts = chartsOfMachines(all());
    ASSERT_EQ(charts.size(), 5U);
    page::BarChart const& chart = charts[3]; // by atoms
    EXPECT_EQ(chart.title, "water96k, 96000 atoms, 2 fs, 0.9/0.9 nm");
    EXPECT_THAT(chart.groups,
                ElementsAre("NVIDIA A100-SXM4-80GB, 4 GPUs", "NVIDIA A100-SXM4-80GB, 2 GPUs",
                            "NVIDIA A100-SXM4-80GB, 4 GPUs (fixture: not measured)", "NVIDIA A100-SXM4-80GB",
                            "NVIDIA A100-SXM4-80GB, 2 GPUs (fixture: not measured)", "NVIDIA A100-SXM4-80GB (fixture: not measured)",
                            "AMD EPYC 9654 96-Core Processor (fixture: not measured)"));
    for (std::size_t i = 0; i < chart.groups.size(); ++i)
        EXPECT_EQ(chart.series[0].bars[i].mark.empty(), chart.groups[i].find("fixture") == std::string::npos);
    EXPECT_NEAR(chart.series[0].bars[6].value, 6.55, 0.01); // 4 ranks x 4 threads
}

TEST_F(Pages, ScalingHasItsIdeal)
{
    std::vector<page::LineChart> const charts = chartsOfScaling(all());
    ASSERT_EQ(charts.size(), 3U); // water96k on GPUs, and both on processors
    page::LineChart const& gpus = charts[0];
    EXPECT_THAT(named(gpus, "NVIDIA A100-SXM4-80GB", "").x, ElementsAre(1, 2, 4));
    page::Series const& ideal = named(gpus, "NVIDIA A100-SXM4-80GB: ideal", "");
    EXPECT_NEAR(ideal.y[2], 4 * 260, 0.1);
    page::Series const& cpu = named(charts[2], "AMD EPYC 9654 96-Core Processor", "fixture: not measured");
    EXPECT_THAT(cpu.x, ElementsAre(1, 2, 4, 8, 16));
    EXPECT_NEAR(cpu.y[4], 6.55, 0.01); // 4 ranks x 4 threads, which beat 16 threads
}

TEST_F(Pages, NamesAreNoMarkup)
{
    test::Json odd = measured();
    odd["results"][0]["deck"] = "</script><script>alert(1)</script>";
    odd["hardware"]["host"] = "<img src=x>";
    std::string const html = pageOf(compared({odd}, usd), {});
    EXPECT_THAT(html, Not(HasSubstr("<script>")));
    EXPECT_THAT(html, Not(HasSubstr("<img")));
    EXPECT_THAT(html, HasSubstr("&lt;img src=x&gt;"));
}

TEST_F(Pages, DataHoldTheRecordsOfTheTable)
{
    Comparison const comparison = all();
    test::Json const data = test::Json::parse(jsonText(comparison, {}, {chartsBySize(comparison)[0]}));
    std::map<std::size_t, int> recordsOfRow;
    for (test::Json const& record : data["records"]) {
        auto const row = record["row"].get<std::size_t>();
        ++recordsOfRow[row];
        EXPECT_EQ(record["ns_per_day"], comparison.rows[row].nsPerDay()->median);
        EXPECT_EQ(record["status"], nameOf(comparison.rows[row].standing));
        EXPECT_EQ(record["price"], comparison.rows[row].costs.empty() ? "no price" : "a");
    }
    EXPECT_EQ(recordsOfRow.size(), comparison.rows.size());
    ASSERT_EQ(data["charts"].size(), 1U);
    EXPECT_EQ(data["charts"][0]["title"], "ns/day by system size");
    EXPECT_EQ(data["best"].size(), 5U);
    for (test::Json const& best : data["best"]) EXPECT_TRUE(comparison.rows[best["fastest_run"].get<std::size_t>()].counts());
}

} // namespace
