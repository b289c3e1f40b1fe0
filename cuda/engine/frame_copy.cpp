#include "engine/frame_copy.hpp"

#include "math/fixed_sum.hpp"

namespace alder::cuda {

void FrameCopy::take(engine::Wanted wanted, FrameArrays const& arrays, Health const& health, Stream& stream)
{
    wanted_ = wanted;
    stream.waitFor(arrived_); // of the copies before, where nobody asked for them
    if (wanted.positions) positions_.copyFrom(arrays.positions, stream);
    if (wanted.velocities) velocities_.copyFrom(arrays.velocities, stream);
    if (wanted.forces) forces_.copyFrom(arrays.forces, stream);
    health.gather(words_, stream);
    taken_.record(stream);
    copies_.waitFor(taken_);
    if (wanted.positions) positions_.downloadLater(fetchedPositions_, copies_);
    if (wanted.velocities) velocities_.downloadLater(fetchedVelocities_, copies_);
    if (wanted.forces) forces_.downloadLater(fetchedForces_, copies_);
    words_.downloadLater(fetchedWords_, copies_);
    arrived_.record(copies_);
}

void FrameCopy::give(Health const& health, system::State& state, std::vector<math::Vec3d>& forces)
{
    arrived_.synchronize();
    health.judge(fetchedWords_.span());
    auto const copy = [](auto const& from, auto& to) { to.assign(from.span().begin(), from.span().end()); };
    if (wanted_.positions) copy(fetchedPositions_, state.positions);
    if (wanted_.velocities) copy(fetchedVelocities_, state.velocities);
    if (!wanted_.forces) return;
    std::span<std::int64_t const> const units = fetchedForces_.span();
    forces.resize(units.size() / 3);
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = math::forceValue({units[3 * i], units[3 * i + 1], units[3 * i + 2]});
}

} // namespace alder::cuda
