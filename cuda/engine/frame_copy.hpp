#pragma once
// Positions, velocities and forces on their way to the host while the device goes on with the next steps: copied on the device first, then
// brought to memory of the host by a stream of their own.

#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "engine/backend.hpp"
#include "engine/health.hpp"
#include "math/vec3.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// The arrays that are copied where they are wanted.
struct FrameArrays {
    DeviceBuffer<math::FractionVec> const& positions;
    DeviceBuffer<math::Vec3d> const& velocities;
    DeviceBuffer<std::int64_t> const& forces;
};

class FrameCopy {
public:
    /// Takes the arrays as they are when the stream gets there, and what is wrong by then. The host does not wait.
    void take(engine::Wanted wanted, FrameArrays const& arrays, Health const& health, Stream& stream);
    /// Hands over what was taken last. The host waits for the copies, and for nothing that was given to the device after take(). Throws
    /// base::RunFailed, and hands over nothing, where something had gone wrong before.
    void give(Health const& health, system::State& state, std::vector<math::Vec3d>& forces);

private:
    Stream copies_;
    Event taken_, arrived_;
    engine::Wanted wanted_;
    DeviceBuffer<math::FractionVec> positions_;
    DeviceBuffer<math::Vec3d> velocities_;
    DeviceBuffer<std::int64_t> forces_, words_;
    PinnedBuffer<math::FractionVec> fetchedPositions_;
    PinnedBuffer<math::Vec3d> fetchedVelocities_;
    PinnedBuffer<std::int64_t> fetchedForces_, fetchedWords_;
};

} // namespace alder::cuda
