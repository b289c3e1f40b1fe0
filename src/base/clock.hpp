#pragma once
// Wall time, and the table of where it went.

#include <array>
#include <chrono>
#include <cstddef>

namespace alder::base {

/// The parts of a step that the timing table of md.log and md.json names.
enum class Part : unsigned char {
    redistribute,
    halo,
    listBuild,
    prune,
    pairs,
    pairEnergies,
    bonded,
    pmeSpread,
    pmeFft,
    pmeSolve,
    pmeGather,
    update,
    constraints,
    output,
    checkpoint,
    count
};
inline constexpr std::size_t partCount = static_cast<std::size_t>(Part::count);
char const* nameOf(Part part);

/// Seconds on a monotonic clock.
inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Wall seconds and calls by part. Filled by the thread that drives the step, never inside a parallel region.
class Clock {
public:
    void add(Part part, double seconds)
    {
        seconds_[static_cast<std::size_t>(part)] += seconds;
        calls_[static_cast<std::size_t>(part)] += 1;
    }
    [[nodiscard]] double seconds(Part part) const { return seconds_[static_cast<std::size_t>(part)]; }
    [[nodiscard]] long calls(Part part) const { return calls_[static_cast<std::size_t>(part)]; }
    void reset()
    {
        seconds_ = {};
        calls_ = {};
    }

private:
    std::array<double, partCount> seconds_{};
    std::array<long, partCount> calls_{};
};

/// Charges the time from its construction to its end to one part.
class Timed {
public:
    Timed(Clock& clock, Part part) : clock_(clock), part_(part), start_(now()) {}
    Timed(Timed const&) = delete;
    Timed& operator=(Timed const&) = delete;
    ~Timed() { clock_.add(part_, now() - start_); }

private:
    Clock& clock_;
    Part part_;
    double start_;
};

} // namespace alder::base
