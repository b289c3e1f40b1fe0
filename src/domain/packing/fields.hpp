#pragma once
// What the structs hold that rank 0 sends to all others. A struct that gains a field stops compiling here until it is listed.

#include "domain/packing/archive.hpp"
#include "plan/run_plan.hpp"
#include "system/state.hpp"
#include "system/topology.hpp"

#include <concepts>

namespace alder::domain {

/// U, to be read or to be written.
template <class T, class U>
concept Either = std::same_as<std::remove_const_t<T>, U>;

template <> inline constexpr bool plainBytes<math::Vec3d> = sizeof(math::Vec3d) == 3 * sizeof(double);
template <> inline constexpr bool plainBytes<math::Vec3f> = sizeof(math::Vec3f) == 3 * sizeof(float);
template <> inline constexpr bool plainBytes<math::FractionVec> = sizeof(math::FractionVec) == 3 * sizeof(std::int32_t);
template <> inline constexpr bool plainBytes<math::Mat3d> = sizeof(math::Mat3d) == 9 * sizeof(double);

} // namespace alder::domain

// ---- base and physics: what their classes show

namespace alder::base {

void visitFields(domain::Either<Place> auto& place, auto& visit)
{
    auto& [file, line] = place;
    visit(file, line);
}
void visitFields(domain::Either<Fault> auto& fault, auto& visit)
{
    auto& [place, what, instead] = fault;
    visit(place, what, instead);
}
inline void visitFields(FaultList const& list, domain::Packer& pack) { pack(list.faults(), list.warnings()); }
inline void visitFields(FaultList& list, domain::Unpacker& unpack)
{
    std::vector<Fault> faults, warnings;
    unpack(faults, warnings);
    list = FaultList();
    for (Fault& f : faults) list.refuse(std::move(f.place), std::move(f.what), std::move(f.instead));
    for (Fault& w : warnings) list.warn(std::move(w.place), std::move(w.what), std::move(w.instead));
}

} // namespace alder::base

namespace alder::physics {

inline void visitFields(Box const& box, domain::Packer& pack) { pack(box.a(), box.b(), box.c()); }
inline void visitFields(Box& box, domain::Unpacker& unpack)
{
    math::Vec3d a, b, c;
    unpack(a, b, c);
    box = Box(a, b, c);
}

} // namespace alder::physics

namespace alder::system {

void visitFields(domain::Either<Atom> auto& atom, auto& visit)
{
    auto& [name, residueName, residue, type, charge, mass, particle] = atom;
    visit(name, residueName, residue, type, charge, mass, particle);
}
void visitFields(domain::Either<InteractionList> auto& list, auto& visit)
{
    auto& [atoms, parameters] = list;
    visit(atoms, parameters);
}
void visitFields(domain::Either<MoleculeType> auto& type, auto& visit)
{
    auto& [name, exclusionBonds, atoms, interactions, exclusionStart, exclusions] = type;
    visit(name, exclusionBonds, atoms, interactions, exclusionStart, exclusions);
}
void visitFields(domain::Either<MoleculeBlock> auto& block, auto& visit)
{
    auto& [type, count, firstAtom, firstMolecule] = block;
    visit(type, count, firstAtom, firstMolecule);
}
void visitFields(domain::Either<Nonbonded> auto& nonbonded, auto& visit)
{
    auto& [combinationRule, typeCount, typeNames, c6, c12, fudgeQQ] = nonbonded;
    visit(combinationRule, typeCount, typeNames, c6, c12, fudgeQQ);
}
void visitFields(domain::Either<AtomGroups> auto& groups, auto& visit)
{
    auto& [names, groupOf] = groups;
    visit(names, groupOf);
}
void visitFields(domain::Either<Topology> auto& topology, auto& visit)
{
    auto& [title, nonbonded, types, blocks, parameters, cmapGrids, firstUse, atomCount, moleculeCount, temperatureGroups, freezeGroups,
           restraintReference, restraintFractions, part] = topology;
    static_cast<void>(part); // whole systems are sent
    visit(title, nonbonded, types, blocks, parameters, cmapGrids, firstUse, atomCount, moleculeCount, temperatureGroups, freezeGroups,
          restraintReference, restraintFractions);
}
void visitFields(domain::Either<CouplingState> auto& coupling, auto& visit)
{
    auto& [thermostatIntegral, chainPosition, chainVelocity, boxVelocity, barostatIntegral] = coupling;
    visit(thermostatIntegral, chainPosition, chainVelocity, boxVelocity, barostatIntegral);
}
void visitFields(domain::Either<State> auto& state, auto& visit)
{
    auto& [step, box, positions, velocities, wholeStep, coupling] = state;
    visit(step, box, positions, velocities, wholeStep, coupling);
}

} // namespace alder::system

