#pragma once
// Files of figures for tests: made up, and changed at will.

#include "accounting/scratch_file.hpp"
#include "report/comparison.hpp"
#include "report/results_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace alder::test {

using Json = nlohmann::json;

inline std::filesystem::path fixture(std::string const& name) { return std::filesystem::path(ALDER_SOURCE_DIR) / "tests/report" / name; }

inline Json load(std::string const& name) { return Json::parse(std::ifstream(fixture(name))); }

/// Gives a timing windows of 10 s at these rates.
inline void setRates(Json& timing, std::vector<double> const& rates)
{
    timing["windows"] = Json::array();
    for (double const rate : rates)
        timing["windows"].push_back({{"steps", 1000000}, {"seconds", 1e6 * timing["dt_ps"].get<double>() / 1000 / rate * 86400}});
    report::Spread const spread = report::spreadOf(rates);
    timing["ns_per_day"] = {{"values", rates}, {"median", spread.median}, {"least", spread.least}, {"most", spread.most}};
}

class Results : public ScratchFiles {
protected:
    /// One timing of one A100, as measured.
    static Json measured(std::vector<double> const& rates = {99, 100, 102})
    {
        Json file = load("fixture_a100.json");
        file["fixture"] = false;
        file["results"] = Json::array({file["results"][0]});
        setRates(file["results"][0], rates);
        return file;
    }
    std::filesystem::path write(Json const& json) { return ScratchFiles::write(fmt::format("{}.json", ++written_), json.dump()); }
    report::Comparison compared(std::vector<Json> const& files, std::string const& prices = "",
                                accounting::Preemptions const& preemptions = {})
    {
        std::vector<std::filesystem::path> paths;
        for (Json const& file : files) paths.push_back(write(file));
        accounting::PriceTable const table =
            prices.empty() ? accounting::PriceTable() : accounting::PriceTable(ScratchFiles::write("prices.toml", prices));
        return report::compare(report::readResults(paths), table, "prices.toml", preemptions);
    }

private:
    int written_ = 0;
};

} // namespace alder::test
