#pragma once
// What an hour of hardware costs, from a table that users edit (TOML; docs/accounting.md).

#include "accounting/ledger_entry.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace alder::accounting {

enum class PriceKind : std::uint8_t { onDemand, reserved, spot };
char const* nameOf(PriceKind kind);

/// What a run is charged for: its GPUs, or the processors of a run without any.
struct Charged {
    std::string device;               ///< name of the GPU, or of the CPU
    std::optional<std::string> slice; ///< MIG profile
    std::int64_t gpus = 0, processors = 1;
    [[nodiscard]] double units() const { return static_cast<double>(gpus > 0 ? gpus : processors); }
};

struct Price {
    std::string name;
    std::vector<std::string> words;   ///< all of them stand in the name of the device, in any case of letters
    bool ofGpu = true;                ///< per GPU and hour; else per processor (thread) and hour
    std::optional<std::string> slice; ///< for this MIG profile alone; none: for whole GPUs alone
    PriceKind kind = PriceKind::onDemand;
    std::string currency;
    double perHour = 0;
    std::string date, source;
    bool verified = false;
    std::optional<double> hoursBetweenPreemptions = {}; ///< mean time that is paid from a start to its preemption; none: not known

    [[nodiscard]] bool fits(Charged const& charged) const;
    [[nodiscard]] Cost costOf(Charged const& charged, double hours) const
    {
        return {perHour * charged.units() * hours, currency, name, verified};
    }
};

class PriceTable {
public:
    PriceTable() = default;
    /// Throws InputRefused with every fault of the file.
    explicit PriceTable(std::filesystem::path const& file);

    [[nodiscard]] std::vector<Price> const& prices() const { return prices_; }
    /// Those that fit, in the order of the file.
    [[nodiscard]] std::vector<Price const*> fitting(Charged const& charged) const;

    /// The price of a run: the one named, else the only one that fits.
    struct Found {
        Price const* price = nullptr;
        std::string trouble; ///< why there is none
    };
    [[nodiscard]] Found find(Charged const& charged, std::string const& name) const;

private:
    std::filesystem::path file_;
    std::vector<Price> prices_;
};

} // namespace alder::accounting
