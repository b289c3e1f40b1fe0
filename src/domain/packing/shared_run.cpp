#include "domain/packing/shared_run.hpp"

#include "domain/packing/fields.hpp"

#include <utility>

namespace alder::domain {

namespace {

std::vector<std::byte> packed(SharedRun const& run, StateArrays arrays)
{
    std::vector<math::FractionVec> positions;
    std::vector<math::Vec3d> velocities;
    if (arrays == StateArrays::ofFirstRankAlone) { // lent, so that the state is packed without them
        positions.swap(run.state.positions);
        velocities.swap(run.state.velocities);
    }
    Packer pack;
    pack(std::as_const(run.topology), std::as_const(run.plan), std::as_const(run.state), std::as_const(run.title));
    if (arrays == StateArrays::ofFirstRankAlone) {
        positions.swap(run.state.positions);
        velocities.swap(run.state.velocities);
    }
    return pack.take();
}

} // namespace

void broadcast(Communicator& ranks, SharedRun const& run, StateArrays arrays)
{
    if (ranks.size() == 1) return;
    std::vector<std::byte> bytes;
    if (ranks.first()) bytes = packed(run, arrays);
    ranks.broadcast(bytes);
    if (ranks.first()) return;
    Unpacker unpack(bytes);
    unpack(run.topology, run.plan, run.state, run.title);
    if (!unpack.atEnd()) throw base::RunFailed("rank 0 sent more than a run: do all ranks run the same program?");
}

} // namespace alder::domain
