#include "loop/minimization/course.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace alder::loop {

Course::Course(EnergySurface& surface, plan::DynamicsPlan const& dynamics, system::State& state, WatchMinimization const& watch)
    : surface_(surface),
      dynamics_(dynamics),
      state_(state),
      watch_(watch),
      first_(state.step),
      best_(surface.at(state.positions, state.step))
{
    asked_ = !watch_({first_, dynamics_.emstep, best_.potential, best_.largestForce, best_.atom, true});
}

double Course::longestStep() const
{
    physics::Box const& box = surface_.box();
    return 0.25 * std::min({box.a().x, box.b().y, box.c().z});
}

bool Course::goesOn(bool exhausted)
{
    if (std::isfinite(best_.potential) && best_.largestForce < dynamics_.emtol)
        end_ = MinimizationEnd::converged;
    else if (dynamics_.steps >= 0 && steps_ >= dynamics_.steps)
        end_ = MinimizationEnd::stepLimit;
    else if (exhausted || best_.largestForce == 0)
        end_ = MinimizationEnd::machinePrecision;
    else if (asked_)
        end_ = MinimizationEnd::asked;
    else
        return true;
    return false;
}

void Course::finishStep(Configuration next, double size, bool accepted)
{
    ++steps_;
    asked_ = !watch_({first_ + steps_, size, next.potential, next.largestForce, next.atom, accepted});
    if (accepted) best_ = std::move(next);
}

MinimizationResult Course::finish()
{
    MinimizationResult const result{end_, steps_, surface_.evaluations(), best_.potential, best_.largestForce, best_.atom};
    state_.positions = std::move(best_.positions);
    state_.step = first_ + steps_;
    if (!std::isfinite(result.potential) && result.end != MinimizationEnd::asked)
        throw base::RunFailed(fmt::format("minimization found no configuration of finite energy in {} steps; the largest force, {:.3g} "
                                          "kJ/mol/nm, acts on atom {}: do atoms overlap?",
                                          result.steps, result.largestForce, result.atom + 1));
    return result;
}

} // namespace alder::loop
