#pragma once
// One line of the ledger: what one start of a run took, and what it gave.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alder::accounting {

/// What a time on hardware cost, by one entry of the price table.
struct Cost {
    double amount = 0;
    std::string currency; ///< "USD"
    std::string price;    ///< name of the entry
    bool verified = false;
};

/// docs/accounting.md describes the fields as they are written, alder-ledger-1.
struct LedgerEntry {
    std::string endedAt;                ///< UTC, "2026-11-30T20:00:00Z"
    std::string version;                ///< of alder
    std::optional<std::string> job;     ///< number that the scheduler gave; none outside of one
    std::optional<std::string> project; ///< none: nobody named one
    std::string user, host;
    std::string title, deck, inputHash;     ///< the system: title of the topology, its file, digest of all input
    std::string device;                     ///< name of the GPU, or of the CPU where that computed
    std::optional<std::string> slice;       ///< MIG profile of the GPU
    std::int64_t gpus = 0;                  ///< 0: the CPU computed
    std::int64_t ranks = 1, processors = 1; ///< processors: threads of all ranks
    double hours = 0;                       ///< wall time of this start
    std::optional<Cost> cost;               ///< none: no price is known
    double ns = 0;                          ///< simulated, and kept
    std::int64_t steps = 0;
    int status = 0;     ///< exit status
    std::string reason; ///< "done", "stopped early: ...", "failed: ..."

    [[nodiscard]] double gpuHours() const { return hours * static_cast<double>(gpus); }
};

/// One line, its end included.
std::string lineOf(LedgerEntry const& entry);
/// Throws std::invalid_argument with what is wrong with the line.
LedgerEntry entryOf(std::string_view line);

} // namespace alder::accounting
