#include "loop/stop_request.hpp"

#include "base/clock.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <limits>

namespace alder::loop {

namespace {

std::atomic<int> receivedSignal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch lock-free atomics only");
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
    : deadline_(maxHours > 0 ? base::now() + 0.99 * 3600.0 * maxHours : std::numeric_limits<double>::infinity()),
      maxHours_(maxHours)
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

std::string StopRequest::reason() const
{
    if (int const number = receivedSignal.load(); number != 0) return fmt::format("signal {} ({})", number, strsignal(number));
    if (base::now() >= deadline_) return fmt::format("-maxh {} is nearly over", maxHours_);
    return {};
}

} // namespace alder::loop
