#include "bench/figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace {

using namespace alder;
using bench::Json;
using ::testing::HasSubstr;

/// A run on a GPU that was timed from `begin` (s) in two windows of 10 s, with so many steps of 2 fs in the first, and 100 more in the second.
Json report(double begin, std::int64_t steps, std::string const& gpu = "GPU-1", double power = 300)
{
    return Json::parse(
        R"({"rehearsal": false, "build": {"version": "1"}, "performance": {"timed_from_unix_s": )" + std::to_string(begin) + R"(},
        "hardware": {"host": "h", "CPU": "c", "processors": 8, "GPU": {"uuid": ")" +
        gpu + R"("}, "threads": "4"},
        "results": [{"deck": "title", "atoms": 10, "dt_ps": 0.002, "place": "gpu", "ranks": 1, "threads": 4, "replicas": 1, "gpus": 1,
            "ns_per_day": {"median": 17, "least": 16, "most": 18}, "steady": true, "windows": [{"steps": )" +
        std::to_string(steps) + R"(, "seconds": 10},
            {"steps": )" +
        std::to_string(steps + 100) + R"(, "seconds": 10}], "drift_kJ_mol_ns_atom": null, "drift_error": null, "force_error": null,
            "peak_memory": {"host_MiB": 100, "device_MiB": 40}, "power_W": )" +
        std::to_string(power) + "}]}");
}

TEST(Figures, ReplicasCountTogether)
{
    Json const result = bench::resultOf("deck", {report(50, 1000), report(51, 3000)});
    EXPECT_EQ(result["deck"], "deck");
    EXPECT_EQ(result["replicas"], 2);
    EXPECT_EQ(result["gpus"], 1);
    // 4000 steps of 2 fs in 10 s are 0.8 ps/s: 69.12 ns/day; 4200 are 72.576
    EXPECT_DOUBLE_EQ(result["ns_per_day"]["least"], 69.12);
    EXPECT_DOUBLE_EQ(result["ns_per_day"]["most"], 72.576);
    EXPECT_DOUBLE_EQ(result["ns_per_day"]["median"], 70.848);
    EXPECT_EQ(result["peak_memory"]["device_MiB"], 80.0);
    EXPECT_DOUBLE_EQ(result["power_W"], 300.0) << "one GPU, seen by two runs";
    EXPECT_DOUBLE_EQ(bench::resultOf("deck", {report(50, 1000), report(50, 3000, "GPU-2", 200)})["power_W"], 500.0);
}

TEST(Figures, ReplicasMustHaveRunTogether)
{
    EXPECT_NO_THROW(bench::resultOf("deck", {report(50, 1000), report(51, 1000)})); // 19 of 21 s
    try {
        static_cast<void>(bench::resultOf("deck", {report(50, 1000), report(55, 1000)})); // 15 of 25 s
        FAIL();
    } catch (std::invalid_argument const& apart) {
        EXPECT_THAT(apart.what(), HasSubstr("together for 60 % of the time only"));
    }
}

TEST(Figures, ARunThatWasNotTimedIsNoResult)
{
    Json empty = report(50, 1000);
    empty["results"][0]["windows"] = Json::array();
    EXPECT_THROW(bench::resultOf("deck", {empty}), std::invalid_argument);
    empty["results"] = Json::array();
    EXPECT_THROW(bench::resultOf("deck", {empty}), std::invalid_argument);
}

TEST(Figures, RoundsOfATimingAreOne)
{
    Json first = bench::resultOf("deck", {report(50, 1000, "GPU-1", 300)}),
         second = bench::resultOf("deck", {report(90, 2000, "GPU-1", 400)});
    first["peak_memory"]["host_MiB"] = 120;
    second["steady"] = false;
    first["drift_kJ_mol_ns_atom"] = 1.0;
    first["drift_error"] = 1.0;
    second["drift_kJ_mol_ns_atom"] = 4.0;
    second["drift_error"] = 0.5;
    Json const both = bench::togetherOf({first, second});
    EXPECT_EQ(both["windows"].size(), 4U);
    // 1000, 1100, 2000 and 2100 steps of 2 fs in 10 s each: 1000 are 17.28 ns/day
    EXPECT_EQ(both["ns_per_day"]["values"].size(), 4U);
    EXPECT_DOUBLE_EQ(both["ns_per_day"]["least"], 17.28);
    EXPECT_DOUBLE_EQ(both["ns_per_day"]["median"], 17.28 * 1.55);
    EXPECT_DOUBLE_EQ(both["ns_per_day"]["most"], 17.28 * 2.1);
    EXPECT_EQ(both["peak_memory"]["host_MiB"], 120);
    EXPECT_EQ(both["peak_memory"]["device_MiB"], 40);
    EXPECT_DOUBLE_EQ(both["power_W"], 350);
    EXPECT_EQ(both["steady"], false);
    // weights 1 and 4: (1 + 16) / 5, and an error of 1 / sqrt(5)
    EXPECT_DOUBLE_EQ(both["drift_kJ_mol_ns_atom"], 3.4);
    EXPECT_DOUBLE_EQ(both["drift_error"], 1 / std::sqrt(5.0));
    second["power_W"] = nullptr;
    EXPECT_TRUE(bench::togetherOf({first, second})["power_W"].is_null());
}

TEST(Figures, TheFileIsWholeAfterEachTiming)
{
    std::filesystem::path const path = std::filesystem::temp_directory_path() / ("alder-figures-" + std::to_string(getpid()) + ".json");
    bench::Figures figures(path);
    figures.write();
    EXPECT_FALSE(std::filesystem::exists(path)) << "nothing ran so far";
    figures.forceError("deck", "gpu", 5e-4);
    EXPECT_TRUE(figures.knowsForceError("deck", "gpu"));
    EXPECT_FALSE(figures.knowsForceError("deck", "cpu"));
    figures.put(7, bench::resultOf("later", {report(50, 1000)}), report(50, 1000));
    figures.put(3, bench::resultOf("other", {report(50, 1000)}), report(50, 1000));
    figures.put(3, bench::resultOf("deck", {report(50, 1000)}), report(50, 1000));
    figures.leftOut("other", "exit status 1: it was\nno good");
    figures.write();
    std::ifstream in(path);
    Json const json = Json::parse(in);
    std::filesystem::remove(path);
    EXPECT_EQ(json["schema"], "alder-bench-2");
    ASSERT_EQ(json["results"].size(), 2U) << "by the number of the timing, the last of each";
    EXPECT_EQ(json["results"][1]["deck"], "later");
    EXPECT_EQ(json["results"][0]["force_error"], 5e-4) << "known before, told to what comes";
    EXPECT_EQ(json["right"], true) << "the other figure is none the worse for it";
    EXPECT_THAT(json["left_out"][0].get<std::string>(), HasSubstr("no good"));
    EXPECT_EQ(json["hardware"]["GPU"]["uuid"], "GPU-1");
    EXPECT_FALSE(json["hardware"].contains("threads"));
    EXPECT_THAT(bench::tableOf(figures.results()), HasSubstr("5.0e-04"));
}

} // namespace
