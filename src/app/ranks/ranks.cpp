#include "app/ranks/ranks.hpp"

#include "base/error.hpp"
#include "domain/packing/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace alder::app {

namespace {

/// Ends a rank whose verdict another one prints.
class VerdictKnown : public std::exception {
public:
    explicit VerdictKnown(std::int64_t status) : status_(static_cast<int>(status)) {}
    [[nodiscard]] int status() const { return status_; }

private:
    int status_;
};

/// How a rank's work ended.
struct Ending {
    std::int64_t status = exitDone;
    std::vector<base::Fault> faults; ///< of a refusal
    std::string reason;              ///< of a failure
    std::exception_ptr thrown;
};

Ending endingOf(std::function<void()> const& work)
{
    Ending ending;
    try {
        work();
    } catch (base::InputRefused const& refused) {
        ending = {exitRefused, refused.faults(), {}, std::current_exception()};
    } catch (std::bad_alloc const&) {
        ending = {exitFailed, {}, "out of memory", std::current_exception()};
    } catch (std::exception const& failed) {
        ending = {exitFailed, {}, failed.what(), std::current_exception()};
    }
    return ending;
}

/// Throws what rank `rank` could not.
[[noreturn]] void throwEnding(int rank, std::vector<base::Fault> faults, std::string const& reason)
{
    if (faults.empty()) throw base::RunFailed(fmt::format("rank {}: {}", rank, reason));
    for (base::Fault& fault : faults) fault.what = fmt::format("rank {}: {}", rank, fault.what);
    throw base::InputRefused(std::move(faults));
}

void say(std::string const& line)
{
    fmt::print(stderr, "{}\n", line);
    std::fflush(stderr);
}

} // namespace

Ranks::Ranks(bool several)
{
    if (several) {
        world_.emplace();
        all_ = domain::Communicator(*world_);
        share_ = domain::shareOfNode(*world_);
    }
}

void Ranks::onFirst(std::function<void()> const& work)
{
    if (size() == 1) {
        work();
        return;
    }
    Ending ending;
    if (first()) ending = endingOf(work);
    std::int64_t const status = all_.largest(ending.status);
    if (status == exitDone) return;
    told_ = true;
    if (!first()) throw VerdictKnown(status);
    std::rethrow_exception(ending.thrown);
}

void Ranks::together(std::function<void()> const& work)
{
    if (size() == 1) {
        work();
        return;
    }
    Ending const ending = endingOf(work);
    std::vector<std::int64_t> statuses(static_cast<std::size_t>(size()));
    statuses[static_cast<std::size_t>(all_.rank())] = ending.status;
    all_.largest(statuses);
    auto const failed = std::find_if(statuses.begin(), statuses.end(), [](std::int64_t status) { return status != exitDone; });
    if (failed == statuses.end()) return;
    told_ = true;
    auto const rank = static_cast<int>(failed - statuses.begin());
    if (first() && rank == 0) std::rethrow_exception(ending.thrown);
    if (rank == all_.rank()) {
        domain::Packer pack;
        pack(ending.faults, ending.reason);
        std::vector<std::byte> const bytes = pack.take();
        domain::Pending pending;
        all_.send(0, domain::Tag::gather, std::span<std::byte const>(bytes), pending);
        all_.wait(pending);
    }
    if (!first()) throw VerdictKnown(*failed);
    std::vector<std::byte> const bytes = all_.receiveAny<std::byte>(rank, domain::Tag::gather);
    std::vector<base::Fault> faults;
    std::string reason;
    domain::Unpacker unpack(bytes);
    unpack(faults, reason);
    throwEnding(rank, std::move(faults), reason);
}

void Ranks::mindStops(std::function<bool()> asked)
{
    constexpr double patience = 5; // and 4 s until the last rank ends: within ten
    all_.waitNoLonger(patience, std::move(asked));
}

std::int64_t Ranks::agreedStop(std::int64_t own)
{
    std::int64_t const code = all_.largest(own);
    if (code != 0) heedStop();
    return code;
}

void Ranks::heedStop() { all_.waitNoLonger(0, {}); }

int Ranks::conclude(std::function<int()> const& command)
{
    try {
        return command();
    } catch (VerdictKnown const& verdict) {
        return verdict.status();
    } catch (base::InputRefused const& refused) {
        if (first()) say(refused.what());
        return exitRefused;
    } catch (domain::RankFailed const& failed) {
        return fail(failed.what(), true);
    } catch (std::bad_alloc const&) {
        return fail("out of memory", false);
    } catch (std::exception const& failed) {
        return fail(failed.what(), false);
    }
}

int Ranks::fail(std::string const& reason, bool heard)
{
    std::string const line = "alder: " + reason;
    if (size() == 1 || told_) {
        if (first()) say(line);
        return exitFailed;
    }
    if (!heard) all_.announceFailure(reason);
    if (!first()) {
        // Rank 0 writes down what it has heard, prints it, and ends all. Where it does not, being busy with a large file or gone, this rank
        // does so.
        constexpr double patience = 4;
        all_.linger(patience);
        if (heard) world_->abort(exitFailed);
    }
    say(line);
    world_->abort(exitFailed);
}

} // namespace alder::app
