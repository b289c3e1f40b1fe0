#include "loop/minimization.hpp"

#include "loop/minimization/conjugate_gradients.hpp"
#include "loop/minimization/course.hpp"
#include "loop/minimization/limited_memory_bfgs.hpp"
#include "loop/minimization/steepest_descent.hpp"

namespace alder::loop {

MinimizationResult minimize(engine::Backend& backend, plan::DynamicsPlan const& dynamics, constraints::ForceProjection& constraints,
                            system::State& state, WatchMinimization const& watch)
{
    state.velocities.assign(state.positions.size(), {});
    EnergySurface surface(backend, constraints, state);
    Course course(surface, dynamics, state, watch);
    switch (dynamics.integrator) {
    case plan::Integrator::cg: descendConjugate(course); break;
    case plan::Integrator::lbfgs: descendQuasiNewton(course); break;
    default: descendSteepest(course); break;
    }
    return course.finish();
}

} // namespace alder::loop