namespace alder::plan {

void visitFields(domain::Either<PairPlan> auto& pairs, auto& visit)
{
    auto& [coulomb, vdw, rcoulomb, rvdw, rvdwSwitch, electricFactor, krf, crf, beta, ewaldShift, dispersionShift, repulsionShift, ljBeta,
           gridShift, gridCombination, listCutoff, innerListCutoff, listInterval, pruneInterval, exactLists, sitesAsGiven, latticeBits,
           forceBits, wideSums] = pairs;
    visit(coulomb, vdw, rcoulomb, rvdw, rvdwSwitch, electricFactor, krf, crf, beta, ewaldShift, dispersionShift, repulsionShift, ljBeta,
          gridShift, gridCombination, listCutoff, innerListCutoff, listInterval, pruneInterval, exactLists, sitesAsGiven, latticeBits,
          forceBits, wideSums);
}
void visitFields(domain::Either<PmePlan> auto& pme, auto& visit)
{
    auto& [active, sum, order, grid, beta, electricFactor, uniformEnergyFactor, selfEnergy, chargeBits, sourceOfType] = pme;
    visit(active, sum, order, grid, beta, electricFactor, uniformEnergyFactor, selfEnergy, chargeBits, sourceOfType);
}
void visitFields(domain::Either<SurfacePlan> auto& surface, auto& visit)
{
    auto& [surroundings, factor, netCharge] = surface;
    visit(surroundings, factor, netCharge);
}
void visitFields(domain::Either<DispersionPlan> auto& dispersion, auto& visit)
{
    auto& [energyFactor, virialFactor, energyConstant, energy, pressure] = dispersion;
    visit(energyFactor, virialFactor, energyConstant, energy, pressure);
}
void visitFields(domain::Either<TemperatureGroupPlan> auto& group, auto& visit)
{
    auto& [reference, tau, degreesOfFreedom, annealing, annealingTimes, annealingTemperatures] = group;
    visit(reference, tau, degreesOfFreedom, annealing, annealingTimes, annealingTemperatures);
}
void visitFields(domain::Either<BarostatPlan> auto& barostat, auto& visit)
{
    auto& [kind, type, interval, tau, compressibility, reference, skewed, startLength, refcoordScaling] = barostat;
    visit(kind, type, interval, tau, compressibility, reference, skewed, startLength, refcoordScaling);
}
void visitFields(domain::Either<ConstraintPlan> auto& constraints, auto& visit)
{
    auto& [bonds, shake, lincsOrder, lincsIterations, shakeTolerance, warnAngle] = constraints;
    visit(bonds, shake, lincsOrder, lincsIterations, shakeTolerance, warnAngle);
}
void visitFields(domain::Either<SlowForces> auto& slow, auto& visit)
{
    auto& [interval, grid, nonbonded, pairs14, dihedrals, angles] = slow;
    visit(interval, grid, nonbonded, pairs14, dihedrals, angles);
}
void visitFields(domain::Either<DynamicsPlan> auto& dynamics, auto& visit)
{
    auto& [integrator, dt, tinit, steps, initStep, thermostat, coupleInterval, chainLength, barostat, constraints, slow, bdFriction,
           frozenAxes, groups, degreesOfFreedom, mass, removeComm, commInterval, seed, constrainStart, emtol, emstep, steepestInterval,
           bfgsCorrections] = dynamics;
    visit(integrator, dt, tinit, steps, initStep, thermostat, coupleInterval, chainLength, barostat, constraints, slow, bdFriction,
          frozenAxes, groups, degreesOfFreedom, mass, removeComm, commInterval, seed, constrainStart, emtol, emstep, steepestInterval,
          bfgsCorrections);
}
void visitFields(domain::Either<ElectricField> auto& field, auto& visit)
{
    auto& [amplitude, omega, t0, sigma] = field;
    visit(amplitude, omega, t0, sigma);
}
void visitFields(domain::Either<ElectricFieldPlan> auto& field, auto& visit)
{
    auto& [active, axes] = field;
    visit(active, axes);
}
void visitFields(domain::Either<DistanceRestraintPlan> auto& restraints, auto& visit)
{
    auto& [active, equalWeights, forceConstant] = restraints;
    visit(active, equalWeights, forceConstant);
}
void visitFields(domain::Either<OutputPlan> auto& output, auto& visit)
{
    auto& [frameInterval, energyInterval, logInterval, velocities, forces] = output;
    visit(frameInterval, energyInterval, logInterval, velocities, forces);
}
void visitFields(domain::Either<RunPlan> auto& plan, auto& visit)
{
    auto& [pairs, pme, dispersionGrids, surface, dispersion, electricField, distanceRestraints, dynamics, output, energyInterval, notes] =
        plan;
    visit(pairs, pme, dispersionGrids, surface, dispersion, electricField, distanceRestraints, dynamics, output, energyInterval, notes);
}

} // namespace alder::plan
