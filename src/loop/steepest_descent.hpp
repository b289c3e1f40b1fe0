#pragma once
// Energy minimization by steepest descent.

#include "constraints/force_projection.hpp"
#include "engine/backend.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"

#include <cstdint>
#include <functional>

namespace alder::loop {

/// One trial step of the descent.
struct DescentStep {
    std::int64_t step = 0;
    double stepSize = 0;     ///< nm: how far the atom with the largest force was moved
    double potential = 0;    ///< kJ/mol
    double largestForce = 0; ///< kJ/mol/nm, after projection on what constraints allow
    std::int64_t atom = 0;   ///< the one it acts on
    bool accepted = false;
};

enum class DescentEnd : std::uint8_t { converged, machinePrecision, stepLimit, asked };

struct DescentResult {
    DescentEnd end = DescentEnd::stepLimit;
    std::int64_t steps = 0;
    double potential = 0, largestForce = 0;
    std::int64_t atom = 0;
};

/// Called after each trial; returning false ends the descent with the best configuration so far.
using WatchDescent = std::function<bool(DescentStep const&)>;

/// Moves `state` downhill until the largest force is below emtol, nsteps trials are done, or steps have become too small to matter. The
/// state comes back with the lowest energy found and velocities zero. Throws base::RunFailed where no finite energy was ever reached.
DescentResult descendSteepest(engine::Backend& backend, plan::DynamicsPlan const& dynamics, constraints::ForceProjection& constraints,
                              system::State& state, WatchDescent const& watch);

} // namespace alder::loop
