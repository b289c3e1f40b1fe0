#include "engine/cuda_backend.hpp"

#include "engine/impulse.hpp"
#include "engine/make_backend.hpp"
#include "engine/rank_sums.hpp"

#include <algorithm>
#include <bit>
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

std::vector<plan::PmePlan const*> gridsOf(plan::RunPlan const& plan)
{
    std::vector<plan::PmePlan const*> grids;
    if (plan.pme.active) grids.push_back(&plan.pme);
    for (plan::PmePlan const& grid : plan.dispersionGrids) grids.push_back(&grid);
    return grids;
}

/// Whether a step needs nothing of the host, and its launches nothing that changes from one list to the next.
bool isQuiet(plan::StepPlan const& plan, bool couples)
{
    return !(plan.virial() || (plan.couple && !couples) || plan.frame || plan.energyFrame || plan.logLine || plan.last || plan.kinetic);
}

} // namespace

CudaBackend::CudaBackend(system::Topology const& topology, plan::RunPlan const& plan, std::string deviceName,
                         domain::RunLayout const& layout)
    : plan_(plan),
      deviceName_(std::move(deviceName)),
      layout_(layout),
      domains_(layout.ranks == nullptr ? nullptr
                                       : std::make_unique<domain::Decomposition>(*layout.ranks, topology, layout.domains, layout.columns)),
      team_(layout.ranks == nullptr ? nullptr : std::make_unique<domain::PmeTeam>(*layout.ranks, layout.pmeRanks)),
      schedule_(plan, layout.ranks == nullptr ? plan::CoupledBy::backend : plan::CoupledBy::loop),
      pairs_(topology, plan.pairs, stream_),
      slow_(plan.dynamics.slow),
      surface_(plan.surface.surroundings != plan::Surroundings::conducting
                   ? std::make_unique<SurfaceTerm>(topology, plan.surface, stream_, ranks())
                   : nullptr),
      sumUnits_(sumCount)
{
    for (plan::PmePlan const* grid : gridsOf(plan))
        grids_.push_back(std::make_unique<PmeForces>(topology, *grid, gridStream_, chosenTransform(), team_.get()));
    if (shared()) {
        halo_ = std::make_unique<DeviceHalo>(*ranks(), stream_, chosenCarriage());
        return;
    }
    makeLocalWork(topology);
    work_->motion.coupleHere();
    watchHealth();
    // With exact lists the host asks before each step whether the list will do, and nothing is left to be given at one go.
    graphsAllowed_ = !plan.pairs.exactLists && work_->motion.steady();
}

std::vector<std::string> cannotDo(system::Topology const& topology, plan::RunPlan const& plan)
{
    std::vector<std::string> all;
    auto const append = [&](std::vector<std::string> const& more) { all.insert(all.end(), more.begin(), more.end()); };
    append(BondedForces::cannotDo(topology));
    append(VirtualSites::cannotDo(topology));
    for (plan::PmePlan const* grid : gridsOf(plan)) append(PmeForces::cannotDo(*grid));
    return all;
}

domain::ColumnNeeds columnNeeds(system::Topology const& topology, plan::RunPlan const& plan)
{
    return {topology.atomCount, plan.pairs.listCutoff, superColumns};
}

std::unique_ptr<engine::Backend> makeBackend(system::Topology const& topology, plan::RunPlan const& plan, std::string deviceName,
                                             domain::RunLayout const& layout)
{
    return std::make_unique<CudaBackend>(topology, plan, std::move(deviceName), layout);
}

// ---- whose atoms ---------------------------------------------------------------------------------------------------------------------

