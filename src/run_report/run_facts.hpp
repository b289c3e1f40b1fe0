#pragma once
// What md.json tells of a run (docs/files.md), for the page of the run.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alder::run_report {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// What is not in the file stays empty: files of a run that failed hold less.
struct RunFacts {
    struct Part {
        std::string name;
        double calls = 0, seconds = 0;
        std::optional<double> deviceSeconds; ///< of the GPU, where it was told
    };
    /// ns/day of one part of this start, which ended at a step.
    struct Rate {
        std::int64_t step = 0;
        double nsPerDay = 0;
    };
    struct Average {
        std::string name, unit;
        double mean = 0, fluctuation = 0;
    };

    std::string title, ended, version, madeAt, commandLine, inputHash;
    bool fixture = false;
    std::optional<std::int64_t> lastStep; ///< of the final state
    std::optional<std::int64_t> atoms;
    Pairs hardware, build, files, plan; ///< as they are to be shown
    std::optional<double> nsPerDay, hoursPerNs;
    std::string noRate; ///< why there is no rate
    std::optional<double> timedSteps, timedSeconds, wallSeconds;
    std::vector<Part> table;
    std::vector<Rate> rates;
    std::vector<Average> averages;
    std::int64_t averagesOver = 0;

    /// Of one of files ("trajectory", "parameters"); empty where it is not named.
    [[nodiscard]] std::string fileNamed(std::string const& what) const;
};

/// Throws base::InputRefused where the file cannot be read, is no JSON, or none of a run.
RunFacts readRunFacts(std::string const& path);

} // namespace alder::run_report
