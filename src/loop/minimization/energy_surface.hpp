#pragma once
// The potential as a function of the positions, one configuration at a time.

#include "constraints/force_projection.hpp"
#include "engine/backend.hpp"
#include "system/state.hpp"

#include <limits>
#include <vector>

namespace alder::loop {

/// A configuration, its potential, and the forces that constraints leave.
struct Configuration {
    std::vector<math::FractionVec> positions;
    std::vector<math::Vec3d> forces;
    double potential = std::numeric_limits<double>::infinity(); ///< infinite where atoms overlap so far that energies say nothing
    /// What rounding leaves uncertain of it, kJ/mol: each term of a sum to 6e-8, and reciprocal sums in single precision.
    double uncertainty = 0;
    double largestForce = 0;
    std::int64_t atom = 0; ///< the one it acts on
};

/// Asks the back end for one configuration at a time. All three must outlive it.
class EnergySurface {
public:
    EnergySurface(engine::Backend& backend, constraints::ForceProjection& constraints, system::State& state);

    /// Positions come back satisfying the constraints, and with virtual sites where their atoms put them.
    Configuration at(std::vector<math::FractionVec> positions, std::int64_t step);

    [[nodiscard]] physics::Box const& box() const { return state_.box; }
    [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

private:
    engine::Backend& backend_;
    constraints::ForceProjection& constraints_;
    system::State& state_;
    std::int64_t evaluations_ = 0;
};

} // namespace alder::loop
