#include "update/collisions.hpp"

#include "device/launch.hpp"

namespace alder::cuda {

namespace {

using math::Vec3d;

template <class Held>
__global__ void __launch_bounds__(updateThreads)
    collideHeld(typename Held::Table table, Moving moving, AtomTraits traits, CollisionSource source, StepConstants step, BlameBoard board)
{
    int const index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (index >= table.count || lostBefore(board, step.order)) return;
    Held held(table, index, {moving.positions, step.box()});
    couple::CollisionDraws const draws{source.seed, step.number()};
    bool struck = false;
    for (int k = 0; k < held.count(); ++k) {
        int const i = held.atom(k);
        Vec3d v = moving.velocities[i];
        struck |= couple::collide(source.groups[groupOf(traits, i)], draws, i, traits.mass[i], v);
        held.velocity[k] = v;
    }
    if (!struck) return;
    static_cast<void>(held.project(step.dt));
    for (int k = 0; k < held.count(); ++k) moving.velocities[held.atom(k)] = held.velocity[k];
}

} // namespace

void strikeAtoms(UpdateTables const& tables, Moving const& moving, CollisionSource const& source, StepConstants const& step,
                 BlameBoard const& board, Stream& stream)
{
    tables.forEachHeld([&]<class Table>(Table const& table) {
        LaunchShape const shape{.grid = blocksFor(static_cast<std::size_t>(table.count), updateThreads), .block = updateThreads};
        AtomTraits const traits = tables.traits();
        launch<collideHeld<typename Table::Holds>>(shape, stream, table, moving, traits, source, step, board);
    });
}

} // namespace alder::cuda
