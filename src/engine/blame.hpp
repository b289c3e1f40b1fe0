#pragma once
// What ends a run in the update: the first atom, in atom order, for which something is off, and the words to say so.

#include "math/fixed_sum.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace alder::engine {

/// A distance that could not be kept.
struct LostDistance {
    std::int64_t partner = -1;      ///< the other atom; -1: all distances are well
    double wanted = 0, present = 0; ///< nm; present: without constraint forces
    double rootMeanSquare = 0;      ///< relative deviation of all that is solved together
    std::int64_t solvedTogether = 0;
};

struct Blame {
    std::int64_t atom = std::numeric_limits<std::int64_t>::max();
    math::ForceUnits force;
    double displacement = 0; ///< nm; not-a-number where constraints have no solution
    LostDistance distance;
    [[nodiscard]] ALDER_HD bool found() const { return atom != std::numeric_limits<std::int64_t>::max(); }
    ALDER_HD void take(Blame const& other)
    {
        if (other.atom < atom) *this = other;
    }
};

/// "atom 27 (HW1 of residue SOL 12, molecule SOL 12)"
std::string nameOf(system::Topology const& topology, std::int64_t atom);

/// "the distance of atom 5 (...) and atom 6 (...) is constrained to 0.109 nm and has become 0.153 nm (...)"
std::string describe(system::Topology const& topology, std::int64_t atom, LostDistance const& lost);

/// Starting positions, and starting velocities, that constraints cannot be satisfied with.
[[noreturn]] void failStartPositions(system::Topology const& topology, Blame const& blame);
[[noreturn]] void failStartVelocities(system::Topology const& topology, Blame const& blame);
[[noreturn]] void failStep(system::Topology const& topology, std::int64_t step, Blame const& blame);

} // namespace alder::engine
