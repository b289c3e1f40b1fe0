#pragma once
// One leap-frog step of all atoms, and velocity Verlet's second half kick.

#include "update/blame_board.hpp"
#include "update/update_tables.hpp"

namespace alder::cuda {

/// By temperature group: what becomes of velocities and of the kick.
struct FactorViews {
    View<double const> lambda, kick;
};

/// What the constraints of a step are to leave behind: nine words, or nothing.
using VirialWords = View<std::int64_t>;

void stepLeapFrog(UpdateTables const& tables, Moving const& moving, FactorViews const& factors, StepConstants const& step,
                  BlameBoard const& board, VirialWords virial, Stream& stream);

/// Velocity Verlet's second half kick, and velocities along constraints taken out; adds the virial of what takes them out.
void arriveVerlet(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board, VirialWords virial,
                  Stream& stream);
/// Adds what constraints do to the virial in a step that starts with a kick of `kickTime` and is not taken.
void tryConstraints(UpdateTables const& tables, Moving const& moving, StepConstants const& step, double kickTime, VirialWords virial,
                    Stream& stream);

} // namespace alder::cuda
