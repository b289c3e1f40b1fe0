#pragma once
// Figures of many machines in one table: rows that may be compared, and what each costs.

#include "accounting/preemptions.hpp"
#include "accounting/prices.hpp"
#include "report/results_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace alder::report {

struct Spread {
    double median = 0, least = 0, most = 0;
};
/// Of one value or more.
Spread spreadOf(std::vector<double> values);

/// What a nanosecond costs at one price.
struct RowCost {
    accounting::Price price;
    double perHour = 0;          ///< of all GPUs or processors that the row takes
    std::optional<double> lost;  ///< part of the paid time that preemptions take; none: not known, and then not in the cost
    std::optional<double> perNs; ///< none: more than all is lost, nothing is ever gained
    [[nodiscard]] std::optional<double> nsPerUnit() const { return perNs ? std::optional(1 / *perNs) : std::nullopt; }
};

/// One timing of one kind of machine, by one build; of several files, all windows together.
struct Row {
    std::string machine;
    System system;
    Setup setup;
    Standing standing = Standing::measured;
    bool right = false;
    std::optional<bool> steady;
    std::string version, revision, buildType;
    std::vector<double> values;                                  ///< ns/day of all windows
    std::optional<double> drift, driftError, forceError, powerW; ///< drift and force error: the worst of the files'; power: their mean
    std::optional<double> hostMiB, deviceMiB;                    ///< the most of the files'
    std::vector<std::string> files, hosts, wrongChecks;
    accounting::Charged charged;
    std::vector<RowCost> costs; ///< by every price that fits; none: no price is known, or no rate

    [[nodiscard]] std::optional<Spread> nsPerDay() const;
    [[nodiscard]] std::optional<double> atomStepsPerSecond() const;
    [[nodiscard]] std::optional<double> nsPerKWh() const;
    /// Whether its figures may win over others'.
    [[nodiscard]] bool counts() const { return standing == Standing::measured && right && !values.empty(); }
    /// What a reader must know first, in one word or two: "FIXTURE", "rehearsal", "WRONG", "unsteady", "measured".
    [[nodiscard]] std::string status() const;
    /// What more there is to say of it; empty for most.
    [[nodiscard]] std::string remarks() const;
};

/// What a status means that is no measurement.
char const* meaningOf(Standing standing);

struct Comparison {
    std::vector<ResultsFile> files;
    std::vector<Row> rows; ///< by atoms and deck, measurements first, then the fastest first
    accounting::Preemptions preemptions;
    std::string pricesFile; ///< empty: there is none
};

/// Merges timings that differ in nothing but their windows: same machine, system, setup, build, and worth.
Comparison compare(std::vector<ResultsFile> files, accounting::PriceTable const& prices, std::string pricesFile,
                   accounting::Preemptions const& preemptions);

} // namespace alder::report
