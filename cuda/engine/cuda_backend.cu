#include "engine/cuda_backend.hpp"

#include "device/range.hpp"
#include "engine/impulse.hpp"
#include "engine/make_backend.hpp"
#include "plan/multiple_time_steps.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace alder::cuda {

using base::Part;

namespace {

/// As ForceTarget lays sums out.
system::ForceSums sumsOf(std::span<std::int64_t const> units)
{
    system::ForceSums sums;
    for (std::size_t t = 0; t < system::termCount; ++t) sums.terms[t].units = units[t];
    std::int64_t const* const v = units.data() + virialOffset;
    sums.virial = {{v[0]}, {v[1]}, {v[2]}, {v[3]}, {v[4]}, {v[5]}, {v[6]}, {v[7]}, {v[8]}};
    return sums;
}

/// Whether a step needs nothing of the host, and its launches nothing that changes from one list to the next.
bool isQuiet(plan::StepPlan const& plan)
{
    return !(plan.virial() || plan.couple || plan.frame || plan.energyFrame || plan.logLine || plan.last || plan.kinetic);
}

} // namespace

CudaBackend::CudaBackend(system::Topology const& topology, plan::RunPlan const& plan, std::string deviceName)
    : plan_(plan),
      deviceName_(std::move(deviceName)),
      schedule_(plan),
      pairs_(topology, plan.pairs, stream_),
      slow_(plan.dynamics.slow),
      bonded_(topology, plan, stream_, plan::kindsThatWait(slow_, false)),
      slowBonded_(topology, plan, stream_, plan::kindsThatWait(slow_, true)),
      distances_(topology, plan.distanceRestraints, stream_),
      field_(topology, plan.electricField, stream_),
      sites_(topology, stream_),
      surface_(plan.surface.surroundings != plan::Surroundings::conducting ? std::make_unique<SurfaceTerm>(topology, plan.surface, stream_)
                                                                           : nullptr),
      motion_(topology, plan.dynamics, stream_),
      sumUnits_(sumCount),
      // With exact lists the host asks before each step whether the list will do, and nothing is left to be given at one go.
      graphsAllowed_(!plan.pairs.exactLists && motion_.steady())
{
    if (plan.pme.active) grids_.push_back(std::make_unique<PmeForces>(topology, plan.pme, gridStream_));
    for (plan::PmePlan const& grid : plan.dispersionGrids) grids_.push_back(std::make_unique<PmeForces>(topology, grid, gridStream_));
    watchHealth();
}

std::vector<std::string> cannotDo(system::Topology const& topology, plan::RunPlan const& plan)
{
    std::vector<std::string> all;
    auto const append = [&](std::vector<std::string> const& more) { all.insert(all.end(), more.begin(), more.end()); };
    append(BondedForces::cannotDo(topology));
    append(VirtualSites::cannotDo(topology));
    if (plan.pme.active) append(PmeForces::cannotDo(plan.pme));
    for (plan::PmePlan const& grid : plan.dispersionGrids) append(PmeForces::cannotDo(grid));
    return all;
}

std::unique_ptr<engine::Backend> makeBackend(system::Topology const& topology, plan::RunPlan const& plan, std::string deviceName)
{
    return std::make_unique<CudaBackend>(topology, plan, std::move(deviceName));
}

void CudaBackend::adopt(system::State const& state)
{
    adaptTo(state.box);
    graphs_.clear();
    quietStepsLeft_ = 0;
    positions_.upload(state.positions, stream_);
    velocities_.upload(state.velocities, stream_);
    if (velocities_.size() > 0) motion_.stopFrozen(velocities_.view());
    wholeStep_ = state.wholeStep;
    forces_.resize(3 * state.positions.size());
    forces_.clear(stream_);
    if (slow_.any()) impulse_.resize(forces_.size());
    beginList(state.step);
    given_.resize(0);
    if (sites_.empty()) return;
    if (plan_.pairs.sitesAsGiven) given_.copyFrom(positions_, stream_);
    sites_.construct(positions_.view(), box_);
}

