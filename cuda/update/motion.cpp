#include "update/motion.hpp"

#include "base/error.hpp"
#include "physics/leap_frog.hpp"
#include "update/leap_frog_step.hpp"
#include "update/motion_sums.hpp"
#include "update/start_constraints.hpp"
#include "update/stochastic_step.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace alder::cuda {

using math::Vec3d;

namespace {

math::FixedTensor virialOf(std::span<std::int64_t const> w)
{
    return {{w[0]}, {w[1]}, {w[2]}, {w[3]}, {w[4]}, {w[5]}, {w[6]}, {w[7]}, {w[8]}};
}

} // namespace

Motion::Motion(system::Topology const& topology, plan::DynamicsPlan const& dynamics, Stream& stream, domain::Communicator* ranks)
    : topology_(topology),
      dynamics_(dynamics),
      stream_(stream),
      ranks_(ranks),
      groupCount_(std::max<std::size_t>(1, dynamics.groups.size())),
      motionWords_(motionWords(groupCount_)),
      tables_(topology, dynamics.constraints, stream),
      frozen_(topology, dynamics, stream),
      sums_(motionWords_ + 9),
      drift_(momentumWords)
{
    setFactors(engine::groupFactors({}, dynamics));
    clearBlame();
    if (!noisy()) return;
    heat_.resize(dynamics.groups.size());
    heat_.clear(stream);
}

void Motion::coupleHere()
{
    if (couple::couplesByKineticEnergy(dynamics_.thermostat)) thermostats_ = std::make_unique<Thermostats>(dynamics_, stream_);
}

void Motion::adopt(system::CouplingState const& coupling)
{
    if (thermostats_) thermostats_->adopt(coupling);
    memoryFetched_ = false;
}

void Motion::coupleFrom(std::int64_t step, std::vector<double> const& times)
{
    coupledFrom_ = step;
    if (thermostats_) thermostats_->prepare(times);
}

void Motion::giveCoupling(system::CouplingState& coupling)
{
    if (!thermostats_) return;
    if (!memoryFetched_) {
        thermostats_->fetchLater();
        stream_.synchronize();
        memoryFetched_ = true;
    }
    thermostats_->give(coupling);
}

void Motion::goOnFrom(Motion const& before)
{
    if (heat_.size() > 0) heat_.copyFrom(before.heat_, stream_);
}

void Motion::clearBlame()
{
    first_.upload({noBlame}, stream_);
    slots_.upload(std::vector<BlameSlot>(tables_.slotCount()), stream_);
}

/// Most steps have the factors of the step before.
void Motion::setFactors(engine::GroupFactors factors)
{
    if (factors == factors_) return;
    factors_ = std::move(factors);
    lambda_.upload(factors_.lambda, stream_);
    kick_.upload(factors_.kick, stream_);
}

StepConstants Motion::constantsOf(physics::Box const& box, std::int64_t step)
{
    // A board that nobody looks at cannot count for ever.
    if (step < firstStep_ || static_cast<std::uint64_t>(step - firstStep_) >= mostOrders) {
        requireHealthy();
        firstStep_ = step;
    }
    double const limit = physics::largestDisplacement(box);
    setting_.set({box, physics::FractionSteps(box), limit * limit, firstStep_}, stream_);
    return {setting_.view(), dynamics_.dt, static_cast<std::uint64_t>(step - firstStep_)};
}

bool Motion::noisy() const { return dynamics_.integrator == plan::Integrator::sd || dynamics_.integrator == plan::Integrator::bd; }

bool Motion::steady() const
{
    auto const annealed = [](plan::TemperatureGroupPlan const& group) { return group.annealing != plan::Annealing::no; };
    bool const random = noisy() || dynamics_.thermostat == plan::Thermostat::andersen;
    return !(random && std::any_of(dynamics_.groups.begin(), dynamics_.groups.end(), annealed));
}

void Motion::prepare(physics::Box const& box, std::int64_t step, engine::Scaling const& scaling)
{
    setFactors(engine::groupFactors(scaling, dynamics_));
    memoryFetched_ = false; // here or in a graph that is run next, thermostats may act
    if (noisy()) setNoise(couple::groupNoise(dynamics_, step));
    static_cast<void>(prepareCollisions(step));
    static_cast<void>(constantsOf(box, step));
}

/// Temperatures seldom change from step to step.
void Motion::setNoise(std::vector<couple::GroupNoise> noise)
{
    if (noise == noise_) return;
    noise_ = std::move(noise);
    noiseOnDevice_.upload(noise_, stream_);
}

