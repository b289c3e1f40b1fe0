#pragma once
// Wall time, and the table of where it went.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

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

/// Wall seconds and calls by part, and where a GPU works what its streams took for each in a sample of the steps. Filled by the thread that
/// drives the step, never inside a parallel region.
class Clock {
public:
    void add(Part part, double seconds)
    {
        seconds_[static_cast<std::size_t>(part)] += seconds;
        calls_[static_cast<std::size_t>(part)] += 1;
    }
    [[nodiscard]] double seconds(Part part) const { return seconds_[static_cast<std::size_t>(part)]; }
    [[nodiscard]] long calls(Part part) const { return calls_[static_cast<std::size_t>(part)]; }
    void addDevice(Part part, double seconds) { deviceSeconds_[static_cast<std::size_t>(part)] += seconds; }
    /// So many steps more were looked into, part by part.
    void countSampled(std::int64_t steps) { sampledSteps_ += steps; }
    [[nodiscard]] std::int64_t sampledSteps() const { return sampledSteps_; }
    /// What the device takes for a part in so many steps, as the sampled ones were; 0 where there are none.
    [[nodiscard]] double deviceSeconds(Part part, std::int64_t steps) const
    {
        double const sampled = deviceSeconds_[static_cast<std::size_t>(part)];
        return sampledSteps_ > 0 ? sampled * static_cast<double>(steps) / static_cast<double>(sampledSteps_) : 0.0;
    }
    void reset() { *this = {}; }

private:
    std::array<double, partCount> seconds_{};
    std::array<long, partCount> calls_{};
    std::array<double, partCount> deviceSeconds_{};
    std::int64_t sampledSteps_ = 0;
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
