#pragma once
// What a kernel of the update is given: arrays in the topology's atom order, and what is the same for all atoms in one step.

#include "device/view.hpp"
#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "physics/leap_frog.hpp"

#include <cstdint>

namespace alder::cuda {

/// The moving system, in the GPU's memory.
struct Moving {
    View<math::FractionVec> positions;
    View<math::Vec3d> velocities;    ///< nm/ps
    View<std::int64_t const> forces; ///< three an atom, units of 2^-24 kJ/mol/nm
};

/// What an atom is.
struct AtomTraits {
    View<double const> mass, inverseMass; ///< amu, 1/amu; 0 for both where there is no mass
    View<std::uint8_t const> groupOf;     ///< temperature group; not given where there is one only
    View<std::int32_t const> numbers;     ///< in the whole system; not given where the atoms are the whole
};

/// What changes from one run of steps to the next: in the GPU's memory, so that steps that were recorded once are good for every run.
struct StepSetting {
    physics::Box box;
    physics::FractionSteps fractions;
    double squareLimit = 0;     ///< nm^2: no atom moves farther in a step of a run that makes sense
    std::int64_t firstStep = 0; ///< the step of order 0
};

/// One step, for all atoms.
struct StepConstants {
    View<StepSetting const> setting; ///< one
    double dt = 0;                   ///< ps
    std::uint64_t order = 0;         ///< of this step among those that can be blamed (blame_board.hpp)

    [[nodiscard]] __device__ physics::Box box() const
    {
        StepSetting const now = setting[0];
        return now.box;
    }
    [[nodiscard]] __device__ physics::FractionSteps fractions() const
    {
        StepSetting const now = setting[0];
        return now.fractions;
    }
    [[nodiscard]] __device__ double squareLimit() const
    {
        StepSetting const now = setting[0];
        return now.squareLimit;
    }
    /// The step's number, as random numbers have it.
    [[nodiscard]] __device__ std::int64_t number() const
    {
        StepSetting const now = setting[0];
        return now.firstStep + static_cast<std::int64_t>(order);
    }
};

#if defined(ALDER_SIMT) || defined(__CUDACC__)

__device__ inline math::ForceUnits forceOn(Moving const& moving, int atom)
{
    auto const at = 3 * static_cast<std::size_t>(atom);
    return {moving.forces[at], moving.forces[at + 1], moving.forces[at + 2]};
}
__device__ inline math::Vec3d numbersOf(math::ForceUnits f)
{
    return {physics::forceNumber(f.x), physics::forceNumber(f.y), physics::forceNumber(f.z)};
}
/// What random numbers go by.
__device__ inline int numberOf(AtomTraits const& traits, int atom) { return traits.numbers.given() ? traits.numbers[atom] : atom; }
__device__ inline int groupOf(AtomTraits const& traits, int atom)
{
    return traits.groupOf.given() ? static_cast<int>(traits.groupOf[atom]) : 0;
}

#endif

} // namespace alder::cuda
