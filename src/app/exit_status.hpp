#pragma once
// What the program returns (design: one meaning each).

namespace alder::app {

enum ExitStatus : int { exitDone = 0, exitFailed = 1, exitRefused = 2, exitStopped = 75 };

} // namespace alder::app