bool Motion::prepareCollisions(std::int64_t step)
{
    if (dynamics_.thermostat != plan::Thermostat::andersen && dynamics_.thermostat != plan::Thermostat::andersenMassive) return false;
    std::vector<couple::Collisions> collisions = couple::collisionsOf(dynamics_, step);
    if (std::all_of(collisions.begin(), collisions.end(), [](couple::Collisions const& with) { return !(with.share > 0); })) return false;
    if (!(collisions == collisions_)) {
        collisions_ = std::move(collisions);
        collisionsOnDevice_.upload(collisions_, stream_);
    }
    return true;
}

bool Motion::standsOut(std::int64_t step) const
{
    if (dynamics_.thermostat != plan::Thermostat::andersenMassive) return false;
    std::vector<couple::Collisions> const collisions = couple::collisionsOf(dynamics_, step);
    return std::any_of(collisions.begin(), collisions.end(), [](couple::Collisions const& with) { return with.share > 0; });
}

/// Without what acts along frozen axes.
Moving Motion::felt(Moving const& moving)
{
    if (frozen_.empty()) return moving;
    return {moving.positions, moving.velocities, frozen_.freed(moving.forces, stream_)};
}

FactorViews Motion::factorsOf(Moving const& moving, plan::StepPlan const& plan, StepConstants const& step)
{
    if (!thermostats_ || !plan.couple) return {lambda_.constView(), kick_.constView()};
    return thermostats_->couple(tables_, moving.velocities, step, static_cast<std::size_t>(plan.step - coupledFrom_));
}

void Motion::takeStep(Moving const& moving, FactorViews const& factors, StepConstants const& step, VirialWords virial)
{
    if (!noisy()) {
        stepLeapFrog(tables_, moving, factors, step, board(), virial, stream_);
        return;
    }
    NoiseSource const noise{noiseOnDevice_.constView(), dynamics_.seed, static_cast<int>(groupCount_), heat_.view(),
                            !tables_.unconstrained()};
    if (dynamics_.integrator == plan::Integrator::bd)
        stepBrownian(tables_, moving, noise, step, board(), virial, stream_);
    else
        stepStochastic(tables_, moving, noise, step, board(), virial, stream_);
}

void Motion::advance(Moving const& moving, physics::Box const& box, plan::StepPlan const& plan, engine::Scaling const& scaling,
                     engine::AdvanceSums& out)
{
    prepare(box, plan.step, scaling);
    StepConstants const step = constantsOf(box, plan.step);
    if (plan.kinetic || plan.virial()) sums_.clear(stream_);
    if (!frozen_.empty()) frozen_.remember(moving.positions, stream_);
    if (prepareCollisions(plan.step))
        strikeAtoms(tables_, moving, {collisionsOnDevice_.constView(), dynamics_.seed}, step, board(), stream_);
    takeStep(felt(moving), factorsOf(moving, plan, step), step, plan.virial() ? virialWords() : VirialWords());
    // before the kinetic energies, so that they are those of the velocities a checkpoint holds
    if (plan.removeComm && tables_.totalMass() > 0) takeDriftOut(moving.velocities);
    if (!frozen_.empty()) {
        // the drift that was taken out of the others, or noise
        frozen_.putBack(moving.positions, step, stream_);
        frozen_.stop(moving.velocities, stream_);
    }
    sumsOf(moving, plan, out);
}

void Motion::takeDriftOut(View<Vec3d> velocities)
{
    drift_.clear(stream_);
    sumMotion(tables_, velocities, 0, drift_.view(), stream_);
    if (ranks_ != nullptr) {
        std::vector<std::int64_t> momentum = drift_.download(stream_);
        ranks_->sum(momentum);
        drift_.upload(momentum, stream_);
    }
    removeDrift(tables_, velocities, drift_.constView(), stream_);
}

void Motion::arrive(Arrival const& at, plan::StepPlan const& plan, engine::AdvanceSums& out)
{
    StepConstants const step = constantsOf(at.box, plan.step);
    if (plan.kinetic || plan.virial()) sums_.clear(stream_);
    Moving const moving = felt(at.moving);
    VirialWords const virial = plan.virial() ? virialWords() : VirialWords();
    double const half = 0.5 * dynamics_.dt;
    if (at.first) {
        projectVelocities(tables_, moving, step, board(), stream_);
        // What constraints do here, molecules kept from flying apart as they turn among it, is seen by a step that is not kept: it
        // shifts atoms by F dt^2 / (2 m), half of what a whole step takes a force to do.
        if (virial.given())
            for (int part = 0; part < 2; ++part) tryConstraints(tables_, moving, step, half, virial, stream_);
    } else {
        arriveVerlet(tables_, moving, step, board(), virial, stream_);
    }
    sumsOf(moving, plan, out);
}

