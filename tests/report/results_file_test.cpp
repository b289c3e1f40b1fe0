#include "report/results_file.hpp"

#include "base/error.hpp"
#include "report/results.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace {

using namespace alder;
using namespace alder::report;
using ::testing::HasSubstr;
using ::testing::Not;

class ResultsFiles : public test::Results {
protected:
    /// What is said of a file that was changed.
    std::string faultsOf(std::function<void(test::Json&)> const& change)
    {
        test::Json file = test::load("fixture_a100.json");
        change(file);
        try {
            readResults({write(file)});
        } catch (base::InputRefused const& refused) {
            return refused.what();
        }
        return "nothing refused";
    }
};

TEST_F(ResultsFiles, AllMakersAreRead)
{
    std::vector<ResultsFile> const files =
        readResults({test::fixture("fixture_a100.json"), test::fixture("fixture_a100_mig.json"), test::fixture("fixture_h200.json"),
                     test::fixture("fixture_cpu.json"), test::fixture("fixture_run.json")});
    ASSERT_EQ(files.size(), 5U);
    for (ResultsFile const& file : files) {
        EXPECT_EQ(file.standing, Standing::fixture);
        EXPECT_TRUE(file.right);
        EXPECT_FALSE(file.timings.empty());
    }
    EXPECT_EQ(files[0].machineOf(files[0].timings[0]), "NVIDIA A100-SXM4-80GB");
    EXPECT_EQ(files[1].machineOf(files[1].timings[0]), "NVIDIA A100-SXM4-80GB MIG 1g.10gb");
    EXPECT_EQ(files[2].madeBy, "gpu_check");
    EXPECT_EQ(files[3].machineOf(files[3].timings[0]), "AMD EPYC 9654 96-Core Processor");
    EXPECT_EQ(files[4].madeBy, "mdrun"); // with keys of its own
    EXPECT_EQ(files[0].leftOut.size(), 1U);
    EXPECT_EQ(files[0].timings[5].setup.gpus, 2);
    EXPECT_EQ(files[0].timings[5].powerW, 500);
}

TEST_F(ResultsFiles, EveryFaultWithItsKeys)
{
    std::string const said = faultsOf([](test::Json& file) {
        file.erase("made_at");
        file["build"]["version"] = 3;
        file["hardware"]["GPU"].erase("mig_profile");
        file["results"][0]["atoms"] = 3000.5;
        file["results"][1].erase("power_W");
        file["results"][2]["windows"][1]["seconds"] = 0;
        file["results"][3]["place"] = "tpu";
        file["results"][4]["steady"] = "yes";
        file["checks"][0] = 1;
    });
    for (char const* fault : {"made_at: missing", "build.version: 3 instead of text", "hardware.GPU.mig_profile: missing",
                              "results[0].atoms: 3000.5 instead of a whole number, 1 or more", "results[1].power_W: missing",
                              "results[2].windows[1].seconds: 0 instead of a number above 0", "results[3].place: 'tpu' is not known",
                              "results[4].steady: string instead of true, false or null", "checks[0]: 1 instead of an object"})
        EXPECT_THAT(said, HasSubstr(std::string("1.json: ") + fault));
    for (char const* key : {"schema", "made_by", "fixture", "rehearsal", "right", "build", "hardware", "checks", "results", "left_out"})
        EXPECT_THAT(faultsOf([&](test::Json& file) { file.erase(key); }), HasSubstr(key));
    test::Json const whole = test::load("fixture_a100.json");
    for (auto const& [key, value] : whole["results"][0].items())
        EXPECT_THAT(faultsOf([&, k = key](test::Json& file) { file["results"][0].erase(k); }),
                    HasSubstr("results[0]." + key + ": missing"));
}