void CudaBackend::buildLists()
{
    Range const range(nameOf(Part::listBuild));
    pairs_.buildList(pairPositions(), box_);
    // The host has waited for the length of the list, and with it for the positions.
    for (auto const& grid : grids_) grid->sort(positions_.constView());
    gridDone_.record(gridStream_);
    stream_.waitFor(gridDone_);
    // What has gone wrong by now is said now.
    requireHealthy();
}

/// What happens in the update comes first: a term without a force follows of an atom that was lost before.
void CudaBackend::watchHealth()
{
    health_.watch(motion_.flag(), [this](std::int64_t word) { motion_.judge(static_cast<BlameKey>(word)); });
    auto const watch = [this](auto const& room) {
        health_.watch(room.flag(), [&room](std::int64_t word) { room.judge(static_cast<std::int32_t>(word)); });
    };
    watch(bonded_);
    watch(slowBonded_);
    watch(distances_);
    watch(sites_);
    for (auto const& grid : grids_) watch(*grid);
}

void CudaBackend::requireHealthy() { health_.require(stream_); }

bool CudaBackend::listIsStale() { return pairs_.stale(positions_.constView()); }

// ---- runs of steps that nobody looks at -----------------------------------------------------------------------------------------------

/// How many steps from this one on need nothing of the host: up to the next list, look or coupling.
std::int64_t CudaBackend::quietStepsFrom(plan::StepPlan const& plan) const
{
    std::int64_t count = 0;
    for (plan::StepPlan step = plan; isQuiet(step) && !motion_.standsOut(step.step) && (count == 0 || !step.buildList);
         step = schedule_.at(plan.step + count))
        ++count;
    return count;
}

void CudaBackend::runQuietSteps(std::int64_t first, std::int64_t count)
{
    // Steps that are launched as recorded hand over no heat, and what came before was taken.
    advanced_.heat.clear();
    motion_.prepare(box_, first, {}); // what a launch reads from the device is there before it is recorded
    std::string key = std::to_string(first - lookedAt_) + ":";
    for (std::int64_t step = first; step < first + count; ++step) {
        plan::StepPlan const plan = schedule_.at(step);
        key += plan.removeComm ? 'c' : plan.prune && !plan.buildList ? 'p' : plan.buildList ? 'b' : '.';
        if (plan.removeComm && plan.prune) key += 'p';
        if (slowActs(plan)) key += 'm';
    }
    graphs_.run(key, stream_, [&] {
        for (std::int64_t step = first; step < first + count; ++step) {
            plan::StepPlan const plan = schedule_.at(step);
            giveForces(plan);
            if (plan_.dynamics.integrator == plan::Integrator::mdVv) arriveAll(plan);
            advanceAll(plan, {});
        }
    });
    quietStepsLeft_ = count;
}

/// Steps are told by their number since the list was built.
void CudaBackend::beginList(std::int64_t step)
{
    lookedAt_ = step;
    motion_.countFrom(step);
    if (!field_.active()) return;
    std::vector<double> times;
    for (std::int64_t n = 0; n < std::max<std::int64_t>(1, plan_.pairs.listInterval); ++n)
        times.push_back(plan_.dynamics.tinit + static_cast<double>(step + n) * plan_.dynamics.dt);
    field_.prepare(times);
}

void CudaBackend::forces(plan::StepPlan const& plan)
{
    if (quietStepsLeft_ > 0) return;
    if (plan.buildList) beginList(plan.step);
    if (graphsAllowed_ && !wholeStep_) {
        std::int64_t const quiet = quietStepsFrom(plan);
        if (quiet > 0) return runQuietSteps(plan.step, quiet);
    }
    giveForces(plan);
}

engine::AdvanceSums const& CudaBackend::arrive(plan::StepPlan const& plan)
{
    if (quietStepsLeft_ == 0) arriveAll(plan);
    return advanced_;
}

void CudaBackend::arriveAll(plan::StepPlan const& plan)
{
    Range const range(nameOf(Part::update));
    motion_.arrive({movingBy(forces_), box_, std::exchange(wholeStep_, false)}, plan, advanced_);
}

