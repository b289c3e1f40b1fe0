#pragma once
// What preemptions take of the hours that are paid.

namespace alder::accounting {

/// A run that goes on from its last checkpoint after each preemption. Minutes.
struct Preemptions {
    double checkpointMinutes = 15; ///< between checkpoints; mdrun's own default of -cpt
    /// From the first minute that is paid to the first step that is new. An instance boots, loads its driver and mounts its disk in a few
    /// minutes; alder's own start takes seconds. An assumption: nobody has measured it for you.
    double restartMinutes = 5;

    /// The part of the paid time that gives no kept step.
    ///
    /// A start is paid from its first minute to its preemption, M = `hoursBetween` on average. It begins with the restart, R, and ends with
    /// steps that no checkpoint holds and that the next start computes again. Preemptions don't know of checkpoints, so they fall evenly over
    /// the interval C between two, and take C/2 of it on average:
    ///     kept = M - R - C/2        lost = (C/2 + R) / M
    /// This is for C well below M. Preemptions without memory keep x / (exp(x) - 1) = 1 - x/2 + x^2/12 - ... of the steps, x = C/M: the
    /// formula calls too much lost, by 1 % of the paid time at M = 3 C. From 1 on nothing is ever kept.
    [[nodiscard]] double lostPart(double hoursBetween) const { return (checkpointMinutes / 2 + restartMinutes) / 60 / hoursBetween; }
};

} // namespace alder::accounting
