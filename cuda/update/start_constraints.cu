#include "update/start_constraints.hpp"

#include "device/launch.hpp"

namespace alder::cuda {

namespace {

using math::Vec3d;

enum class Start : std::uint8_t { positions, velocities, projection };

template <class Held, Start what>
__global__ void __launch_bounds__(Held::threads) satisfy(typename Held::Table table, Moving moving, StepConstants step, BlameBoard board)
{
    int const index = Held::index();
    Finding finding;
    if (index < table.count) {
        Held held(table, index, {moving.positions, step.box()});
        forEachAtom(held, [&](int k) {
            held.velocity[k] = what == Start::positions ? Vec3d{} : moving.velocities[held.atom(k)];
            held.displacement[k] = what == Start::positions ? Vec3d{} : -step.dt * held.velocity[k];
        });
        if constexpr (what == Start::projection)
            static_cast<void>(held.project(step.dt));
        else
            finding.blame = held.solve(constraints::startTolerance);
        forEachAtom(held, [&](int k) {
            int const i = held.atom(k);
            if constexpr (what == Start::positions)
                moving.positions[i] = wrappingSum(moving.positions[i], step.fractions().of(held.displacement[k]));
            else if constexpr (what == Start::velocities)
                moving.velocities[i] = held.velocity[k] - (1.0 / step.dt) * (held.displacement[k] - (-step.dt * held.velocity[k]));
            else
                moving.velocities[i] = held.velocity[k];
        });
    }
    report(board, step.order, finding, slotIn(table));
}

template <Start what>
void satisfyAll(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board, Stream& stream)
{
    tables.forEachConstrained([&]<class Table>(Table const& table) {
        launch<satisfy<typename Table::Holds, what>>(shapeOf(table), stream, table, moving, step, board);
    });
}

} // namespace

void constrainPositions(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                        Stream& stream)
{
    satisfyAll<Start::positions>(tables, moving, step, board, stream);
}

void constrainVelocities(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                         Stream& stream)
{
    satisfyAll<Start::velocities>(tables, moving, step, board, stream);
}

void projectVelocities(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board, Stream& stream)
{
    satisfyAll<Start::projection>(tables, moving, step, board, stream);
}

} // namespace alder::cuda
