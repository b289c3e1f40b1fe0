#include "loop/minimization/energy_surface.hpp"

#include "physics/leap_frog.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alder::loop {

namespace {

using math::Vec3d;

constexpr double infinite = std::numeric_limits<double>::infinity();

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

/// Along lines of 1e-6 nm the energy of four butanes deviates from what the forces say by 5e-6 kJ/mol, at most 1.3e-5.
double uncertaintyOf(system::ForceSums const& sums, std::size_t atoms)
{
    constexpr double termsAnAtom = 100, factor = 4;
    double size = 0;
    for (math::FixedSum const& term : sums.terms) size += std::fabs(term.value());
    return factor * std::sqrt(termsAnAtom * static_cast<double>(atoms)) / math::sumScale + 1e-8 * size;
}

void findLargestForce(Configuration& configuration)
{
    double largest = -1;
    for (std::size_t i = 0; i < configuration.forces.size(); ++i) {
        double const square = norm2(configuration.forces[i]);
        if (square > largest) {
            largest = square;
            configuration.atom = static_cast<std::int64_t>(i);
        }
    }
    configuration.largestForce = std::sqrt(std::max(0.0, largest));
}

/// A force this large may hold a clamped term, and then the energy holds one too, whatever the other pairs add to it.
bool anyIsSuspect(std::vector<Vec3d> const& forces)
{
    std::uint64_t bits = 0;
    for (Vec3d const f : forces) bits |= physics::forceBits(math::forceUnits(f));
    return physics::forceIsSuspect(bits);
}

} // namespace

EnergySurface::EnergySurface(engine::Backend& backend, constraints::ForceProjection& constraints, system::State& state)
    : backend_(backend),
      constraints_(constraints),
      state_(state)
{}

Configuration EnergySurface::at(std::vector<math::FractionVec> positions, std::int64_t step)
{
    ++evaluations_;
    state_.positions = std::move(positions);
    state_.step = step;
    backend_.adopt(state_);
    if (!constraints_.empty()) backend_.constrainStart();
    backend_.buildLists();
    plan::StepPlan plan;
    plan.step = step;
    plan.buildList = plan.prune = plan.energies = true;
    backend_.forces(plan);
    Configuration configuration;
    backend_.collect({true, false, true, true}, state_, configuration.forces); // all ranks search by the same numbers
    configuration.positions = state_.positions;
    configuration.potential = anyIsSuspect(configuration.forces) ? infinite : potentialOf(backend_.sums(), configuration.forces.size());
    configuration.uncertainty = uncertaintyOf(backend_.sums(), configuration.forces.size());
    constraints_.apply(configuration.positions, state_.box, configuration.forces);
    findLargestForce(configuration);
    return configuration;
}

} // namespace alder::loop
