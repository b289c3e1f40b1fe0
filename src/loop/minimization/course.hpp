#pragma once
// What every minimizer does besides choosing where to go: keeps the best, counts, tells who watches, and knows when to end.

#include "loop/minimization.hpp"
#include "loop/minimization/energy_surface.hpp"

namespace alder::loop {

/// Below this step (nm) a minimizer has come as far as it can: positions are kept to some 1e-9 nm, and energies to 6e-8 kJ/mol.
inline constexpr double smallestStep = 1e-8;

class Course {
public:
    /// Computes the start and shows it. All must outlive the course.
    Course(EnergySurface& surface, plan::DynamicsPlan const& dynamics, system::State& state, WatchMinimization const& watch);

    [[nodiscard]] Configuration const& best() const { return best_; }
    [[nodiscard]] plan::DynamicsPlan const& dynamics() const { return dynamics_; }
    [[nodiscard]] physics::Box const& box() const { return surface_.box(); }
    /// No atom goes farther than this (nm) at once.
    [[nodiscard]] double longestStep() const;

    /// The configuration at these positions, for the step that is being made.
    Configuration at(std::vector<math::FractionVec> positions) { return surface_.at(std::move(positions), first_ + steps_ + 1); }

    /// True while another step is due. `exhausted`: no step that can still be made would matter.
    bool goesOn(bool exhausted);
    /// Ends a step: `next` becomes the best where it is accepted.
    void finishStep(Configuration next, double size, bool accepted);

    /// Leaves the best in the state and says how it ended.
    MinimizationResult finish();

private:
    EnergySurface& surface_;
    plan::DynamicsPlan const& dynamics_;
    system::State& state_;
    WatchMinimization const& watch_;
    std::int64_t first_, steps_ = 0;
    Configuration best_;
    MinimizationEnd end_ = MinimizationEnd::stepLimit;
    bool asked_ = false;
};

} // namespace alder::loop
