#include "cpu/cpu_backend.hpp"

#include "plan/multiple_time_steps.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace alder::cpu {

using base::Part;
using base::Timed;

CpuBackend::CpuBackend(system::Topology const& topology, plan::RunPlan const& plan, CpuChoice choice)
    : plan_(plan),
      choice_(choice),
      pairs_(topology, plan.pairs, choice.simd, choice.threads),
      slow_(plan.dynamics.slow),
      bonded_(topology, plan, choice.threads, plan::kindsThatWait(slow_, false)),
      slowBonded_(topology, plan, choice.threads, plan::kindsThatWait(slow_, true)),
      distances_(topology, plan.distanceRestraints),
      field_(topology, plan.electricField, choice.threads),
      sites_(topology, choice.threads),
      pme_(plan.pme.active ? std::make_unique<PmeForces>(topology, plan.pme, choice.simd, choice.threads) : nullptr),
      surface_(plan.surface.surroundings != plan::Surroundings::conducting
                   ? std::make_unique<SurfaceTerm>(topology, plan.surface, choice.threads)
                   : nullptr),
      motion_(topology, plan.dynamics, choice.threads),
      frozen_(topology, plan.dynamics)
{
    for (plan::PmePlan const& grid : plan.dispersionGrids)
        dispersion_.push_back(std::make_unique<PmeForces>(topology, grid, choice.simd, choice.threads));
}

void CpuBackend::adopt(system::State const& state)
{
    box_ = state.box;
    positions_ = state.positions;
    velocities_ = state.velocities;
    if (!velocities_.empty()) frozen_.stop(velocities_);
    wholeStep_ = state.wholeStep;
    forces_.resize(positions_.size());
    if (slow_.any()) impulse_.resize(positions_.size());
    given_.clear();
    if (sites_.empty()) return;
    if (plan_.pairs.sitesAsGiven) given_ = positions_;
    sites_.construct(positions_, box_);
}

void CpuBackend::buildLists()
{
    {
        Timed const timed(clock_, Part::listBuild);
        pairs_.buildList(pairPositions(), box_);
    }
    Timed const timed(clock_, Part::prune);
    pairs_.prune(pairPositions());
}

bool CpuBackend::listIsStale() { return pairs_.stale(positions_); }

void CpuBackend::clear(Forces& forces) const
{
    auto const count = static_cast<std::int64_t>(forces.size());
#pragma omp parallel for num_threads(choice_.threads) schedule(static)
    for (std::int64_t i = 0; i < count; ++i) forces[static_cast<std::size_t>(i)] = {};
}

CpuBackend::Forces* CpuBackend::targetOf(bool waiting, plan::StepPlan const& plan)
{
    if (!slow_.any() || !waiting) return &forces_;
    return plan.slowForces ? &impulse_ : nullptr;
}

void CpuBackend::forces(plan::StepPlan const& plan)
{
    system::ForceSums* const sums = plan.virial() ? &sums_ : nullptr;
    if (sums) sums_ = {};
    clear(forces_);
    bool const waited = slow_.any() && plan.slowForces;
    if (waited) clear(impulse_);
    if (plan.prune && !plan.buildList) {
        Timed const timed(clock_, Part::prune);
        pairs_.prune(pairPositions());
    }
    addPairs(plan, sums);
    addBonded(plan, sums);
    if (!distances_.empty()) distances_.add(positions_, box_, forces_, sums);
    if (field_.active()) field_.add(plan_.dynamics.tinit + static_cast<double>(plan.step) * plan_.dynamics.dt, forces_);
    addGrids(plan, sums);
    if (waited) makeImpulse();
    if (!sites_.empty()) {
        sites_.spread(positions_, box_, forces_, sums);
        if (waited) sites_.spread(positions_, box_, impulse_, nullptr);
    }
    if (sums) addDispersionCorrection();
}

/// Forces come first, so that those on sites are the pairs' alone when the virial is mended.
void CpuBackend::addPairs(plan::StepPlan const& plan, system::ForceSums* sums)
{
    Forces* const target = targetOf(slow_.nonbonded, plan);
    if (target == nullptr) return;
    {
        Timed const timed(clock_, Part::pairs);
        pairs_.addForces(pairPositions(), *target, sums && !plan_.pairs.wideSums ? &sums->virial : nullptr);
    }
    if (!plan.energies) return;
    Timed const timed(clock_, Part::pairEnergies);
    pairs_.addEnergies(pairPositions(), *sums, plan_.pairs.wideSums ? &sums->virial : nullptr);
    if (!given_.empty()) sites_.addDisplacedVirial(given_, positions_, box_, *target, sums->virial);
}

void CpuBackend::addBonded(plan::StepPlan const& plan, system::ForceSums* sums)
{
    Timed const timed(clock_, Part::bonded);
    bonded_.add(positions_, box_, forces_, sums);
    Forces* const target = targetOf(true, plan);
    if (target != nullptr) slowBonded_.add(positions_, box_, *target, sums);
}

