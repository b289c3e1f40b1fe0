#pragma once
// What a looker sees of a run: frames, energies, progress. Written by the loop, read by every observer.

#include "physics/box.hpp"
#include "system/interaction.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace alder::observe {

/// Positions, velocities and forces of one step, atoms in input order.
struct Frame {
    std::int64_t step = 0;
    double time = 0; ///< ps
    physics::Box box;
    std::vector<math::Vec3f> positions;  ///< nm, molecules as they are in the box (each atom wrapped)
    std::vector<math::Vec3f> velocities; ///< nm/ps; empty where not asked for
    std::vector<math::Vec3f> forces;     ///< kJ/mol/nm; empty where not asked for
};

/// Energies of one step, kJ/mol; temperature K; pressure bar; virial and pressure as tensors.
struct Energies {
    std::int64_t step = 0;
    double time = 0;
    bool energyFrame = true; ///< the trajectory file's energies want this step
    bool logLine = true;     ///< the log wants this step
    std::array<double, system::termCount> terms{};
    double potential = 0, kinetic = 0, total = 0, conserved = 0, temperature = 0, pressure = 0, dispersionPressure = 0;
    /// Of a run with a barostat; lengths nm, volume nm^3, density kg/m^3.
    double boxX = 0, boxY = 0, boxZ = 0, boxYX = 0, boxZX = 0, boxZY = 0, volume = 0, density = 0, pV = 0, enthalpy = 0;
    math::Mat3d virial, pressureTensor;
    std::vector<double> groupTemperatures;
    physics::Box box;
};

/// Where a run stands.
struct Progress {
    std::int64_t step = 0, lastStep = 0;
    double time = 0;
    double nsPerDay = 0;
    double secondsLeft = 0;
};

/// One who looks. see...() may throw base::RunFailed (a full disk); the loop then stops with the last checkpoint kept.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void seeFrame(Frame const&) {}
    virtual void seeEnergies(Energies const&) {}
    virtual void seeProgress(Progress const&) {}
};

} // namespace alder::observe
