#pragma once
// The file of figures (docs/bench_schema.md), as timings come in.

#include "bench/sweep.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace alder::bench {

using Json = nlohmann::ordered_json;

/// One of `results`, of the reports (md.json) of runs that went on at the same time. Throws std::invalid_argument where they hold no timing,
/// or did not run together for nine tenths of the time.
Json resultOf(std::string const& deck, std::vector<Json> const& reports);

/// One timing of several rounds, each a result: their windows one after the other, the most memory, the mean power, and the drift that the
/// rounds' tell together, weighted by 1 / error^2. `rounds` must not be empty.
Json togetherOf(std::vector<Json> const& rounds);

/// Where the figures of a bench are gathered. The file is whole at every moment, and holds what there is so far.
class Figures {
public:
    explicit Figures(std::filesystem::path file) : file_(std::move(file)) {}

    /// What is known of a timing, in place of what was known of it before. `report` tells of build and hardware.
    void put(std::size_t timing, Json result, Json const& report);
    /// A timing, or a part of one, that there is no figure of. Those that there are are none the worse for it.
    void leftOut(std::string const& name, std::string const& reason);
    /// The error of forces of this deck in this place goes to all its timings, those to come too.
    void forceError(std::string const& deck, std::string const& place, double error);
    [[nodiscard]] bool knowsForceError(std::string const& deck, std::string const& place) const;
    /// Throws base::RunFailed.
    void write() const;

    /// In the order of the timings.
    [[nodiscard]] std::vector<Json> results() const;

private:
    std::filesystem::path file_;
    std::map<std::size_t, Json> results_; ///< by timing
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
