// One rank fails while the others wait for it, each in its own kind of wait:
//   mpirun -n N failing_rank barrier|sum|largest|broadcast|exchange|receive|receive-any|part
// Every other rank prints what it hears. Without the announcement they would wait forever.

#include "domain/communicator.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace {

using namespace alder::domain;

void waitForRankOne(std::string const& kind, Communicator& ranks)
{
    std::array<std::int64_t, 1> one{1};
    std::vector<std::byte> bytes(10);
    Pending pending;
    if (kind == "barrier") ranks.barrier();
    if (kind == "sum") ranks.sum(one);
    if (kind == "largest") ranks.largest(one);
    if (kind == "broadcast") ranks.broadcast(bytes);
    if (kind == "exchange") ranks.exchange(std::vector<std::vector<int>>(static_cast<std::size_t>(ranks.size()), {1, 2}));
    if (kind == "receive") {
        ranks.receive(1, Tag::forces, std::span<std::int64_t>(one), pending);
        ranks.wait(pending);
    }
    if (kind == "receive-any") ranks.receiveAny<int>(1, Tag::forces);
}

} // namespace

int main(int argc, char** argv)
{
    World const world;
    std::string const kind = argc > 1 ? argv[1] : "";
    Communicator all(world);
    if (kind == "part") all = all.part(0);
    if (world.rank() == 1) {
        usleep(200'000); // the others wait by then
        all.announceFailure("the disk is full");
        all.linger(20);
        world.abort(1);
    }
    try {
        // Who broadcasts does not wait; so rank 0 then waits for the next thing.
        waitForRankOne(kind == "part" ? "sum" : kind, all);
        all.barrier();
    } catch (RankFailed const& failed) {
        fmt::print("rank {} hears: {}\n", world.rank(), failed.what());
        std::fflush(stdout);
    }
    all.linger(2); // until all have heard
    world.abort(1);
}