math::FixedTensor Motion::constraintVirial(Moving const& moving, physics::Box const& box)
{
    if (tables_.unconstrained()) return {};
    sums_.clear(stream_);
    tryConstraints(tables_, felt(moving), constantsOf(box, firstStep_), dynamics_.dt, virialWords(), stream_);
    sums_.downloadLater(fetchedSums_, stream_);
    stream_.synchronize();
    return virialOf(fetchedSums_.span().subspan(motionWords_));
}

void Motion::sumsOf(Moving const& moving, plan::StepPlan const& plan, engine::AdvanceSums& out)
{
    out.heat.clear();
    if (plan.kinetic) sumMotion(tables_, moving.velocities, static_cast<int>(groupCount_), sums_.view(), stream_);
    if (plan.kinetic || plan.virial()) fetch(plan, out);
}

void Motion::fetch(plan::StepPlan const& plan, engine::AdvanceSums& out)
{
    sums_.downloadLater(fetchedSums_, stream_);
    first_.downloadLater(fetchedFirst_, stream_);
    if (thermostats_) thermostats_->fetchLater();
    bool const heat = plan.kinetic && heat_.size() > 0;
    if (heat) {
        heat_.downloadLater(fetchedHeat_, stream_);
        heat_.clear(stream_);
    }
    stream_.synchronize();
    judge(fetchedFirst_[0]);
    memoryFetched_ = true;
    if (plan.kinetic) out.motion = motionOf(fetchedSums_.span(), groupCount_);
    if (plan.virial()) out.constraintVirial = virialOf(fetchedSums_.span().subspan(motionWords_));
    for (std::int64_t const units : fetchedHeat_.span().first(heat ? fetchedHeat_.size() : 0)) out.heat.push_back({units});
}

system::MotionSums Motion::motion(View<Vec3d const> velocities)
{
    sums_.clear(stream_);
    sumMotion(tables_, velocities, static_cast<int>(groupCount_), sums_.view(), stream_);
    sums_.downloadLater(fetchedSums_, stream_);
    stream_.synchronize();
    return motionOf(fetchedSums_.span(), groupCount_);
}

void Motion::requireHealthy()
{
    first_.downloadLater(fetchedFirst_, stream_);
    stream_.synchronize();
    judge(fetchedFirst_[0]);
}

void Motion::judge(BlameKey key)
{
    if (key != noBlame) engine::failStep(topology_, firstStep_ + static_cast<std::int64_t>(key >> orderBit), blameOf(key));
}

/// The details that belong to a key.
engine::Blame Motion::blameOf(BlameKey key)
{
    for (BlameSlot const& slot : slots_.download(stream_))
        if (slot.key == key) return slot.blame;
    throw base::RunFailed("GPU: an atom was blamed and the reason lost");
}

void Motion::constrainStart(Moving const& moving, physics::Box const& box)
{
    if (tables_.unconstrained()) return;
    firstStep_ = 0;
    StepConstants const step = constantsOf(box, 0);
    auto const failed = [&] {
        first_.downloadLater(fetchedFirst_, stream_);
        stream_.synchronize();
        return fetchedFirst_[0] != noBlame;
    };
    constrainPositions(tables_, moving, step, board(), stream_);
    if (failed()) engine::failStartPositions(topology_, blameOf(fetchedFirst_[0]));
    if (!moving.velocities.given() || !(dynamics_.dt > 0)) return;
    if (dynamics_.integrator == plan::Integrator::mdVv) {
        projectVelocities(tables_, moving, step, board(), stream_);
        return;
    }
    constrainVelocities(tables_, moving, step, board(), stream_);
    if (failed()) engine::failStartVelocities(topology_, blameOf(fetchedFirst_[0]));
}

void Motion::stopFrozen(View<Vec3d> velocities)
{
    if (!frozen_.empty()) frozen_.stop(velocities, stream_);
}

void Motion::changeVelocities(View<Vec3d> velocities, math::Mat3d const& factor)
{
    transformVelocities(velocities, tables_.atomCount(), factor, stream_);
}

} // namespace alder::cuda
