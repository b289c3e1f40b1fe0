#pragma once
// Eight rigid waters stepped side by side. The formulas are those of physics/, lane by lane; the arrays exist so that the compiler can
// put lanes into vector registers. Only additions, multiplications, divisions and square roots occur, all correctly rounded, so every
// vector width gives the same bits and the widest that the processor runs is chosen.

#include "cpu/lane_vec.hpp"
#include "physics/box.hpp"
#include "physics/leap_frog.hpp"
#include "physics/settle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace alder::cpu {

inline constexpr std::size_t waterLanes = laneCount;

/// Index of an atom in a water.
inline constexpr std::size_t oxygen = 0, hydrogen1 = 1, hydrogen2 = 2;

struct alignas(64) WaterLanes {
    // in
    std::array<LaneVec<std::int32_t>, 2> fractions;       ///< O->H1, O->H2 as box fractions
    std::array<LaneVec<std::int64_t>, 3> force;           ///< units of 2^-24 kJ/mol/nm
    std::array<std::array<double, waterLanes>, 3> lambda; ///< velocity factors
    std::array<std::array<double, waterLanes>, 3> kick;   ///< what a drag leaves of the kick, 1 without one
    // in and out
    std::array<LaneVec<double>, 3> velocity; ///< nm/ps
    // out
    std::array<LaneVec<double>, 2> before;           ///< O->H1, O->H2 at the start of the step, nm
    std::array<LaneVec<double>, 3> displacement;     ///< nm
    std::array<LaneVec<double>, 3> shift;            ///< what SETTLE added to the free displacement, nm
    std::array<LaneVec<std::int32_t>, 3> step;       ///< displacement in box fractions
    std::array<std::uint64_t, waterLanes> forceBits; ///< see physics::forceIsSuspect()
    std::array<double, waterLanes> largestSquare;    ///< largest squared displacement of an atom, nm^2; infinite where not a number
};

/// What is the same for all waters of one triangle in one step.
struct WaterStep {
    physics::WaterGeometry<double> geometry;
    physics::Box box;
    physics::FractionSteps fractions;
    double dt = 0, inverseDt = 0;            ///< ps, 1/ps
    double oxygenKick = 0, hydrogenKick = 0; ///< physics::kickFactor()
};

using StepWaters = void (*)(WaterLanes&, WaterStep const&);

/// All versions that this processor runs, the widest last.
std::vector<StepWaters> stepWatersVersions();

/// SETTLE alone: `fractions` and `displacement` in, `before` and `shift` out, for starting configurations.
void settleLanes(WaterLanes& lanes, physics::WaterGeometry<double> const& geometry, physics::Box const& box);

} // namespace alder::cpu