void CudaBackend::adopt(system::State const& state)
{
    graphs_.clear();
    times_.drop();
    quietStepsLeft_ = 0;
    wholeStep_ = state.wholeStep;
    given_.resize(0);
    if (shared()) {
        box_ = state.box;
        work_.reset(); // another start: what the last one still had to hand over is not this one's
        takeShare(domain::atomsOf(state, *ranks()));
    } else {
        adaptTo(state.box);
        takeAtoms(state.positions, state.velocities);
        work_->motion.adopt(state.coupling);
    }
    if (velocities_.size() > 0) work_->motion.stopFrozen(velocities_.view());
    beginList(state.step);
    // Also where no site is here: what ranks do together goes by the plan, not by what each of them has.
    if (plan_.pairs.sitesAsGiven) given_.copyFrom(positions_, stream_);
    haloFresh_ = false;
    if (!work_->sites.empty()) work_->sites.construct(positions_.view(), box_);
}

void CudaBackend::takeAtoms(std::vector<math::FractionVec> const& positions, std::vector<math::Vec3d> const& velocities)
{
    positions_.upload(positions, stream_);
    velocities_.upload(velocities, stream_);
    forces_.resize(3 * positions.size());
    forces_.clear(stream_);
    if (slow_.any()) impulse_.resize(forces_.size());
}

void CudaBackend::makeLocalWork(system::Topology const& topology)
{
    std::unique_ptr<LocalWork> const before = std::move(work_);
    work_ = std::make_unique<LocalWork>(topology, plan_, stream_, ranks());
    if (before) work_->motion.goOnFrom(before->motion);
}

/// What an atom costs is not measured on a GPU: ranks get as many atoms each.
void CudaBackend::takeShare(domain::HomeAtoms atoms)
{
    domain::Share share = domains_->redistribute(std::move(atoms), box_, 1);
    std::unique_ptr<system::Topology> const partBefore = std::move(part_);
    part_ = std::make_unique<system::Topology>(std::move(share.topology));
    halo_->take(share.halo);
    takeAtoms(share.positions, share.velocities);
    makeLocalWork(*part_);
    pairs_.takePart(
        {&part_->part, std::move(share.roles), ranks()->first(), [this](std::span<std::int64_t> values) { ranks()->sum(values); }});
    for (auto const& grid : grids_) grid->takeAtoms(*part_, {share.positions, box_});
    if (surface_) surface_->takeAtoms(*part_);
    adaptTo(box_);
    health_.forget();
    watchHealth();
    haloFresh_ = true;
}

void CudaBackend::redistribute()
{
    requireHealthy(); // before those who would know what went wrong are replaced
    auto const home = static_cast<std::size_t>(part_->homeCount());
    domain::HomeAtoms atoms;
    atoms.numbers.assign(part_->part.numbers.begin(), part_->part.numbers.begin() + static_cast<std::ptrdiff_t>(home));
    atoms.positions = positions_.download(stream_);
    atoms.velocities = velocities_.download(stream_);
    atoms.positions.resize(home);
    atoms.velocities.resize(home);
    takeShare(std::move(atoms));
}

void CudaBackend::freshenHalo()
{
    if (!shared() || haloFresh_) return;
    PartRange const range(times_, Part::halo, stream_);
    halo_->exchangePositions(positions_.view());
    haloFresh_ = true;
}

void CudaBackend::returnForces(DeviceBuffer<std::int64_t>& forces)
{
    if (!shared()) return;
    PartRange const range(times_, Part::halo, stream_);
    halo_->returnForces(forces.view());
}

void CudaBackend::buildLists()
{
    if (!shared()) times_.beginList();
    // Sites as given are looked at once, where adopt() has put them.
    if (shared() && !plan_.pairs.sitesAsGiven) {
        PartRange const range(times_, Part::redistribute, stream_);
        redistribute();
    }
    freshenHalo();
    PartRange const range(times_, Part::listBuild, stream_);
    pairs_.buildList(pairPositions(), box_);
    // The host has waited for the length of the list, and with it for the positions.
    for (auto const& grid : grids_) grid->sort(positions_.constView());
    gridDone_.record(gridStream_);
    stream_.waitFor(gridDone_);
    // What has gone wrong by now is said now.
    requireHealthy();
    times_.hand(clock_);
}

