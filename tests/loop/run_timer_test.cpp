#include "loop/run_timer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace {

using alder::loop::RunTimer;
using alder::loop::Timing;
using alder::loop::TimingWish;

constexpr std::int64_t noEnd = std::numeric_limits<std::int64_t>::max();

/// A run whose steps take so long as a function of the step says, list steps every 20.
struct Clocked {
    double time = 1000; // clocks begin anywhere
    RunTimer timer;
    explicit Clocked(TimingWish wish, std::int64_t first = 0, std::int64_t last = noEnd)
        : timer(wish, {first, last, 20}, [this] { return time; }),
          step(first),
          lastStep(last)
    {
        timer.begin();
    }
    Clocked(Clocked const&) = delete;
    Clocked& operator=(Clocked const&) = delete;

    std::int64_t step, lastStep;
    template <class Seconds> Timing run(Seconds const& secondsOf, std::int64_t steps = 1000000)
    {
        for (std::int64_t done = 0; done < steps && step < lastStep; ++done, ++step) {
            if (step % 20 == 0) timer.take(timer.due(step), step);
            if (timer.ended()) break;
            time += secondsOf(step);
        }
        return timer.finish(step);
    }
};

TEST(RunTimer, LeavesOutTheFirstTwoLists)
{
    Clocked run({}, 100, 1100);
    Timing const timing = run.run([](std::int64_t step) { return step < 140 ? 1.0 : 0.01; });
    EXPECT_EQ(timing.steps, 960);
    EXPECT_NEAR(timing.seconds, 9.6, 1e-6);
    EXPECT_TRUE(timing.windows.empty());
    EXPECT_FALSE(timing.steady.has_value());
}

TEST(RunTimer, TimesTheSecondHalf)
{
    Clocked run({true, 0, 10}, 0, 2000);
    Timing const timing = run.run([](std::int64_t step) { return step < 1000 ? 1.0 : 0.01; });
    EXPECT_EQ(timing.steps, 1000);
    EXPECT_NEAR(timing.seconds, 10, 1e-6);
}

TEST(RunTimer, WindowsBeginOnceTheRateIsSteadyAndThenTheRunEnds)
{
    // 10 s windows, so stretches of 2 s: slow for 3 s, then 100 steps a second.
    Clocked run({false, 3, 10});
    Timing const timing = run.run([](std::int64_t step) { return step < 100 ? 0.03 : 0.01; });
    ASSERT_EQ(timing.windows.size(), 3U);
    EXPECT_EQ(timing.steady, true);
    for (auto const& window : timing.windows) {
        EXPECT_GE(window.seconds, 10 - 1e-9);
        EXPECT_LT(window.seconds, 10.21); // to the next list step
        EXPECT_NEAR(window.rate(), 100, 1e-6);
    }
    EXPECT_NEAR(timing.seconds, 30, 0.65);
    // One slow stretch (3 s), and three of 2 s: the run was over after 39 s, and no window holds a slow step.
    EXPECT_NEAR(run.time - 1000, 39, 7 * 0.2); // each to the next list step
}

TEST(RunTimer, ARateThatNeverSettlesIsTimedAllTheSameAndSaidToBeUnsteady)
{
    Clocked run({false, 2, 10});
    Timing const timing = run.run([](std::int64_t step) { return step / 200 % 2 == 0 ? 0.01 : 0.02; });
    EXPECT_EQ(timing.steady, false);
    EXPECT_EQ(timing.windows.size(), 2U);
    EXPECT_NEAR(run.time - 1000, 60 + 20, 5);
}

TEST(RunTimer, AWarmUpOfItsLengthEndsThenAndSaysWhetherTheRateHadSettled)
{
    Clocked even({false, 1, 10, 20}), uneven({false, 1, 10, 20});
    Timing const settled = even.run([](std::int64_t) { return 0.0101; });
    Timing const unsettled = uneven.run([](std::int64_t step) { return step / 200 % 2 == 0 ? 0.0101 : 0.0202; });
    EXPECT_EQ(settled.steady, true);
    EXPECT_EQ(unsettled.steady, false);
    EXPECT_NEAR(even.time - 1000, 20 + 10, 2 + 0.4); // the warm-up ends with a stretch
    EXPECT_NEAR(uneven.time - 1000, 20 + 10, 4);
}

TEST(RunTimer, ShortWindowsHoldAHundredSteps)
{
    Clocked run({false, 2, 0.01});
    Timing const timing = run.run([](std::int64_t) { return 1e-6; });
    ASSERT_EQ(timing.windows.size(), 2U);
    for (auto const& window : timing.windows) EXPECT_GE(window.steps, RunTimer::fewestSteps);
}

TEST(RunTimer, ARunThatEndsBeforeItsWindowsHasThoseThatAreWhole)
{
    Clocked run({false, 3, 1}, 0, 530);
    Timing const timing = run.run([](std::int64_t) { return 0.0101; });
    EXPECT_FALSE(run.timer.ended());
    EXPECT_EQ(timing.windows.size(), 2U);
    std::int64_t steps = 0;
    for (auto const& window : timing.windows) steps += window.steps;
    EXPECT_EQ(timing.steps, steps);
}

TEST(RunTimer, RanksThatSeeDifferentClocksDoTheSame)
{
    double fast = 0, slow = 0;
    RunTimer one({false, 2, 1}, {0, noEnd, 20}, [&] { return fast; }), two({false, 2, 1}, {0, noEnd, 20}, [&] { return slow; });
    one.begin();
    two.begin();
    for (std::int64_t step = 0; !one.ended() && step < 100000; step += 20) {
        std::int64_t const largest = std::max(one.due(step), two.due(step));
        one.take(largest, step);
        two.take(largest, step);
        ASSERT_EQ(one.timing(), two.timing()) << step;
        ASSERT_EQ(one.ended(), two.ended()) << step;
        fast += 0.02;
        slow += step % 60 == 0 ? 0.05 : 0.02;
    }
    EXPECT_TRUE(one.ended());
}

TEST(RunTimer, MilestonesOfALongRunAreFewAndEven)
{
    Clocked run({}, 0, 500000);
    Timing const timing = run.run([](std::int64_t) { return 0.01; });
    ASSERT_GT(timing.milestones.size(), 100U);
    ASSERT_LE(timing.milestones.size(), 257U);
    EXPECT_EQ(timing.milestones.front().step, 0);
    EXPECT_EQ(timing.milestones.back().step, 500000);
    for (std::size_t i = 1; i < timing.milestones.size(); ++i) {
        auto const &a = timing.milestones[i - 1], &b = timing.milestones[i];
        EXPECT_NEAR(static_cast<double>(b.step - a.step), 100 * (b.seconds - a.seconds), 1e-3);
        EXPECT_LT(b.seconds - a.seconds, 5000.0 / 64);
    }
}

} // namespace
