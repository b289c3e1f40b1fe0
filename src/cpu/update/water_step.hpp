#pragma once
// Eight rigid waters stepped side by side. The formulas are those of physics/, lane by lane; the arrays exist so that the compiler can
// put lanes into vector registers. Only additions, multiplications, divisions and square roots occur, all correctly rounded, so every
// vector width gives the same bits and the widest that the processor runs is chosen.

#include "physics/leap_frog.hpp"
#include "physics/settle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace alder::cpu {

inline constexpr std::size_t waterLanes = 8;

using Lane = std::array<double, waterLanes>;
using LaneVec = math::Vec3<Lane>;

/// Index of an atom in a water.
inline constexpr std::size_t oxygen = 0, hydrogen1 = 1, hydrogen2 = 2;

struct alignas(64) WaterLanes {
    // in
    std::array<LaneVec, 2> before;      ///< O->H1, O->H2, nm
    std::array<LaneVec, 3> force;       ///< units of 2^-24 kJ/mol/nm
    std::array<Lane, 3> lambda;         ///< velocity factors
    // in and out
    std::array<LaneVec, 3> velocity;    ///< nm/ps
    // out
    std::array<LaneVec, 3> displacement;///< nm
    std::array<LaneVec, 3> shift;       ///< what SETTLE added to the free displacement, nm
    std::array<math::Vec3<std::array<std::int32_t, waterLanes>>, 3> step; ///< displacement in box fractions
    Lane largestForce;                  ///< largest component, units
    Lane largestSquare;                 ///< largest squared displacement of an atom, nm^2; infinite where it is not a number
};

/// What is the same for all waters of one triangle in one step.
struct WaterStep {
    physics::WaterGeometry<double> geometry;
    physics::FractionSteps fractions;
    double dt = 0, inverseDt = 0;            ///< ps, 1/ps
    double oxygenKick = 0, hydrogenKick = 0; ///< physics::kickFactor()
};

using StepWaters = void (*)(WaterLanes&, WaterStep const&);

/// The widest version that this processor runs.
StepWaters chooseStepWaters();

/// SETTLE alone: `displacement` in, `shift` out, for starting configurations.
void settleLanes(WaterLanes& lanes, physics::WaterGeometry<double> const& geometry);

} // namespace alder::cpu
