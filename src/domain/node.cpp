#include "domain/node.hpp"

#include <mpi.h>
#include <sched.h>

#include <array>
#include <cstddef>
#include <vector>

namespace alder::domain {

namespace {

constexpr std::size_t mostProcessors = CPU_SETSIZE;
/// One byte a processor: 1 where a rank may run on it.
using Allowed = std::array<unsigned char, mostProcessors>;

Allowed allowedHere()
{
    Allowed allowed{};
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (std::size_t p = 0; p < mostProcessors; ++p) allowed[p] = CPU_ISSET(p, &set) ? 1 : 0;
    else
        allowed[0] = 1;
    return allowed;
}

/// Of all ranks on this machine, this one, at its place, among them.
std::vector<Allowed> allowedOnNode(World const& world, Allowed const& mine, int& place)
{
    place = 0;
    if (world.size() == 1) return {mine};
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world.rank(), MPI_INFO_NULL, &node);
    int ranks = 1;
    MPI_Comm_size(node, &ranks);
    MPI_Comm_rank(node, &place);
    std::vector<Allowed> all(static_cast<std::size_t>(ranks));
    constexpr int bytes = sizeof(Allowed);
    MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, node);
    MPI_Comm_free(&node);
    return all;
}

} // namespace

NodeShare shareOfNode(World const& world)
{
    Allowed const mine = allowedHere();
    NodeShare share;
    std::vector<Allowed> const all = allowedOnNode(world, mine, share.place);
    share.ranks = static_cast<int>(all.size());
    share.processors = share.allowed = 0;
    share.part = 0;
    for (std::size_t p = 0; p < mostProcessors; ++p) {
        int users = 0;
        for (Allowed const& allowed : all) users += allowed[p];
        if (users > 0) ++share.processors;
        if (mine[p] == 0) continue;
        ++share.allowed;
        share.part += 1.0 / users;
    }
    return share;
}

} // namespace alder::domain
