#pragma once
// The contract of a back end: what the step asks of a CPU or a GPU, about eight calls a step. All sums come back as integers.

#include "base/clock.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"
#include "system/sums.hpp"
#include "system/topology.hpp"

#include <string>
#include <vector>

namespace alder::engine {

/// Factors that the couplings ask of the update.
struct Scaling {
    std::vector<double> velocity; ///< lambda by temperature group; empty: no coupling this step
    std::vector<double> drag;     ///< Nose-Hoover, by temperature group: half an interval times the thermostat's velocity; empty: none
};

/// What one advance() leaves behind for the observers and the couplings.
struct AdvanceSums {
    system::MotionSums motion;          ///< of the new half-step velocities; filled where StepPlan::kinetic
    math::FixedTensor constraintVirial; ///< -1/2 sum r outer F of the constraint forces; filled where StepPlan::virial()
    /// Stochastic dynamics: what friction and noise have brought since this was last filled, kJ/mol, by temperature group; filled where
    /// StepPlan::kinetic and else empty, so that a step that nobody looks at leaves its sums where they are.
    std::vector<math::FixedSum> heat;
};

/// Which arrays collect() is to fetch.
struct Wanted {
    bool positions = true, velocities = true, forces = false;
    bool everywhere = false; ///< on every rank; else where there are several, on the first alone
};

class Backend {
public:
    virtual ~Backend() = default;
    /// Takes positions, velocities, box and step; the next forces() must be on a list step.
    virtual void adopt(system::State const& state) = 0;
    /// Builds pair lists from the present positions.
    virtual void buildLists() = 0;
    /// True where an atom has moved so far that the list may miss a pair (exact mode asks every step).
    virtual bool listIsStale() = 0;
    /// Forces of the present positions; energies where plan.energies, the virial where plan.virial(). With multiple time steps the slow
    /// forces are left out but where plan.slowForces.
    virtual void forces(plan::StepPlan const& plan) = 0;
    /// Energies and virial of the last forces() that summed them.
    virtual system::ForceSums const& sums() = 0;
    /// Whether the back end makes the factors of thermostats by itself on steps that couple, by what adopt() has read of the state: no
    /// scaling is then given to advance(), and kinetic energies are asked for where somebody looks at them alone (plan::CoupledBy).
    [[nodiscard]] virtual bool couplesTemperature() const { return false; }
    /// Where it does, what thermostats remember by now is put into the state's.
    virtual void collectThermostats(system::CouplingState&) {}
    /// Kinetic energies and momentum of the present velocities.
    virtual system::MotionSums motion() = 0;
    /// Velocity Verlet: ends the step that led to these positions, half a kick by the forces of forces(), velocities along constraints
    /// taken out. Kinetic energies and the constraint virial are those of the whole step.
    virtual AdvanceSums const& arrive(plan::StepPlan const& plan) = 0;
    /// One step of the plan's integrator with constraints, to the next positions; velocities are scaled first. With multiple time steps
    /// slow forces act where plan.slowForces, times the steps until the next such step; the constraint virial is that of a step with every
    /// force counted once, which is not kept.
    virtual AdvanceSums const& advance(plan::StepPlan const& plan, Scaling const& scaling) = 0;
    /// Another box with the atoms at the same fractions of it; velocities, as columns, are multiplied by `velocityFactor` (a barostat at
    /// the end of a step). The pair list stays.
    virtual void changeBox(physics::Box const& box, math::Mat3d const& velocityFactor) = 0;
    /// Copies positions and velocities (exact) into `state`, and forces (kJ/mol/nm, after virtual-site spreading, before constraints).
    virtual void collect(Wanted wanted, system::State& state, std::vector<math::Vec3d>& forces) = 0;
    /// The same in two parts, for a back end that goes on with the steps while arrays travel: true where finishCollect() will bring them as
    /// they are now, and is to be called before either is called again. False: collect() has to be asked.
    virtual bool startCollect(Wanted) { return false; }
    virtual void finishCollect(system::State&, std::vector<math::Vec3d>&) {}
    /// Satisfies constraints at the start: positions, then velocities along the bonds.
    virtual void constrainStart() = 0;
    /// How far (nm) a virtual site lies from its place where pairs see it: 0 unless sites are taken as given.
    [[nodiscard]] virtual double sitesOutOfPlace() = 0;
    [[nodiscard]] virtual base::Clock& clock() = 0;
    [[nodiscard]] virtual std::string describe() const = 0; ///< "CPU, AVX2+FMA, 2 threads"
    [[nodiscard]] virtual int pmeRanks() const = 0;         ///< that do nothing else
};

} // namespace alder::engine