engine::AdvanceSums const& CudaBackend::advance(plan::StepPlan const& plan, engine::Scaling const& scaling)
{
    if (quietStepsLeft_ > 0) {
        --quietStepsLeft_;
        return advanced_;
    }
    advanceAll(plan, scaling);
    return advanced_;
}

void CudaBackend::advanceAll(plan::StepPlan const& plan, engine::Scaling const& scaling)
{
    Range const range(nameOf(Part::update));
    bool const waited = slowActs(plan);
    // What constraints do where every force counts once: with forces that count more often, their part of the virial would too.
    math::FixedTensor plain;
    if (waited && plan.virial()) plain = motion_.constraintVirial(movingBy(forces_), box_);
    motion_.advance(movingBy(waited ? impulse_ : forces_), box_, plan, scaling, advanced_);
    if (waited && plan.virial()) advanced_.constraintVirial = plain;
    if (!sites_.empty()) sites_.construct(positions_.view(), box_);
}

// ---- forces ------------------------------------------------------------------------------------------------------------------------------

ForceTarget CudaBackend::targetOf(bool waiting, plan::StepPlan const& plan)
{
    if (!slow_.any() || !waiting) return {forces_.view(), sumUnits_.view(), plan.virial()};
    return plan.slowForces ? ForceTarget{impulse_.view(), sumUnits_.view(), plan.virial()} : ForceTarget{};
}

void CudaBackend::giveForces(plan::StepPlan const& plan)
{
    bool const waited = slowActs(plan);
    forces_.clear(stream_);
    if (waited) impulse_.clear(stream_);
    if (plan.virial()) {
        sumUnits_.clear(stream_);
        sumsFetched_ = false;
    }
    forcesClear_.record(stream_);
    if (plan.prune && !plan.buildList) {
        Range const range(nameOf(Part::prune));
        pairs_.prune(pairPositions());
    }
    addPairs(plan);
    addGrids(plan);
    addBonded(plan);
    if (!distances_.empty()) distances_.add(positions_.constView(), box_, targetOf(false, plan));
    if (field_.active()) field_.add(static_cast<std::size_t>(plan.step - lookedAt_), forces_.view());
    if (ForceTarget const target = targetOf(slow_.grid, plan); surface_ && target.forces.given())
        surface_->add(positions_.constView(), box_, target);
    stream_.waitFor(gridDone_);
    if (waited) makeImpulse(forces_.view(), impulse_.view(), forces_.size(), slow_.interval, stream_);
    if (sites_.empty()) return;
    sites_.spread(positions_.constView(), box_, targetOf(false, plan));
    if (waited) sites_.spread(positions_.constView(), box_, {impulse_.view(), {}, false});
}

/// Forces come first, so that those on sites are the pairs' alone when the virial is mended.
void CudaBackend::addPairs(plan::StepPlan const& plan)
{
    ForceTarget const target = targetOf(slow_.nonbonded, plan);
    if (!target.forces.given()) return;
    bool const narrow = target.wanted && !plan_.pairs.wideSums;
    {
        Range const range(nameOf(Part::pairs));
        pairs_.addForces(pairPositions(), target.forces, narrow ? target.sums.from(virialOffset) : View<std::int64_t>());
    }
    if (!plan.energies) return;
    Range const range(nameOf(Part::pairEnergies));
    pairs_.addEnergies(pairPositions(), target.sums, plan_.pairs.wideSums ? EnergyVirial::added : EnergyVirial::none);
    if (given_.size() > 0) sites_.addDisplacedVirial(given_.constView(), positions_.constView(), box_, target);
}

/// Grids run beside pairs and bonded terms, but where the virial of the pairs is mended by their forces on sites alone.
void CudaBackend::addGrids(plan::StepPlan const& plan)
{
    if (given_.size() > 0) {
        pairsDone_.record(stream_);
        gridStream_.waitFor(pairsDone_);
    } else {
        gridStream_.waitFor(forcesClear_);
    }
    if (ForceTarget const target = targetOf(slow_.grid, plan); target.forces.given())
        for (auto const& grid : grids_) {
            Range const range(nameOf(Part::pmeFft));
            grid->add(positions_.constView(), box_, target);
        }
    gridDone_.record(gridStream_);
}