/// What happens in the update comes first: a term without a force follows of an atom that was lost before.
void CudaBackend::watchHealth()
{
    health_.watch(work_->motion.flag(), [this](std::int64_t word) { work_->motion.judge(static_cast<BlameKey>(word)); });
    auto const watch = [this](auto const& room) {
        health_.watch(room.flag(), [&room](std::int64_t word) { room.judge(static_cast<std::int32_t>(word)); });
    };
    watch(work_->bonded);
    watch(work_->slowBonded);
    watch(work_->distances);
    watch(work_->sites);
    for (auto const& grid : grids_) watch(*grid);
}

void CudaBackend::requireHealthy() { health_.require(stream_); }

bool CudaBackend::listIsStale()
{
    if (!plan_.pairs.exactLists) return false;
    freshenHalo();
    bool const stale = pairs_.stale(positions_.constView());
    return shared() ? ranks()->largest(stale ? 1 : 0) != 0 : stale;
}

// ---- runs of steps that nobody looks at -----------------------------------------------------------------------------------------------

/// How many steps from this one on need nothing of the host: up to the next list, look or coupling.
std::int64_t CudaBackend::quietStepsFrom(plan::StepPlan const& plan) const
{
    std::int64_t count = 0;
    for (plan::StepPlan step = plan;
         isQuiet(step, couplesTemperature()) && !work_->motion.standsOut(step.step) && (count == 0 || !step.buildList);
         step = schedule_.at(plan.step + count))
        ++count;
    return count;
}

