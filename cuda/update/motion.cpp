#include "update/motion.hpp"

#include "base/error.hpp"
#include "physics/leap_frog.hpp"
#include "update/leap_frog_step.hpp"
#include "update/motion_sums.hpp"
#include "update/start_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace alder::cuda {

using math::Vec3d;

Motion::Motion(system::Topology const& topology, plan::DynamicsPlan const& dynamics, Stream& stream)
    : topology_(topology),
      dynamics_(dynamics),
      stream_(stream),
      groupCount_(std::max<std::size_t>(1, dynamics.groups.size())),
      motionWords_(motionWords(groupCount_)),
      tables_(topology, dynamics.constraints, stream),
      sums_(motionWords_ + 9),
      drift_(momentumWords)
{
    if (std::vector<std::string> const missing = cannotMove(topology, dynamics); !missing.empty()) missing_ = missing.front();
    setFactors(engine::groupFactors({}, dynamics));
    clearBlame();
}

void Motion::clearBlame()
{
    first_.upload({noBlame}, stream_);
    slots_.upload(std::vector<BlameSlot>(tables_.slotCount()), stream_);
}

void Motion::requireCanMove() const
{
    if (!missing_.empty()) throw base::RunFailed("GPU: no kernel moves atoms yet with " + missing_);
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
    return {box, physics::FractionSteps(box), dynamics_.dt, limit * limit, step, static_cast<std::uint64_t>(step - firstStep_)};
}

void Motion::advance(Moving const& moving, physics::Box const& box, plan::StepPlan const& plan, engine::Scaling const& scaling,
                     engine::AdvanceSums& out)
{
    requireCanMove();
    setFactors(engine::groupFactors(scaling, dynamics_));
    StepConstants const step = constantsOf(box, plan.step);
    bool const asked = plan.kinetic || plan.virial();
    if (asked) sums_.clear(stream_);
    View<std::int64_t> const virial = plan.virial() ? sums_.view().from(virialAt()) : View<std::int64_t>();
    stepLeapFrog(tables_, moving, {lambda_.constView(), kick_.constView()}, step, board(), virial, stream_);
    // before the kinetic energies, so that they are those of the velocities a checkpoint holds
    if (plan.removeComm && tables_.totalMass() > 0) {
        drift_.clear(stream_);
        sumMotion(tables_, moving.velocities, 0, drift_.view(), stream_);
        removeDrift(tables_, moving.velocities, drift_.constView(), stream_);
    }
    if (plan.kinetic) sumMotion(tables_, moving.velocities, static_cast<int>(groupCount_), sums_.view(), stream_);
    if (asked) fetch(plan, out);
}

void Motion::fetch(plan::StepPlan const& plan, engine::AdvanceSums& out)
{
    sums_.downloadLater(fetchedSums_, stream_);
    first_.downloadLater(fetchedFirst_, stream_);
    stream_.synchronize();
    judge(fetchedFirst_[0]);
    if (plan.kinetic) out.motion = motionOf(fetchedSums_.span(), groupCount_);
    if (plan.virial()) {
        std::span<std::int64_t const> const w = fetchedSums_.span().subspan(virialAt());
        out.constraintVirial = {{w[0]}, {w[1]}, {w[2]}, {w[3]}, {w[4]}, {w[5]}, {w[6]}, {w[7]}, {w[8]}};
    }
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
    requireCanMove();
    firstStep_ = 0;
    StepConstants step = constantsOf(box, 0);
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

void Motion::changeVelocities(View<Vec3d> velocities, math::Mat3d const& factor)
{
    transformVelocities(velocities, tables_.atomCount(), factor, stream_);
}

} // namespace alder::cuda
