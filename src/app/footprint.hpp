#pragma once
// What a run takes besides time: memory, and the power of its GPUs.

#include "app/hardware.hpp"

#include <optional>

namespace alder::app {

class Footprint {
public:
    /// `hardware` must outlive this.
    explicit Footprint(Hardware const& hardware) : hardware_(hardware) {}

    /// The time begins over which power is told, on this rank.
    void timingBegins();

    struct Total {
        std::optional<double> began;        ///< Unix time of that, s; of rank 0
        std::optional<double> hostMemory;   ///< the most that was resident, of all ranks together, MiB
        std::optional<double> deviceMemory; ///< the most that arrays took on GPUs, of all ranks together, MiB; none: no GPU was used
        std::optional<double> power;        ///< of the GPUs since timingBegins(), all together, W; none where one of them does not tell
    };
    /// All ranks together, where the timed part ends.
    [[nodiscard]] Total total(Ranks& ranks) const;

private:
    Hardware const& hardware_;
    std::optional<double> began_; ///< base::now()
    double beganUnix_ = 0;
    std::optional<double> energy_; ///< J, at that time
};

} // namespace alder::app
