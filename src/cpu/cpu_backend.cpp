#include "cpu/cpu_backend.hpp"

#include "engine/rank_sums.hpp"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace alder::cpu {

using base::Part;
using base::Timed;

CpuBackend::CpuBackend(system::Topology const& topology, plan::RunPlan const& plan, CpuChoice choice, domain::RunLayout const& layout)
    : plan_(plan),
      choice_(choice),
      slow_(plan.dynamics.slow),
      layout_(layout),
      domains_(layout.ranks == nullptr ? nullptr
                                       : std::make_unique<domain::Decomposition>(*layout.ranks, topology, layout.domains, layout.columns)),
      team_(layout.ranks == nullptr ? nullptr : std::make_unique<domain::PmeTeam>(*layout.ranks, layout.pmeRanks)),
      pairs_(topology, plan.pairs, choice.simd, choice.threads),
      work_(shared() ? nullptr : std::make_unique<LocalWork>(topology, plan, choice.threads, nullptr)),
      pme_(plan.pme.active ? std::make_unique<PmeForces>(topology, plan.pme, choice.simd, choice.threads, team_.get()) : nullptr),
      surface_(plan.surface.surroundings != plan::Surroundings::conducting
                   ? std::make_unique<SurfaceTerm>(topology, plan.surface, choice.threads, ranks())
                   : nullptr)
{
    for (plan::PmePlan const& grid : plan.dispersionGrids)
        dispersion_.push_back(std::make_unique<PmeForces>(topology, grid, choice.simd, choice.threads, team_.get()));
}

// ---- whose atoms ---------------------------------------------------------------------------------------------------------------------

void CpuBackend::adopt(system::State const& state)
{
    box_ = state.box;
    wholeStep_ = state.wholeStep;
    given_.clear();
    if (shared()) {
        work_.reset(); // another start: what the last one still had to hand over is not this one's
        takeShare(domain::atomsOf(state, *ranks()));
    } else {
        positions_ = state.positions;
        velocities_ = state.velocities;
        forces_.resize(positions_.size());
        if (slow_.any()) impulse_.resize(positions_.size());
    }
    if (!velocities_.empty()) work_->frozen.stop(velocities_);
    if (plan_.pairs.sitesAsGiven) given_ = positions_;
    work_->sites.construct(positions_, box_);
    haloFresh_ = false;
}

void CpuBackend::takeShare(domain::HomeAtoms atoms)
{
    domain::Share share = domains_->redistribute(std::move(atoms), box_, costPerAtom());
    std::unique_ptr<system::Topology> const partBefore = std::move(part_);
    std::unique_ptr<LocalWork> const before = std::move(work_);
    part_ = std::make_unique<system::Topology>(std::move(share.topology));
    halo_ = std::move(share.halo);
    positions_ = std::move(share.positions);
    velocities_ = std::move(share.velocities);
    forces_.assign(positions_.size(), {});
    if (slow_.any()) impulse_.assign(positions_.size(), {});
    work_ = std::make_unique<LocalWork>(*part_, plan_, choice_.threads, ranks());
    if (before) work_->motion.goOnFrom(before->motion);
    pairs_.takePart(
        {&part_->part, std::move(share.roles), ranks()->first(), [this](std::span<std::int64_t> values) { ranks()->sum(values); }});
    if (pme_) pme_->takeAtoms(*part_, part_->homeCount());
    for (auto const& grid : dispersion_) grid->takeAtoms(*part_, part_->homeCount());
    if (surface_) surface_->takeAtoms(*part_);
    haloFresh_ = true;
}

void CpuBackend::redistribute()
{
    auto const home = static_cast<std::size_t>(part_->homeCount());
    domain::HomeAtoms atoms;
    atoms.numbers.assign(part_->part.numbers.begin(), part_->part.numbers.begin() + static_cast<std::ptrdiff_t>(home));
    positions_.resize(home);
    velocities_.resize(home);
    atoms.positions = std::move(positions_);
    atoms.velocities = std::move(velocities_);
    takeShare(std::move(atoms));
}