TEST_F(ResultsFiles, FiguresAgreeWithTheirWindows)
{
    EXPECT_EQ(faultsOf([](test::Json&) {}), "nothing refused");
    EXPECT_THAT(faultsOf([](test::Json& file) { file["results"][0]["windows"][1]["steps"] = 5000; }),
                HasSubstr("results[0].ns_per_day.values[1]:"));
    EXPECT_THAT(faultsOf([](test::Json& file) { file["results"][0]["ns_per_day"]["median"] = 1250; }),
                HasSubstr("results[0].ns_per_day.median: 1250 where the values give 1200"));
    EXPECT_THAT(faultsOf([](test::Json& file) { file["results"][0]["windows"].erase(0); }),
                HasSubstr("results[0].ns_per_day.values: 3 rates of 2 windows"));
    auto const shorten = [](test::Json& file) {
        for (test::Json& window : file["results"][0]["windows"]) {
            window["seconds"] = window["seconds"].get<double>() * 99 / window["steps"].get<double>();
            window["steps"] = 99;
        }
    };
    EXPECT_THAT(faultsOf(shorten), HasSubstr("results[0].ns_per_day.values: rates of windows under 100 steps"));
    for (test::Json const& none :
         {test::Json(nullptr), test::Json{{"values", nullptr}, {"median", nullptr}, {"least", nullptr}, {"most", nullptr}}})
        EXPECT_EQ(faultsOf([&](test::Json& file) {
                      shorten(file);
                      file["results"][0]["ns_per_day"] = none;
                  }),
                  "nothing refused");
    // 1000 steps of 2 fs in 10 s
    test::Json file = measured();
    file["results"][0]["windows"] = {{{"steps", 1000}, {"seconds", 10}}};
    file["results"][0]["ns_per_day"] = {{"values", {17.28}}, {"median", 17.28}, {"least", 17.28}, {"most", 17.28}};
    EXPECT_EQ(readResults({write(file)})[0].timings[0].nsPerDay, std::vector<double>{17.28});
}

TEST_F(ResultsFiles, AgreeWithThemselves)
{
    EXPECT_THAT(faultsOf([](test::Json& file) { file["checks"][0]["right"] = false; }), HasSubstr("right: true, where a check failed"));
    EXPECT_THAT(faultsOf([](test::Json& file) { file["right"] = false; }), HasSubstr("right: false, where no check failed"));
    EXPECT_EQ(faultsOf([](test::Json& file) {
                  file["right"] = false;
                  file["made_by"] = "mdrun"; // a run may fail without any check
              }),
              "nothing refused");
    EXPECT_THAT(faultsOf([](test::Json& file) { file["hardware"]["GPU"] = nullptr; }),
                HasSubstr("hardware.GPU: null, where results[0] is of a GPU"));
    EXPECT_THAT(faultsOf([](test::Json& file) { file["results"][0]["gpus"] = 0; }), HasSubstr("results[0].gpus: none"));
    EXPECT_THAT(faultsOf([](test::Json& file) {
                    file["fixture"] = false;
                    file["results"][0]["place"] = "emulated-gpu";
                }),
                HasSubstr("rehearsal: false, where results[0] is of the emulation"));
    EXPECT_THAT(faultsOf([](test::Json& file) { file["results"][0]["drift_kJ_mol_ns_atom"] = nullptr; }),
                HasSubstr("results[0].drift_error: the error of a drift that is not told"));
}

TEST_F(ResultsFiles, OtherFilesAreRefusedTogether)
{
    auto const a = ScratchFiles::write("a.json", "{"), b = ScratchFiles::write("b.json", R"({"schema": "alder-run-1"})"),
               c = ScratchFiles::write("c.json", "[1e999]"), d = ScratchFiles::write("d.json", R"({"results": []})"),
               e = ScratchFiles::write("e.json", "");
    try {
        readResults({a, b, c, d, e, at("absent.json"), test::fixture("fixture_cpu.json"), test::fixture("./fixture_cpu.json")});
        FAIL();
    } catch (base::InputRefused const& refused) {
        for (char const* fault :
             {"a.json: no JSON", "b.json: schema: 'alder-run-1' is not known", "c.json: no JSON", "d.json: schema: none is named",
              "e.json: no JSON", "absent.json: cannot be read: No such file", "fixture_cpu.json: given twice"})
            EXPECT_THAT(refused.what(), HasSubstr(fault));
        EXPECT_EQ(refused.faults().size(), 7U);
    }
}

} // namespace