void CudaBackend::addBonded(plan::StepPlan const& plan)
{
    if (bonded_.empty() && slowBonded_.empty()) return;
    Range const range(nameOf(Part::bonded));
    bonded_.add(positions_.constView(), box_, targetOf(false, plan));
    if (ForceTarget const target = targetOf(true, plan); target.forces.given()) slowBonded_.add(positions_.constView(), box_, target);
}

system::ForceSums const& CudaBackend::sums()
{
    if (sumsFetched_) return sums_;
    sumUnits_.downloadLater(fetchedSums_, stream_);
    requireHealthy(); // waits for both
    sums_ = sumsOf(fetchedSums_.span());
    addDispersionCorrection();
    sumsFetched_ = true;
    return sums_;
}

void CudaBackend::addDispersionCorrection()
{
    plan::DispersionPlan const& dispersion = plan_.dispersion;
    if (dispersion.energy)
        sums_.of(system::Term::dispersionCorrection).addWhole(dispersion.energyFactor / box_.volume() + dispersion.energyConstant);
    if (dispersion.pressure) {
        double const virial = dispersion.virialFactor / box_.volume();
        sums_.virial.add({{virial, 0, 0}, {0, virial, 0}, {0, 0, virial}});
    }
}

system::MotionSums CudaBackend::motion() { return motion_.motion(velocities_.constView()); }

/// Tells all that goes by the box, so that nothing is left to be told while steps are recorded, or run as they were.
void CudaBackend::adaptTo(physics::Box const& box)
{
    box_ = box;
    if (!bonded_.empty()) bonded_.adaptTo(box);
    if (!slowBonded_.empty()) slowBonded_.adaptTo(box);
    if (!distances_.empty()) distances_.adaptTo(box);
    if (!sites_.empty()) sites_.adaptTo(box);
    if (surface_) surface_->adaptTo(box);
    if (grids_.empty()) return;
    // Grids of steps before still go by the box before.
    forcesClear_.record(stream_);
    gridStream_.waitFor(forcesClear_);
    for (auto const& grid : grids_) grid->adaptTo(box);
    gridDone_.record(gridStream_);
    stream_.waitFor(gridDone_);
}

void CudaBackend::changeBox(physics::Box const& box, math::Mat3d const& velocityFactor)
{
    adaptTo(box);
    pairs_.changeBox(box);
    // Fixed distances don't stretch with the box, and adopt() places sites anew after a restart.
    if (!sites_.empty()) sites_.construct(positions_.view(), box_);
    if (!(velocityFactor == math::identity<double>())) motion_.changeVelocities(velocities_.view(), velocityFactor);
}

void CudaBackend::collect(engine::Wanted wanted, system::State& state, std::vector<math::Vec3d>& forces)
{
    startCollect(wanted);
    finishCollect(state, forces);
}

bool CudaBackend::startCollect(engine::Wanted wanted)
{
    // What a site's velocity is, is asked only when somebody looks: it moves nothing.
    if (wanted.velocities && !sites_.empty() && plan_.dynamics.dt > 0)
        sites_.setVelocities(positions_.constView(), velocities_.view(), box_, plan_.dynamics.dt);
    frame_.take(wanted, {positions_, velocities_, forces_}, health_, stream_);
    return true;
}

void CudaBackend::finishCollect(system::State& state, std::vector<math::Vec3d>& forces) { frame_.give(health_, state, forces); }

void CudaBackend::constrainStart()
{
    motion_.constrainStart(movingBy(forces_), box_);
    if (!sites_.empty()) sites_.construct(positions_.view(), box_);
}

double CudaBackend::sitesOutOfPlace()
{
    return given_.size() == 0 ? 0 : sites_.largestDisplacement(given_.constView(), positions_.constView(), box_);
}

} // namespace alder::cuda
