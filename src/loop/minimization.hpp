#pragma once
// Energy minimization: steepest descent, conjugate gradients, L-BFGS. What they report, and how one is asked for.

#include "constraints/force_projection.hpp"
#include "engine/backend.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"

#include <cstdint>
#include <functional>

namespace alder::loop {

/// One step. Of steepest descent: a trial, accepted or not. Of the others: a line search, whose end is always kept.
struct MinimizationStep {
    std::int64_t step = 0;
    double stepSize = 0;     ///< nm: how far the atom that moved most was moved
    double potential = 0;    ///< kJ/mol
    double largestForce = 0; ///< kJ/mol/nm, after projection on what constraints allow
    std::int64_t atom = 0;   ///< the one it acts on
    bool accepted = false;
};

enum class MinimizationEnd : std::uint8_t { converged, machinePrecision, stepLimit, asked };

struct MinimizationResult {
    MinimizationEnd end = MinimizationEnd::stepLimit;
    std::int64_t steps = 0;
    std::int64_t evaluations = 0; ///< configurations whose energy was computed, the start among them
    double potential = 0, largestForce = 0;
    std::int64_t atom = 0;
};

/// Called after each step; returning false ends the minimization with the best configuration so far.
using WatchMinimization = std::function<bool(MinimizationStep const&)>;

/// Moves `state` downhill by the plan's integrator until the largest force is below emtol, nsteps steps are done, or steps have become too
/// small to matter. The state comes back with the lowest energy found and velocities zero. Throws base::RunFailed where no finite energy
/// was ever reached.
MinimizationResult minimize(engine::Backend& backend, plan::DynamicsPlan const& dynamics, constraints::ForceProjection& constraints,
                            system::State& state, WatchMinimization const& watch);

} // namespace alder::loop
