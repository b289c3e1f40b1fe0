#pragma once
// Why a run stops early on purpose: a signal, or what it may take has been used.

#include <cstdint>
#include <string>

namespace alder::loop {

/// Listens for SIGTERM, SIGINT and SIGUSR1 while it lives; the run then stops at its next list step. A second SIGINT ends the
/// process at once, for a user who will not wait.
class StopRequest {
public:
    /// maxHours <= 0: no limit. The run stops when 99 % of it has passed, so that the checkpoint is written in time.
    explicit StopRequest(double maxHours);
    ~StopRequest();
    StopRequest(StopRequest const&) = delete;
    StopRequest& operator=(StopRequest const&) = delete;

    /// A second limit: of what the run may take, so many hours' worth, from the beginning of this. `name` is that of the limit.
    void limitTo(double hours, std::string name);

    /// Why this rank should stop, as a number that ranks can compare; 0 while the run may go on.
    [[nodiscard]] std::int64_t code() const;
    /// SIGTERM has come: whoever sent it wants this process gone.
    [[nodiscard]] bool mustEnd() const;
    /// The reason that a code stands for; empty for 0.
    [[nodiscard]] std::string reasonOf(std::int64_t code) const;

private:
    double began_;    ///< base::now() seconds
    double deadline_; ///< the same; infinite without a limit
    double maxHours_;
    double secondDeadline_;
    std::string secondName_;
};

} // namespace alder::loop