/// What an atom of this rank costs a step's share of time, in ps: pairs and bonded terms since the last list build, which are the larger part
/// of the work and wait for nobody. Half of it is what was thought before, so that one disturbance does not move borders far.
std::int64_t CpuBackend::costPerAtom()
{
    double const computed = clock_.seconds(Part::pairs) + clock_.seconds(Part::prune) + clock_.seconds(Part::bonded);
    long const steps = clock_.calls(Part::pairs);
    double const seconds = computed - std::exchange(computed_, computed);
    long const taken = steps - std::exchange(stepsComputed_, steps);
    if (taken == 0 || part_ == nullptr || part_->homeCount() == 0) return cost_;
    double const now = 1e12 * seconds / static_cast<double>(taken) / static_cast<double>(part_->homeCount());
    cost_ = std::max<std::int64_t>(1, std::llrint(cost_ == 1 ? now : 0.5 * (now + static_cast<double>(cost_))));
    return cost_;
}

void CpuBackend::freshenHalo()
{
    if (!shared() || haloFresh_) return;
    Timed const timed(clock_, Part::halo);
    halo_.exchangePositions(positions_);
    haloFresh_ = true;
}

void CpuBackend::returnForces(Forces& forces)
{
    if (!shared()) return;
    Timed const timed(clock_, Part::halo);
    halo_.returnForces(forces);
}

void CpuBackend::buildLists()
{
    // Sites as given are looked at once, where adopt() has put them. What ranks do together goes by the plan, not by what each of them has.
    if (shared() && !plan_.pairs.sitesAsGiven) {
        Timed const timed(clock_, Part::redistribute);
        redistribute();
    }
    freshenHalo();
    {
        Timed const timed(clock_, Part::listBuild);
        pairs_.buildList(pairPositions(), box_);
    }
    Timed const timed(clock_, Part::prune);
    pairs_.prune(pairPositions());
}

bool CpuBackend::listIsStale()
{
    if (!plan_.pairs.exactLists) return false;
    freshenHalo();
    bool const stale = pairs_.stale(positions_);
    return shared() ? ranks()->largest(stale ? 1 : 0) != 0 : stale;
}

double CpuBackend::sitesOutOfPlace()
{
    double const farthest = given_.empty() ? 0 : work_->sites.largestDisplacement(given_, positions_, box_);
    if (!shared()) return farthest;
    // non-negative doubles have the order of their bits
    return std::bit_cast<double>(ranks()->largest(std::bit_cast<std::int64_t>(farthest)));
}

// ---- forces ------------------------------------------------------------------------------------------------------------------------------

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
    startGrids(plan);
    freshenHalo();
    if (surface_ && targetOf(slow_.grid, plan) != nullptr) surface_->start(positions_, box_);
    if (plan.prune && !plan.buildList) {
        Timed const timed(clock_, Part::prune);
        pairs_.prune(pairPositions());
    }
    addPairs(plan, sums);
    addBonded(plan, sums);
    if (!work_->distances.empty()) work_->distances.add(positions_, box_, forces_, sums);
    if (work_->field.active()) work_->field.add(plan_.dynamics.tinit + static_cast<double>(plan.step) * plan_.dynamics.dt, forces_);
    addGrids(plan, sums);
    returnForces(forces_);
    if (waited) {
        returnForces(impulse_);
        makeImpulse();
    }
    if (!work_->sites.empty()) {
        work_->sites.spread(positions_, box_, forces_, sums);
        if (waited) work_->sites.spread(positions_, box_, impulse_, nullptr);
    }
    if (!sums) return;
    engine::RankSums over;
    over.take(*sums);
    over.sumOver(ranks());
    addDispersionCorrection();
}

/// What other ranks need for the reciprocal sums is sent before this one computes anything else.
void CpuBackend::startGrids(plan::StepPlan const& plan)
{
    if (!shared() || targetOf(slow_.grid, plan) == nullptr) return;
    if (pme_) pme_->start(positions_);
    for (auto const& grid : dispersion_) grid->start(positions_);
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
    if (!plan_.pairs.sitesAsGiven) return;
    returnForces(*target); // what acts on sites must be all there
    work_->sites.addDisplacedVirial(given_, positions_, box_, *target, sums->virial);
}

