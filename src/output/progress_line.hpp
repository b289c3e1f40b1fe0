#pragma once
// On a terminal, one line that is written over: step, speed, when the run will be done. In a pipe, nothing.

#include "observe/frame.hpp"

#include <string>

namespace alder::output {

class ProgressLine : public observe::Observer {
public:
    /// `descriptor`: where to, as a rule standard error. Silent unless it is a terminal.
    explicit ProgressLine(int descriptor = 2);
    void seeProgress(observe::Progress const& progress) override;
    /// Ends the line, so that what follows starts on one of its own.
    void finish();

private:
    int descriptor_;
    bool terminal_;
    double lastTime_ = 0;
    std::size_t width_ = 0;
};

/// "step 12000 of 500000 (2.4 %), 24.000 ps, 103.2 ns/day, done at 14:05:10 (in 1 h 12 min)"
std::string progressText(observe::Progress const& progress, std::int64_t unixNow);

} // namespace alder::output
