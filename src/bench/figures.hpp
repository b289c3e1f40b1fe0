#pragma once
// The file of figures (docs/bench_schema.md), as timings come in.

#include "bench/sweep.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace alder::bench {

using Json = nlohmann::ordered_json;

/// One of `results`, of the reports (md.json) of runs that went on at the same time. Throws std::invalid_argument where they hold no timing,
/// or did not run together for nine tenths of the time.
Json resultOf(std::string const& deck, std::vector<Json> const& reports);

/// Where the figures of a bench are gathered. The file is whole at every moment, and holds what there is so far.
class Figures {
public:
    explicit Figures(std::filesystem::path file) : file_(std::move(file)) {}

    /// A timing that ran. `report` tells of build and hardware.
    void add(Json result, Json const& report);
    /// One that did not: left out, and counted. The figures of the others are none the worse for it.
    void failed(std::string const& name, std::string const& reason);
    void leftOut(std::string const& name, std::string const& reason);
    /// The error of forces of this deck in this place goes to all its timings, those to come too.
    void forceError(std::string const& deck, std::string const& place, double error);
    [[nodiscard]] bool knowsForceError(std::string const& deck, std::string const& place) const;
    /// Throws base::RunFailed.
    void write() const;

    [[nodiscard]] std::vector<Json> const& results() const { return results_; }
    [[nodiscard]] int failures() const { return failures_; }

private:
    std::filesystem::path file_;
    std::vector<Json> results_;
    int failures_ = 0;
    std::vector<std::string> leftOut_;
    Json build_, hardware_;
    bool rehearsal_ = false;
    struct Accuracy {
        std::string deck, place;
        double error;
    };
    std::vector<Accuracy> accuracies_;
};

/// For people: a line a timing.
std::string tableOf(std::vector<Json> const& results);

} // namespace alder::bench
