#include "output/progress_line.hpp"

#include "base/clock.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <unistd.h>

namespace alder::output {

namespace {
std::string duration(double seconds)
{
    auto const s = static_cast<std::int64_t>(std::llround(std::min(seconds, 1e15)));
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
    if (s < 86400) return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
    return fmt::format("{} d {} h", s / 86400, s / 3600 % 24);
}
} // namespace

std::string progressText(observe::Progress const& p, std::int64_t unixNow)
{
    bool const endless = p.lastStep < 0;
    std::string text = fmt::format("step {}", p.step);
    if (!endless && p.lastStep > 0)
        text += fmt::format(" of {} ({:.1f} %)", p.lastStep, 100.0 * static_cast<double>(p.step) / static_cast<double>(p.lastStep));
    text += fmt::format(", {:.3f} ps", p.time);
    if (p.nsPerDay > 0) text += fmt::format(", {:.4g} ns/day", p.nsPerDay);
    if (!endless && p.nsPerDay > 0 && std::isfinite(p.secondsLeft) && p.secondsLeft < 1e9) {
        std::time_t const end = static_cast<std::time_t>(unixNow + std::llround(p.secondsLeft));
        // The day only where it is not today's.
        char const* const format = p.secondsLeft < 43200 ? "{:%H:%M:%S}" : "{:%Y-%m-%d %H:%M}";
        text += ", done at " + fmt::format(fmt::runtime(format), fmt::localtime(end)) + " (in " + duration(p.secondsLeft) + ")";
    }
    return text;
}

ProgressLine::ProgressLine(int descriptor) : descriptor_(descriptor), terminal_(::isatty(descriptor) == 1) {}

void ProgressLine::seeProgress(observe::Progress const& progress)
{
    // Four times a second reads as live; a terminal over a slow line must not hold up the run.
    if (!terminal_ || (width_ > 0 && base::now() - lastTime_ < 0.25 && progress.step != progress.lastStep)) return;
    lastTime_ = base::now();
    std::string const text = progressText(progress, std::time(nullptr));
    std::string const line = fmt::format("\r{:<{}}", text, width_);
    width_ = std::max(width_, text.size());
    // A terminal that went away is no reason to end a run.
    static_cast<void>(!::write(descriptor_, line.data(), line.size()));
}

void ProgressLine::finish()
{
    if (terminal_ && width_ > 0) static_cast<void>(!::write(descriptor_, "\n", 1));
    width_ = 0;
}

} // namespace alder::output
