#pragma once
// When a run's time is taken: after a short warm-up, over its second half, or in windows that begin once its rate is steady.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace alder::loop {

struct TimingWish {
    bool resetHalfway = false; ///< time only the second half
    int windows = 0;           ///< so many, and then the run ends; 0: it goes on to its last step
    double windowSeconds = 10; ///< that each lasts at least
    /// Of the warm-up before windows; 0: until the rate is steady. Runs that are to be timed together give the same.
    double warmUpSeconds = 0;
};

/// So many steps took so long.
struct Stretch {
    std::int64_t steps = 0;
    double seconds = 0;
    [[nodiscard]] double rate() const { return seconds > 0 ? static_cast<double>(steps) / seconds : 0; } ///< steps a second
};

/// What is known at the end.
struct Timing {
    std::int64_t steps = 0; ///< timed: from the warm-up's end to the last step, or to the end of the last whole window
    double seconds = 0;
    std::vector<Stretch> windows;
    std::optional<bool> steady; ///< the rate had settled before the first window; none: no windows were asked for
    /// Where the run stood when: at the beginning, at the end, and some hundred times between, evenly.
    struct Milestone {
        std::int64_t step = 0;
        double seconds = 0; ///< since the beginning
    };
    std::vector<Milestone> milestones;
};

/// Looks at the clock at list steps, where the host waits for the last step anyway. With windows, the warm-up consists of stretches of a fifth
/// of a window each; it ends when the last three are within 3 % of each other, or after six windows' time, unsteady; or when it has lasted as long as is wished.
class RunTimer {
public:
    struct Run {
        std::int64_t firstStep = 0, lastStep = 0; ///< lastStep: the largest number where there is none
        std::int64_t listInterval = 1;
    };
    /// `clock`: seconds, as base::now().
    RunTimer(TimingWish wish, Run run, std::function<double()> clock);

    void begin();
    /// What this rank's clock makes of a list step: a number of which all ranks take the largest. 0: nothing.
    [[nodiscard]] std::int64_t due(std::int64_t step);
    /// Does what is due, at the time that due() saw.
    void take(std::int64_t due, std::int64_t step);
    /// The last window is over.
    [[nodiscard]] bool ended() const { return wish_.windows > 0 && static_cast<int>(timing_.windows.size()) == wish_.windows; }
    /// The run has ended. Returns what was timed.
    Timing finish(std::int64_t step);

    /// The warm-up is over.
    [[nodiscard]] bool timing() const { return timedSince_.has_value(); }
    /// Steps and time of what is being timed, or of the warm-up.
    [[nodiscard]] Stretch soFar(std::int64_t step) const;

    static constexpr std::int64_t fewestSteps = 100; ///< of a window or a stretch of the warm-up
    static constexpr double steadyWithin = 0.03;

private:
    using Milestone = Timing::Milestone;
    [[nodiscard]] bool steadyWith(Stretch const& last) const;
    [[nodiscard]] Stretch since(Milestone const& mark, std::int64_t step) const;
    void passMilestone(std::int64_t step);

    TimingWish wish_;
    Run run_;
    std::function<double()> clock_;
    Timing timing_;
    double began_ = 0, looked_ = 0;
    double milestoneSeconds_ = 0.25; ///< between milestones; doubles as the run goes on
    Milestone mark_;                 ///< where the stretch or window under way began
    std::optional<Milestone> timedSince_;
    std::vector<Stretch> warmUp_;
};

} // namespace alder::loop
