#pragma once
// How far and how long the pair list reaches.

#include "plan/run_plan.hpp"

namespace alder::plan {

struct ListChoice {
    double listCutoff = 0, innerListCutoff = 0;       ///< nm
    std::int64_t listInterval = 1, pruneInterval = 1; ///< steps; the second divides the first
};

/// A pure function of its arguments. Exact lists get no inner list: an atom pair that it missed would not be noticed.
ListChoice chooseList(RunOptions const& options, system::Topology const& topology, physics::Box const& box, PairPlan const& pairs,
                      RunRequest const& request);

/// The longest list radius (nm) with which each atom sees one image of each other: half the shortest box vector, and no more than the
/// least height by which a lattice vector leaves the nearest-image search of a skewed box.
double longestListCutoff(physics::Box const& box);

/// The pair-drift estimate by itself, for tests and for the log.
class PairDrift {
public:
    /// How atoms move between list builds: a variance of k T t^2 / m, or 2 k T t / friction where `diffuse` is set and frictions (amu/ps)
    /// stand for the topology's masses.
    struct Motion {
        double temperature = 0, dt = 0; ///< K, ps
        bool diffuse = false;
    };
    PairDrift(system::Topology const& topology, double volume, PairPlan const& pairs, Motion motion);
    PairDrift(system::Topology const& topology, double volume, PairPlan const& pairs, double temperature, double dt)
        : PairDrift(topology, volume, pairs, Motion{temperature, dt, false})
    {}
    /// Expected drift of the energy, kJ/mol/ps an atom, of a list of this radius (nm) that is used for `steps` steps.
    [[nodiscard]] double at(double listCutoff, std::int64_t steps) const;
    /// The least list radius, a multiple of 0.001 nm over the cut-off, with at most this drift.
    [[nodiscard]] double cutoffFor(double tolerance, std::int64_t steps) const;

private:
    /// Atoms alike in all that the estimate asks of them.
    struct Sort {
        double mass = 0, charge = 0;
        int type = 0;
        double partnerMass = 0, partnerDistance = 0; ///< of the heaviest constraint partner; 0: free
        double count = 0;
        /// An atom that carries a much lighter partner moves almost freely, and as a free atom is not overestimated by much.
        [[nodiscard]] bool bound() const { return partnerMass > 0.5 * mass; }
    };
    struct Slopes {
        double first = 0, second = 0, third = 0; ///< -V', V'', -V''' at the cut-off
    };
    void sortAtoms(system::Topology const& topology);
    [[nodiscard]] Slopes ljSlopes(int power) const;
    [[nodiscard]] Slopes coulombSlopes() const;

    PairPlan pairs_;
    double volume_;
    Motion motion_;
    double atoms_ = 0, cutoff_ = 0;
    std::vector<Sort> sorts_;
    system::Nonbonded nonbonded_;
};

} // namespace alder::plan
