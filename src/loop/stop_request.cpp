#include "loop/stop_request.hpp"

#include "base/clock.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <limits>
#include <utility>

namespace alder::loop {

namespace {

std::atomic<int> receivedSignal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch lock-free atomics only");
/// Codes of reasons; of two ranks' reasons the larger counts.
constexpr std::int64_t timeIsOver = 1, secondLimitIsReached = 2, firstSignal = 1000;
/// The part of a limit after which a run stops, so that the rest is left for its files.
constexpr double usedOfLimit = 0.99;
constexpr std::array<int, 3> listened{SIGTERM, SIGINT, SIGUSR1};

extern "C" void noteSignal(int number)
{
    if (number == SIGINT && receivedSignal.load() == SIGINT) {
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    receivedSignal.store(number);
}

} // namespace

StopRequest::StopRequest(double maxHours)
    : began_(base::now()),
      deadline_(maxHours > 0 ? began_ + usedOfLimit * 3600.0 * maxHours : std::numeric_limits<double>::infinity()),
      maxHours_(maxHours),
      secondDeadline_(std::numeric_limits<double>::infinity())
{
    receivedSignal.store(0);
    struct sigaction action {};
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESTART; // a signal must not cut a write short
    sigemptyset(&action.sa_mask);
    for (int const number : listened) sigaction(number, &action, nullptr);
}

StopRequest::~StopRequest()
{
    for (int const number : listened) std::signal(number, SIG_DFL);
}

void StopRequest::limitTo(double hours, std::string name)
{
    secondDeadline_ = began_ + usedOfLimit * 3600.0 * hours;
    secondName_ = std::move(name);
}

std::int64_t StopRequest::code() const
{
    if (int const number = receivedSignal.load(); number != 0) return firstSignal + number;
    double const now = base::now();
    if (now >= secondDeadline_) return secondLimitIsReached;
    return now >= deadline_ ? timeIsOver : 0;
}

bool StopRequest::mustEnd() const { return receivedSignal.load() == SIGTERM; }

std::string StopRequest::reasonOf(std::int64_t code) const
{
    if (code == 0) return {};
    if (code == timeIsOver) return fmt::format("-maxh {} is nearly over", maxHours_);
    // A rank other than the one that knows the limit has no name of it.
    if (code == secondLimitIsReached) return fmt::format("{} is nearly used up", secondName_);
    auto const number = static_cast<int>(code - firstSignal);
    return fmt::format("signal {} ({})", number, strsignal(number));
}

} // namespace alder::loop
