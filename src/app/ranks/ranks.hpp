#pragma once
// How a command runs on all ranks: rank 0 reads, writes and speaks; the others compute, and end as it does.

#include "app/exit_status.hpp"
#include "domain/communicator.hpp"
#include "domain/node.hpp"
#include "domain/world.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace alder::app {

class Ranks {
public:
    /// `several`: the command runs on all ranks that a launcher has started. Else, and without a launcher, this is one rank, without MPI.
    explicit Ranks(bool several);

    [[nodiscard]] bool first() const { return all_.first(); }
    [[nodiscard]] int size() const { return all_.size(); }
    [[nodiscard]] domain::Communicator& all() { return all_; }
    [[nodiscard]] domain::NodeShare const& share() const { return share_; }

    // ---- all ranks together

    /// Rank 0 does what only one can do, reading and writing. Where that fails it throws, and the other ranks end with the same status,
    /// without a word.
    void onFirst(std::function<void()> const& work);
    /// Every rank works by itself, without a message to another. Where one fails, rank 0 throws what the first of them has to say, and the
    /// others end with the same status, without a word.
    void together(std::function<void()> const& work);

    /// From now on a rank that hears asked() waits for others only a few seconds at a time, until heedStop().
    void mindStops(std::function<bool()> asked);
    /// All know that they are to stop, and will: no wait is for nothing.
    void heedStop();
    /// Of all ranks' reasons to stop (StopRequest::code) the one that counts, heeded; 0: none. All ranks together.
    std::int64_t agreedStop(std::int64_t own);

    /// Runs a command and returns its exit status, the same on every rank. A refusal comes from all ranks at once (onFirst, together, or a
    /// rule that all judge alike), and rank 0 prints it. Any other failure may be one rank's alone: it is told to all, rank 0 prints it,
    /// and all end within seconds, whatever they are waiting for.
    int conclude(std::function<int()> const& command);

private:
    /// Ends all ranks, and returns only where the others end by themselves. `heard`: the failure is another rank's.
    int fail(std::string const& reason, bool heard);

    std::optional<domain::World> world_;
    domain::Communicator all_;
    domain::NodeShare share_;
    bool told_ = false; ///< the others know what is thrown here, and end by themselves
};

} // namespace alder::app