void CpuBackend::addBonded(plan::StepPlan const& plan, system::ForceSums* sums)
{
    Timed const timed(clock_, Part::bonded);
    work_->bonded.add(positions_, box_, forces_, sums);
    Forces* const target = targetOf(true, plan);
    if (target != nullptr) work_->slowBonded.add(positions_, box_, *target, sums);
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

// ---- motion ------------------------------------------------------------------------------------------------------------------------------

system::MotionSums CpuBackend::motion()
{
    system::MotionSums sums = work_->motion.motion(velocities_);
    engine::RankSums over;
    over.take(sums);
    over.sumOver(ranks());
    return sums;
}

/// What a call has left in advanced_, of all ranks.
void CpuBackend::sumAdvanced(plan::StepPlan const& plan)
{
    engine::RankSums over;
    over.take(advanced_, plan);
    over.sumOver(ranks());
}

engine::AdvanceSums const& CpuBackend::arrive(plan::StepPlan const& plan)
{
    Timed const timed(clock_, Part::update);
    std::vector<math::ForceUnits> const& felt = work_->frozen.empty() ? forces_ : work_->frozen.freed(forces_);
    work_->motion.arrive({positions_, velocities_, box_, felt, std::exchange(wholeStep_, false)}, plan, advanced_);
    sumAdvanced(plan);
    return advanced_;
}

engine::AdvanceSums const& CpuBackend::advance(plan::StepPlan const& plan, engine::Scaling const& scaling)
{
    Timed const timed(clock_, Part::update);
    Motion& motion = work_->motion;
    FrozenAtoms& frozen = work_->frozen;
    bool const waited = slow_.any() && plan.slowForces;
    Forces const& forces = waited ? impulse_ : forces_;
    // What constraints do where every force counts once: with forces that count more often, their part of the virial would too.
    math::FixedTensor plain;
    if (waited && plan.virial())
        plain = motion.constraintVirial({positions_, box_}, velocities_, frozen.empty() ? forces_ : frozen.freed(forces_));
    if (frozen.empty()) {
        motion.advance(positions_, velocities_, box_, forces, plan, scaling, advanced_);
    } else {
        frozen.remember(positions_);
        motion.advance(positions_, velocities_, box_, frozen.freed(forces), plan, scaling, advanced_);
        // the drift that was taken out of the others, or noise
        frozen.putBack(positions_, box_);
        frozen.stop(velocities_);
        if (plan.kinetic) advanced_.motion = motion.motion(velocities_);
    }
    if (waited && plan.virial()) advanced_.constraintVirial = plain;
    work_->sites.construct(positions_, box_);
    haloFresh_ = false;
    sumAdvanced(plan);
    return advanced_;
}

void CpuBackend::changeBox(physics::Box const& box, math::Mat3d const& velocityFactor)
{
    box_ = box;
    pairs_.changeBox(box);
    // Fixed distances don't stretch with the box, and adopt() places sites anew after a restart.
    work_->sites.construct(positions_, box_);
    haloFresh_ = false; // sites have moved, here or on another rank
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
    auto const hand = [&](auto const& values, auto& to) {
        if (shared())
            to = domains_->gather(*part_, values, wanted.everywhere ? domain::Audience::everyone : domain::Audience::first);
        else
            to = values;
    };
    if (wanted.positions) hand(positions_, state.positions);
    // What a site's velocity is, is asked only when somebody looks: it moves nothing.
    if (wanted.velocities && !work_->sites.empty() && plan_.dynamics.dt > 0 && !velocities_.empty()) {
        std::vector<math::Vec3d> velocities = velocities_;
        work_->sites.setVelocities(positions_, velocities, box_, plan_.dynamics.dt);
        hand(velocities, state.velocities);
    } else if (wanted.velocities) {
        hand(velocities_, state.velocities);
    }
    if (wanted.forces) {
        std::vector<math::Vec3d> values(forces_.size());
        for (std::size_t i = 0; i < forces_.size(); ++i) values[i] = math::forceValue(forces_[i]);
        hand(values, forces);
    }
}

void CpuBackend::constrainStart()
{
    work_->motion.constrainStart(positions_, velocities_, box_);
    work_->sites.construct(positions_, box_);
    haloFresh_ = false;
}

std::string CpuBackend::describe() const
{
    std::string const threads = fmt::format("CPU, {}, {} thread{}", nameOf(choice_.simd), choice_.threads, choice_.threads == 1 ? "" : "s");
    return shared() ? fmt::format("{} a rank, {}", threads, domain::describe(layout_)) : threads;
}

} // namespace alder::cpu
