#pragma once
// What a batch system and the kernel let this process have: Slurm's variables, and the limits of its control groups (versions 1 and 2).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alder::base {

/// What is not told, or cannot be read, is left out.
struct Allocation {
    std::string job; ///< "4711"; empty: none
    std::string jobName, account;
    std::optional<int> processorsPerTask; ///< of the job
    std::optional<double> quota;          ///< processors' time, of the control group: 1.5 is one and a half
    std::optional<std::uint64_t> memory;  ///< bytes, of the control group

    /// Of the threads that the processors allowed would give, no more than a task may have, nor than keep busy what the quota leaves
    /// each of the ranks of a host that are under it.
    [[nodiscard]] int threads(int allowed, int ranksOnHost) const;
    /// As (what, value), for the log and for programs.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> facts() const;
};

/// Where it is read.
struct AllocationSource {
    std::function<char const*(char const*)> environment; ///< as std::getenv
    std::filesystem::path root;                          ///< "/", of /proc and of the control groups
};

Allocation readAllocation(AllocationSource const& source);
/// Of this process.
Allocation readAllocation();

} // namespace alder::base