void CudaBackend::runQuietSteps(std::int64_t first, std::int64_t count)
{
    // Steps that are launched as recorded hand over no heat, and what came before was taken.
    advanced_.heat.clear();
    work_->motion.prepare(box_, first, {}); // what a launch reads from the device is there before it is recorded
    std::string key = std::to_string(first - lookedAt_) + ":";
    for (std::int64_t step = first; step < first + count; ++step) {
        plan::StepPlan const plan = schedule_.at(step);
        key += plan.removeComm ? 'c' : plan.prune && !plan.buildList ? 'p' : plan.buildList ? 'b' : '.';
        if (plan.removeComm && plan.prune) key += 'p';
        if (slowActs(plan)) key += 'm';
        if (plan.couple) key += 't';
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
    work_->motion.countFrom(step);
    std::vector<double> times;
    for (std::int64_t n = 0; n < std::max<std::int64_t>(1, plan_.pairs.listInterval); ++n)
        times.push_back(plan_.dynamics.tinit + static_cast<double>(step + n) * plan_.dynamics.dt);
    work_->motion.coupleFrom(step, times);
    if (work_->field.active()) work_->field.prepare(times);
}

void CudaBackend::forces(plan::StepPlan const& plan)
{
    if (quietStepsLeft_ > 0) return;
    if (plan.buildList) beginList(plan.step);
    if (graphsAllowed_ && !wholeStep_ && !times_.sampling()) {
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
    PartRange const range(times_, Part::update, stream_);
    work_->motion.arrive({movingBy(forces_), box_, std::exchange(wholeStep_, false)}, plan, advanced_);
    sumAdvanced(plan);
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
    PartRange const range(times_, Part::update, stream_);
    bool const waited = slowActs(plan);
    // What constraints do where every force counts once: with forces that count more often, their part of the virial would too.
    math::FixedTensor plain;
    if (waited && plan.virial()) plain = work_->motion.constraintVirial(movingBy(forces_), box_);
    work_->motion.advance(movingBy(waited ? impulse_ : forces_), box_, plan, scaling, advanced_);
    if (waited && plan.virial()) advanced_.constraintVirial = plain;
    if (!work_->sites.empty()) work_->sites.construct(positions_.view(), box_);
    haloFresh_ = false;
    sumAdvanced(plan);
}

/// What a call has left in advanced_, of all ranks.
void CudaBackend::sumAdvanced(plan::StepPlan const& plan)
{
    engine::RankSums over;
    over.take(advanced_, plan);
    over.sumOver(ranks());
}

// ---- forces ------------------------------------------------------------------------------------------------------------------------------

ForceTarget CudaBackend::targetOf(bool waiting, plan::StepPlan const& plan)
{
    return {slow_.any() && waiting ? impulse_.view() : forces_.view(), sumUnits_.view(), plan.virial()};
}

void CudaBackend::giveForces(plan::StepPlan const& plan)
{
    bool const waited = slowActs(plan);
    times_.countStep();
    forces_.clear(stream_);
    if (waited) impulse_.clear(stream_);
    if (plan.virial()) {
        sumUnits_.clear(stream_);
        sumsFetched_ = false;
    }
    forcesClear_.record(stream_);
    startGrids(plan);
    freshenHalo();
    if (plan.prune && !plan.buildList) {
        PartRange const range(times_, Part::prune, stream_);
        pairs_.prune(pairPositions());
    }
    addPairs(plan);
    addGrids(plan);
    addBonded(plan);
    if (!work_->distances.empty()) work_->distances.add(positions_.constView(), box_, targetOf(false, plan));
    if (work_->field.active()) work_->field.add(static_cast<std::size_t>(plan.step - lookedAt_), forces_.view());
    if (surface_ && act(slow_.grid, plan)) surface_->add(positions_.constView(), box_, targetOf(slow_.grid, plan));
    stream_.waitFor(gridDone_);
    returnForces(forces_);
    if (waited) returnForces(impulse_);
    if (waited) makeImpulse(forces_.view(), impulse_.view(), forces_.size(), slow_.interval, stream_);
    if (!work_->sites.empty()) {
        work_->sites.spread(positions_.constView(), box_, targetOf(false, plan));
        if (waited) work_->sites.spread(positions_.constView(), box_, {impulse_.view(), {}, false});
    }
    // All ranks sum in the same place of a step.
    if (shared() && plan.virial()) static_cast<void>(sums());
}

/// What other ranks need for the reciprocal sums is on its way before anything else is computed.
void CudaBackend::startGrids(plan::StepPlan const& plan)
{
    if (!shared() || !act(slow_.grid, plan)) return;
    gridStream_.waitFor(forcesClear_);
    for (auto const& grid : grids_) grid->start(positions_.constView());
}

/// Forces come first, so that those on sites are the pairs' alone when the virial is mended.
void CudaBackend::addPairs(plan::StepPlan const& plan)
{
    if (!act(slow_.nonbonded, plan)) return;
    ForceTarget const target = targetOf(slow_.nonbonded, plan);
    bool const narrow = target.wanted && !plan_.pairs.wideSums;
    {
        PartRange const range(times_, Part::pairs, stream_);
        pairs_.addForces(pairPositions(), target.forces, narrow ? target.sums.from(virialOffset) : View<std::int64_t>());
    }
    if (!plan.energies) return;
    PartRange const range(times_, Part::pairEnergies, stream_);
    pairs_.addEnergies(pairPositions(), target.sums, plan_.pairs.wideSums ? EnergyVirial::added : EnergyVirial::none);
    if (!plan_.pairs.sitesAsGiven) return;
    // What acts on sites must be all there.
    returnForces(slow_.any() && slow_.nonbonded ? impulse_ : forces_);
    work_->sites.addDisplacedVirial(given_.constView(), positions_.constView(), box_, target);
}

/// Grids run beside pairs and bonded terms, but where the virial of the pairs is mended by their forces on sites alone.
void CudaBackend::addGrids(plan::StepPlan const& plan)
{
    if (plan_.pairs.sitesAsGiven) {
        pairsDone_.record(stream_);
        gridStream_.waitFor(pairsDone_);
    } else {
        gridStream_.waitFor(forcesClear_);
    }
    if (act(slow_.grid, plan))
        for (auto const& grid : grids_) {
            PartRange const range(times_, Part::pmeFft, gridStream_);
            grid->add(positions_.constView(), box_, targetOf(slow_.grid, plan));
        }
    gridDone_.record(gridStream_);
}

void CudaBackend::addBonded(plan::StepPlan const& plan)
{
    if (work_->bonded.empty() && work_->slowBonded.empty()) return;
    PartRange const range(times_, Part::bonded, stream_);
    work_->bonded.add(positions_.constView(), box_, targetOf(false, plan));
    if (act(true, plan)) work_->slowBonded.add(positions_.constView(), box_, targetOf(true, plan));
}

system::ForceSums const& CudaBackend::sums()
{
    if (sumsFetched_) return sums_;
    sumUnits_.downloadLater(fetchedSums_, stream_);
    requireHealthy(); // waits for both
    sums_ = sumsOf(fetchedSums_.span());
    engine::RankSums over;
    over.take(sums_);
    over.sumOver(ranks());
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

system::MotionSums CudaBackend::motion()
{
    system::MotionSums sums = work_->motion.motion(velocities_.constView());
    engine::RankSums over;
    over.take(sums);
    over.sumOver(ranks());
    return sums;
}

/// Tells all that goes by the box, so that nothing is left to be told while steps are recorded, or run as they were.
void CudaBackend::adaptTo(physics::Box const& box)
{
    box_ = box;
    if (!work_->bonded.empty()) work_->bonded.adaptTo(box);
    if (!work_->slowBonded.empty()) work_->slowBonded.adaptTo(box);
    if (!work_->distances.empty()) work_->distances.adaptTo(box);
    if (!work_->sites.empty()) work_->sites.adaptTo(box);
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
    if (!work_->sites.empty()) work_->sites.construct(positions_.view(), box_);
    haloFresh_ = false; // sites have moved, here or on another rank
    if (!(velocityFactor == math::identity<double>())) work_->motion.changeVelocities(velocities_.view(), velocityFactor);
}

void CudaBackend::collect(engine::Wanted wanted, system::State& state, std::vector<math::Vec3d>& forces)
{
    takeFrame(wanted);
    if (!shared()) return finishCollect(state, forces);
    system::State here;
    std::vector<math::Vec3d> forcesHere;
    finishCollect(here, forcesHere);
    auto const hand = [&](bool asked, auto const& values, auto& to) {
        if (asked) to = domains_->gather(*part_, values, wanted.everywhere ? domain::Audience::everyone : domain::Audience::first);
    };
    hand(wanted.positions, here.positions, state.positions);
    hand(wanted.velocities, here.velocities, state.velocities);
    hand(wanted.forces, forcesHere, forces);
}

/// Atoms change hands while a frame would travel: on several ranks it is gathered at once.
bool CudaBackend::startCollect(engine::Wanted wanted)
{
    if (shared()) return false;
    takeFrame(wanted);
    return true;
}

void CudaBackend::takeFrame(engine::Wanted wanted)
{
    // What a site's velocity is, is asked only when somebody looks: it moves nothing.
    if (wanted.velocities && !work_->sites.empty() && plan_.dynamics.dt > 0)
        work_->sites.setVelocities(positions_.constView(), velocities_.view(), box_, plan_.dynamics.dt);
    frame_.take(wanted, {positions_, velocities_, forces_}, health_, stream_);
}

void CudaBackend::finishCollect(system::State& state, std::vector<math::Vec3d>& forces) { frame_.give(health_, state, forces); }

void CudaBackend::constrainStart()
{
    work_->motion.constrainStart(movingBy(forces_), box_);
    if (!work_->sites.empty()) work_->sites.construct(positions_.view(), box_);
    haloFresh_ = false;
}

double CudaBackend::sitesOutOfPlace()
{
    double const farthest = given_.size() == 0 ? 0 : work_->sites.largestDisplacement(given_.constView(), positions_.constView(), box_);
    if (!shared()) return farthest;
    // non-negative doubles have the order of their bits
    return std::bit_cast<double>(ranks()->largest(std::bit_cast<std::int64_t>(farthest)));
}

std::string CudaBackend::describe() const
{
    return shared() ? deviceName_ + " a rank, " + domain::describe(layout_) + ", " + nameOf(halo_->carriage()) : deviceName_;
}

} // namespace alder::cuda
