#include "update/couplings/collisions.hpp"

#include "device/launch.hpp"

namespace alder::cuda {

namespace {

using math::Vec3d;

template <class Held>
__global__ void __launch_bounds__(Held::threads)
    collideHeld(typename Held::Table table, Moving moving, AtomTraits traits, CollisionSource source, StepConstants step, BlameBoard board)
{
    int const index = Held::index();
    if (index >= table.count || lostBefore(board, step.order)) return;
    Held held(table, index, {moving.positions, step.box()});
    couple::CollisionDraws const draws{source.seed, step.number()};
    bool struck = false;
    forEachAtom(held, [&](int k) {
        int const i = held.atom(k);
        Vec3d v = moving.velocities[i];
        struck |= couple::collide(source.groups[groupOf(traits, i)], draws, numberOf(traits, i), traits.mass[i], v);
        held.velocity[k] = v;
    });
    if (!Held::anyone(struck)) return;
    static_cast<void>(held.project(step.dt));
    forEachAtom(held, [&](int k) { moving.velocities[held.atom(k)] = held.velocity[k]; });
}

} // namespace

void strikeAtoms(UpdateTables const& tables, Moving const& moving, CollisionSource const& source, StepConstants const& step,
                 BlameBoard const& board, Stream& stream)
{
    tables.forEachHeld([&]<class Table>(Table const& table) {
        AtomTraits const traits = tables.traits();
        launch<collideHeld<typename Table::Holds>>(shapeOf(table), stream, table, moving, traits, source, step, board);
    });
}

} // namespace alder::cuda
