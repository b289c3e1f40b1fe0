#include "loop/steepest_descent.hpp"

#include "base/error.hpp"
#include "physics/leap_frog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace alder::loop {

namespace {

using math::Vec3d;

/// Steps grow by this after a success and shrink after a failure, as GROMACS has them.
constexpr double growth = 1.2, shrinkage = 0.5;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// A configuration, its potential, and the forces that constraints leave.
struct Trial {
    std::vector<math::FractionVec> positions;
    std::vector<Vec3d> forces;
    double potential = infinite;
    double largestForce = 0;
    std::int64_t atom = 0;
};

/// The sum of all terms; infinite where one holds a clamped or not-a-number contribution, or more than 1e4 kJ/mol an atom: its sign means
/// nothing then. (In large systems a single clamped contribution hides in the sum; the force that comes with it does not.)
double potentialOf(system::ForceSums const& sums, std::size_t atoms)
{
    double const limit = std::max(math::largestTerm / math::sumScale, 1e4 * static_cast<double>(atoms));
    math::FixedSum all;
    for (math::FixedSum const& term : sums.terms) {
        if (std::fabs(term.value()) >= limit) return infinite;
        all.add(term);
    }
    return all.value();
}

void findLargestForce(Trial& trial)
{
    double largest = -1;
    for (std::size_t i = 0; i < trial.forces.size(); ++i) {
        double const square = norm2(trial.forces[i]);
        if (square > largest) {
            largest = square;
            trial.atom = static_cast<std::int64_t>(i);
        }
    }
    trial.largestForce = std::sqrt(std::max(0.0, largest));
}

/// A force this large may hold a clamped term, and then the energy holds one too, whatever the other pairs add to it.
bool anyIsSuspect(std::vector<Vec3d> const& forces)
{
    std::uint64_t bits = 0;
    for (Vec3d const f : forces) bits |= physics::forceBits(math::forceUnits(f));
    return physics::forceIsSuspect(bits);
}

/// Asks the back end for one configuration at a time.
class Descent {
public:
    Descent(engine::Backend& backend, constraints::ForceProjection& constraints, system::State& state)
        : backend_(backend),
          constraints_(constraints),
          state_(state)
    {}

    /// Positions come back satisfying the constraints.
    Trial judge(std::vector<math::FractionVec> positions, std::int64_t step)
    {
        state_.positions = std::move(positions);
        state_.step = step;
        backend_.adopt(state_);
        if (!constraints_.empty()) backend_.constrainStart();
        backend_.buildLists();
        plan::StepPlan plan;
        plan.step = step;
        plan.buildList = plan.prune = plan.energies = true;
        backend_.forces(plan);
        Trial trial;
        backend_.collect({true, false, true}, state_, trial.forces);
        trial.positions = state_.positions;
        trial.potential = anyIsSuspect(trial.forces) ? infinite : potentialOf(backend_.sums(), trial.forces.size());
        constraints_.apply(trial.positions, state_.box, trial.forces);
        findLargestForce(trial);
        return trial;
    }

private:
    engine::Backend& backend_;
    constraints::ForceProjection& constraints_;
    system::State& state_;
};

/// Every atom along its force, the one with the largest force by `size` nm. Out of an overlap, every atom with a force beyond
/// `severe` goes by `size`: in proportion, one clamped pair would keep all others where they are.
std::vector<math::FractionVec> moved(Trial const& from, double size, physics::Box const& box)
{
    constexpr double severe = 1e5; // kJ/mol/nm
    bool const overlapping = !std::isfinite(from.potential);
    double const whole = overlapping ? std::min(severe, from.largestForce) : from.largestForce;
    std::vector<math::FractionVec> positions = from.positions;
    for (std::size_t i = 0; i < positions.size() && whole > 0; ++i) {
        double const force = overlapping ? std::max(whole, norm(from.forces[i])) : whole;
        positions[i] = wrappingSum(positions[i], box.toFractionStep((size / force) * from.forces[i]));
    }
    return positions;
}

/// Downhill; and where neither energy is finite, on along the forces: clamped, they tell directions, not which of two starts is worse.
bool better(Trial const& next, Trial const& best)
{
    if (std::isfinite(next.potential) || std::isfinite(best.potential)) return next.potential < best.potential;
    return true;
}

/// Below this step (nm) the descent has come as far as it can: positions are kept to some 1e-9 nm, and energies to 6e-8 kJ/mol.
constexpr double smallestStep = 1e-8;

} // namespace

DescentResult descendSteepest(engine::Backend& backend, plan::DynamicsPlan const& dynamics, constraints::ForceProjection& constraints,
                              system::State& state, WatchDescent const& watch)
{
    state.velocities.assign(state.positions.size(), {});
    Descent descent(backend, constraints, state);
    std::int64_t const first = state.step;
    Trial best = descent.judge(state.positions, first);
    double size = dynamics.emstep;
    double const largest = 0.25 * std::min({state.box.a().x, state.box.b().y, state.box.c().z});

    DescentResult result;
    bool goOn = watch({first, size, best.potential, best.largestForce, best.atom, true});
    for (;;) {
        if (std::isfinite(best.potential) && best.largestForce < dynamics.emtol)
            result.end = DescentEnd::converged;
        else if (dynamics.steps >= 0 && result.steps >= dynamics.steps)
            result.end = DescentEnd::stepLimit;
        else if (size < smallestStep || best.largestForce == 0)
            result.end = DescentEnd::machinePrecision;
        else if (!goOn)
            result.end = DescentEnd::asked;
        else {
            ++result.steps;
            Trial next = descent.judge(moved(best, size, state.box), first + result.steps);
            bool const accepted = better(next, best);
            goOn = watch({first + result.steps, size, next.potential, next.largestForce, next.atom, accepted});
            if (accepted) best = std::move(next);
            // Out of an overlap steps keep their first length: no energy says yet that longer ones are safe.
            if (std::isfinite(best.potential)) size = std::min(size * (accepted ? growth : shrinkage), largest);
            continue;
        }
        break;
    }

    state.positions = std::move(best.positions);
    state.step = first + result.steps;
    result.potential = best.potential;
    result.largestForce = best.largestForce;
    result.atom = best.atom;
    if (!std::isfinite(result.potential) && result.end != DescentEnd::asked)
        throw base::RunFailed(fmt::format("minimization found no configuration of finite energy in {} steps; the largest force, {:.3g} "
                                          "kJ/mol/nm, acts on atom {}: do atoms overlap?",
                                          result.steps, best.largestForce, best.atom + 1));
    return result;
}

} // namespace alder::loop
