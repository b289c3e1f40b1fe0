#include "loop/run_timer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace alder::loop {

namespace {

// What is due, the stronger the larger: where ranks see different things, the largest happens to all.
constexpr std::int64_t nothing = 0, mark = 1, timingBegins = 2;

constexpr std::size_t mostMilestones = 256;

} // namespace

RunTimer::RunTimer(TimingWish wish, Run run, std::function<double()> clock) : wish_(wish), run_(run), clock_(std::move(clock)) {}

void RunTimer::begin()
{
    began_ = looked_ = clock_();
    mark_ = {run_.firstStep, 0};
    timing_.milestones = {mark_};
}

Stretch RunTimer::since(Milestone const& start, std::int64_t step) const { return {step - start.step, looked_ - began_ - start.seconds}; }

Stretch RunTimer::soFar(std::int64_t step) const
{
    Milestone const from = timedSince_.value_or(Milestone{run_.firstStep, 0});
    return {step - from.step, clock_() - began_ - from.seconds};
}

bool RunTimer::steadyWith(Stretch const& last) const
{
    if (warmUp_.size() < 2) return false;
    double const rates[3]{warmUp_[warmUp_.size() - 2].rate(), warmUp_.back().rate(), last.rate()};
    auto const [least, most] = std::minmax_element(std::begin(rates), std::end(rates));
    return *most <= (1 + steadyWithin) * *least;
}

std::int64_t RunTimer::due(std::int64_t step)
{
    looked_ = clock_();
    if (wish_.windows > 0) {
        Stretch const now = since(mark_, step);
        if (now.steps < fewestSteps) return nothing;
        if (timing()) return now.seconds >= wish_.windowSeconds ? mark : nothing;
        if (now.seconds < 0.2 * wish_.windowSeconds) return nothing;
        double const passed = looked_ - began_;
        bool const warm = wish_.warmUpSeconds > 0 ? passed >= wish_.warmUpSeconds : steadyWith(now) || passed >= 6 * wish_.windowSeconds;
        return warm ? timingBegins : mark;
    }
    if (timing()) return nothing;
    bool const half = wish_.resetHalfway && run_.lastStep != std::numeric_limits<std::int64_t>::max();
    std::int64_t const warmUp = half ? (run_.lastStep - run_.firstStep) / 2 : 2 * run_.listInterval;
    return step - run_.firstStep >= warmUp ? timingBegins : nothing;
}

void RunTimer::take(std::int64_t due, std::int64_t step)
{
    passMilestone(step);
    if (due == nothing) return;
    Stretch const now = since(mark_, step);
    mark_ = {step, looked_ - began_};
    if (due == timingBegins) {
        if (wish_.windows > 0) timing_.steady = steadyWith(now);
        timedSince_ = mark_;
    } else if (timing()) {
        timing_.windows.push_back(now);
    } else {
        warmUp_.push_back(now);
    }
}

/// Every second one is forgotten when there are too many, so that a run of days is told in as many points as one of minutes.
void RunTimer::passMilestone(std::int64_t step)
{
    std::vector<Milestone>& passed = timing_.milestones;
    double const seconds = looked_ - began_;
    if (step <= passed.back().step || seconds - passed.back().seconds < milestoneSeconds_) return;
    passed.push_back({step, seconds});
    if (passed.size() < mostMilestones) return;
    for (std::size_t i = 1; 2 * i < passed.size(); ++i) passed[i] = passed[2 * i];
    passed.resize((passed.size() + 1) / 2);
    milestoneSeconds_ *= 2;
}

Timing RunTimer::finish(std::int64_t step)
{
    looked_ = clock_();
    if (step > timing_.milestones.back().step) timing_.milestones.push_back({step, looked_ - began_});
    if (wish_.windows > 0) {
        for (Stretch const& window : timing_.windows) {
            timing_.steps += window.steps;
            timing_.seconds += window.seconds;
        }
    } else if (timedSince_) {
        Stretch const timed = since(*timedSince_, step);
        timing_.steps = timed.steps;
        timing_.seconds = timed.seconds;
    }
    return timing_;
}

} // namespace alder::loop
