#pragma once
// Everything that must survive a restart, as it is in memory: a checkpoint writes these bits and reads them back.

#include "physics/box.hpp"

#include <cstdint>
#include <vector>

namespace alder::system {

/// What the couplings remember from step to step.
struct CouplingState {
    std::vector<double> thermostatIntegral; ///< by temperature group: energy the thermostat has taken out so far, kJ/mol
    std::vector<double> chainPosition;      ///< Nose-Hoover: xi of group g, link n at [g * chainLength + n]
    std::vector<double> chainVelocity;      ///< its time derivative, 1/ps
    math::Mat3d boxVelocity{};              ///< Parrinello-Rahman: d(box)/dt, nm/ps
    double barostatIntegral = 0;            ///< energy the barostat has taken out so far, kJ/mol
};

struct State {
    std::int64_t step = 0;
    physics::Box box;
    std::vector<math::FractionVec> positions; ///< at `step`, in input order
    std::vector<math::Vec3d> velocities;      ///< nm/ps, at step - 1/2
    bool wholeStep = false;                   ///< velocity Verlet, before its first step: velocities are those at `step`
    CouplingState coupling;
};

} // namespace alder::system