void CpuBackend::addGrids(plan::StepPlan const& plan, system::ForceSums* sums)
{
    Forces* const target = targetOf(slow_.grid, plan);
    if (target == nullptr) return;
    if (pme_) pme_->add(positions_, box_, *target, sums, clock_);
    for (auto const& grid : dispersion_) grid->add(positions_, box_, *target, sums, clock_);
    if (surface_) surface_->add(positions_, box_, *target, sums);
}

/// From what acts every step and what has waited: their sum, and with the latter as many times as steps pass until its next turn (Verlet-I,
/// H. Grubmueller et al., Mol. Simul. 6, 121 (1991); r-RESPA, M. Tuckerman et al., J. Chem. Phys. 97, 1990 (1992)).
void CpuBackend::makeImpulse()
{
    auto const count = static_cast<std::int64_t>(forces_.size());
    std::int64_t const times = slow_.interval;
#pragma omp parallel for num_threads(choice_.threads) schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
        math::ForceUnits &sum = forces_[static_cast<std::size_t>(i)], &waiting = impulse_[static_cast<std::size_t>(i)];
        math::ForceUnits const fast = sum;
        sum += waiting;
        waiting = fast + math::ForceUnits{times * waiting.x, times * waiting.y, times * waiting.z};
    }
}

void CpuBackend::addDispersionCorrection()
{
    plan::DispersionPlan const& dispersion = plan_.dispersion;
    if (dispersion.energy)
        sums_.of(system::Term::dispersionCorrection).addWhole(dispersion.energyFactor / box_.volume() + dispersion.energyConstant);
    if (dispersion.pressure) {
        double const virial = dispersion.virialFactor / box_.volume();
        sums_.virial.add({{virial, 0, 0}, {0, virial, 0}, {0, 0, virial}});
    }
}

system::MotionSums CpuBackend::motion() { return motion_.motion(velocities_); }

engine::AdvanceSums const& CpuBackend::arrive(plan::StepPlan const& plan)
{
    Timed const timed(clock_, Part::update);
    std::vector<math::ForceUnits> const& felt = frozen_.empty() ? forces_ : frozen_.freed(forces_);
    motion_.arrive({positions_, velocities_, box_, felt, std::exchange(wholeStep_, false)}, plan, advanced_);
    return advanced_;
}

engine::AdvanceSums const& CpuBackend::advance(plan::StepPlan const& plan, engine::Scaling const& scaling)
{
    Timed const timed(clock_, Part::update);
    bool const waited = slow_.any() && plan.slowForces;
    Forces const& forces = waited ? impulse_ : forces_;
    // What constraints do where every force counts once: with forces that count more often, their part of the virial would too.
    math::FixedTensor plain;
    if (waited && plan.virial())
        plain = motion_.constraintVirial({positions_, box_}, velocities_, frozen_.empty() ? forces_ : frozen_.freed(forces_));
    if (frozen_.empty()) {
        motion_.advance(positions_, velocities_, box_, forces, plan, scaling, advanced_);
    } else {
        frozen_.remember(positions_);
        motion_.advance(positions_, velocities_, box_, frozen_.freed(forces), plan, scaling, advanced_);
        // the drift that was taken out of the others, or noise
        frozen_.putBack(positions_, box_);
        frozen_.stop(velocities_);
        if (plan.kinetic) advanced_.motion = motion_.motion(velocities_);
    }
    if (waited && plan.virial()) advanced_.constraintVirial = plain;
    if (!sites_.empty()) sites_.construct(positions_, box_);
    return advanced_;
}

void CpuBackend::changeBox(physics::Box const& box, math::Mat3d const& velocityFactor)
{
    box_ = box;
    pairs_.changeBox(box);
    // Fixed distances don't stretch with the box, and adopt() places sites anew after a restart.
    if (!sites_.empty()) sites_.construct(positions_, box_);
    if (velocityFactor == math::identity<double>()) return;
    auto const count = static_cast<std::int64_t>(velocities_.size());
#pragma omp parallel for num_threads(choice_.threads) schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
        math::Vec3d& v = velocities_[static_cast<std::size_t>(i)];
        v = velocityFactor * v;
    }
}

void CpuBackend::collect(engine::Wanted wanted, system::State& state, std::vector<math::Vec3d>& forces)
{
    if (wanted.positions) state.positions = positions_;
    if (wanted.velocities) state.velocities = velocities_;
    // What a site's velocity is, is asked only when somebody looks: it moves nothing.
    if (wanted.velocities && !sites_.empty() && plan_.dynamics.dt > 0)
        sites_.setVelocities(positions_, state.velocities, box_, plan_.dynamics.dt);
    if (wanted.forces) {
        forces.resize(forces_.size());
        for (std::size_t i = 0; i < forces_.size(); ++i) forces[i] = math::forceValue(forces_[i]);
    }
}

void CpuBackend::constrainStart()
{
    motion_.constrainStart(positions_, velocities_, box_);
    if (!sites_.empty()) sites_.construct(positions_, box_);
}

std::string CpuBackend::describe() const
{
    return fmt::format("CPU, {}, {} thread{}", nameOf(choice_.simd), choice_.threads, choice_.threads == 1 ? "" : "s");
}

} // namespace alder::cpu
