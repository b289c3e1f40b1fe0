#include "running_block.hpp"

#include "report.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>
#include <thread>

namespace alder::simt {

constinit thread_local Lane* currentLane = nullptr;
constinit thread_local Block* currentBlock = nullptr;
constinit thread_local BlockPlace const* currentPlace = nullptr;

namespace {

std::uint64_t gridSeed = 0;
int workers = 1;

std::uint64_t nextRandom(std::uint64_t& state)
{
    // SplitMix64's step: any state will do, zero too
    std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

char const* meetingName(Meeting meeting)
{
    switch (meeting) {
    case Meeting::none: return "nothing";
    case Meeting::barrier: return "__syncthreads";
    case Meeting::syncWarp: return "__syncwarp";
    case Meeting::shuffle: return "a shuffle";
    case Meeting::ballot: return "__ballot_sync";
    case Meeting::any: return "__any_sync";
    case Meeting::all: return "__all_sync";
    case Meeting::match: return "__match_any_sync";
    }
    return "";
}

std::string hex(std::uint32_t mask)
{
    char text[16];
    std::snprintf(text, sizeof text, "%08x", mask);
    return text;
}

/// Nobody can run, and some have not returned.
[[noreturn]] void reportStuck(Block& block)
{
    std::string what;
    bool gathered = false;
    for (unsigned w = 0; w < block.warpCount; ++w) {
        Warp const& warp = block.warps[w];
        for (unsigned g = 0; g < warp.gatherings; ++g) {
            Gathering const& gathering = warp.gathering[g];
            int const first = std::countr_zero(gathering.arrived);
            if (!gathered) {
                currentLane = const_cast<Lane*>(&warp.lanes[first]);
                what = "divergent collective: threads wait for each other for ever:";
            }
            what += std::string(gathered ? "," : "") + " warp " + std::to_string(w) + " lanes " + hex(gathering.arrived) + " at " +
                    meetingName(gathering.meeting) + " of mask " + hex(gathering.mask) + " (" + placeText(warp.where[first]) + ")";
            gathered = true;
        }
    }
    unsigned const waiting = block.atBarrier;
    if (gathered && waiting > 0) what += ", " + std::to_string(waiting) + " threads at __syncthreads";
    if (!gathered) what = "threads wait for ever";
    reportFault(what);
}

void checkBarrier(Block& block)
{
    Where const* first = nullptr;
    for (unsigned w = 0; w < block.warpCount; ++w) {
        Warp& warp = block.warps[w];
        for (std::uint32_t rest = warp.barrier; rest != 0; rest &= rest - 1) {
            int const lane = std::countr_zero(rest);
            if (first == nullptr) {
                first = &warp.where[lane];
                if (block.alive < block.threads) {
                    currentLane = &warp.lanes[lane];
                    reportFault("barrier not reached by all threads: " + std::to_string(block.atBarrier) + " of " +
                                std::to_string(block.threads) + " wait at __syncthreads (" + placeText(*first) + "), the others returned");
                }
            } else if (warp.where[lane].line != first->line || std::strcmp(warp.where[lane].file, first->file) != 0) {
                currentLane = &warp.lanes[lane];
                reportFault("barrier not reached by all threads: some wait at " + placeText(*first) + ", others at " +
                            placeText(warp.where[lane]));
            }
        }
    }
}

void releaseBarrier(Block& block)
{
    checkBarrier(block);
    ++block.epoch;
    for (unsigned w = 0; w < block.warpCount; ++w) {
        Warp& warp = block.warps[w];
        warp.ready = warp.barrier;
        warp.barrier = 0;
        warp.blockEpoch = block.epoch;
    }
    block.voted = static_cast<int>(block.votes);
    block.votes = block.atBarrier = 0;
}

Lane* readyLane(Block const& block, Warp& warp, unsigned after)
{
    std::uint32_t const ready = warp.ready;
    if (ready == 0) return nullptr;
    if (block.descending) {
        std::uint32_t const below = ready & ((1u << after) - 1u);
        return &warp.lanes[31 - std::countl_zero(below != 0 ? below : ready)];
    }
    std::uint32_t const above = ready & (~std::uint32_t{0} << after);
    return &warp.lanes[std::countr_zero(above != 0 ? above : ready)];
}

/// Who runs next after a lane that waits or has returned; none when all have returned.
Lane* nextLane(Block& block, Lane const& after)
{
    if (Lane* const lane = readyLane(block, *after.warp, after.lane)) return lane;
    for (;;) {
        auto const own = static_cast<unsigned>(after.warp - block.warps.data());
        for (unsigned i = 1; i <= block.warpCount; ++i) {
            unsigned w = own + i;
            if (w >= block.warpCount) w -= block.warpCount;
            if (Lane* const lane = readyLane(block, block.warps[w], 0)) return lane;
        }
        if (block.alive == 0) return nullptr;
        if (block.atBarrier != block.alive) reportStuck(block);
        releaseBarrier(block);
    }
}

void threadMain();

/// Leaves a waiting lane for the next.
void yieldTo(Block& block, Lane& me, Lane& next)
{
    currentLane = &next;
    if (next.fiber == nullptr) {
        next.fiber = block.fibers.take();
        switchStack(*me.fiber, &me.stackPointer, *next.fiber, FiberPool::prepare(*next.fiber, threadMain));
    } else {
        switchStack(*me.fiber, &me.stackPointer, *next.fiber, next.stackPointer);
    }
}

void finishGathering(Warp& warp, unsigned which);

void leave(Block& block, Lane& me)
{
    Warp& warp = *me.warp;
    std::uint32_t const bit = 1u << me.lane;
    warp.alive &= ~bit;
    warp.ready &= ~bit;
    --block.alive;
    // lanes that wait only for those that have returned go on
    for (unsigned g = 0; g < warp.gatherings;) {
        Gathering const& gathering = warp.gathering[g];
        if ((gathering.mask & warp.alive & ~gathering.arrived) == 0)
            finishGathering(warp, g);
        else
            ++g;
    }
}

/// What a fiber runs: one thread, and then, on the same warm stack, any that has not begun.
void threadMain()
{
    Block& block = *currentBlock;
    arriveOnFiber(block.launcher);
    for (;;) {
        block.call->thread();
        Lane& me = *currentLane;
        leave(block, me);
        Fiber* const fiber = me.fiber;
        Lane* const next = nextLane(block, me);
        currentLane = next;
        if (next != nullptr && next->fiber == nullptr) {
            next->fiber = fiber;
            continue;
        }
        block.fibers.giveBack(fiber);
        // neither returns
        if (next == nullptr)
            switchAway(*fiber, block.launcher, block.launcherPointer);
        else
            switchAway(*fiber, *next->fiber, next->stackPointer);
    }
}

void giveShuffled(Warp& warp, std::uint32_t arrived)
{
    for (std::uint32_t rest = arrived; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        auto const source = static_cast<unsigned>(warp.source[lane]);
        if (source >= 32 || (arrived >> source & 1u) == 0) [[unlikely]] {
            currentLane = &warp.lanes[lane];
            reportFault("a shuffle reads lane " + std::to_string(source) + ", which takes no part in it (lanes " + hex(arrived) + " do, " +
                        placeText(warp.where[lane]) + ")");
        }
        warp.result[lane] = warp.value[source];
    }
}

void giveVotes(Warp& warp, Meeting meeting, std::uint32_t arrived)
{
    std::uint32_t votes = 0;
    for (std::uint32_t rest = arrived; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        votes |= static_cast<std::uint32_t>(warp.value[lane] & 1u) << lane;
    }
    std::uint64_t const result = meeting == Meeting::ballot ? votes : meeting == Meeting::any ? votes != 0 : votes == arrived;
    for (std::uint32_t rest = arrived; rest != 0; rest &= rest - 1) warp.result[std::countr_zero(rest)] = result;
}

void giveMatches(Warp& warp, std::uint32_t arrived)
{
    for (std::uint32_t rest = arrived; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        std::uint32_t same = 0;
        for (std::uint32_t others = arrived; others != 0; others &= others - 1) {
            int const other = std::countr_zero(others);
            if (warp.value[other] == warp.value[lane]) same |= 1u << other;
        }
        warp.result[lane] = same;
    }
}

/// All lanes of a warp know of all that they did: clocks begin anew.
void meetInWhole(Warp& warp)
{
    ++warp.epoch;
    if (!warp.partial) return;
    std::memset(warp.clock, 0, sizeof warp.clock);
    std::memset(warp.known, 0, sizeof warp.known);
    warp.partial = false;
}

/// Some lanes of a warp have met: each knows from now on what all of them knew or did.
void meetInPart(Warp& warp, std::uint32_t arrived)
{
    warp.partial = true;
    std::uint16_t known[lanesPerWarp] = {};
    for (std::uint32_t rest = arrived; rest != 0; rest &= rest - 1) {
        int const lane = std::countr_zero(rest);
        ++warp.clock[lane];
        for (int other = 0; other < lanesPerWarp; ++other) known[other] = std::max(known[other], warp.known[lane][other]);
    }
    for (std::uint32_t rest = arrived; rest != 0; rest &= rest - 1) known[std::countr_zero(rest)] = warp.clock[std::countr_zero(rest)];
    for (std::uint32_t rest = arrived; rest != 0; rest &= rest - 1) std::memcpy(warp.known[std::countr_zero(rest)], known, sizeof known);
}

void finishGathering(Warp& warp, unsigned which)
{
    Gathering const gathering = warp.gathering[which];
    warp.gathering[which] = warp.gathering[--warp.gatherings];
    switch (gathering.meeting) {
    case Meeting::shuffle: giveShuffled(warp, gathering.arrived); break;
    case Meeting::ballot:
    case Meeting::any:
    case Meeting::all: giveVotes(warp, gathering.meeting, gathering.arrived); break;
    case Meeting::match: giveMatches(warp, gathering.arrived); break;
    default: break;
    }
    warp.ready |= gathering.arrived;
    if ((warp.alive & ~gathering.arrived) == 0)
        meetInWhole(warp);
    else
        meetInPart(warp, gathering.arrived);
}

void beginBlock(Block& block, std::uint64_t number)
{
    dim3 const grid = block.call->grid, shape = block.call->block;
    block.place = {{static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                    static_cast<unsigned>(number / (std::uint64_t{grid.x} * grid.y))},
                   shape,
                   grid};
    block.threads = block.alive = shape.x * shape.y * shape.z;
    block.warpCount = (block.threads + 31) / 32;
    block.atBarrier = block.votes = 0;
    block.shared.begin();
    ++block.epoch;
    for (unsigned w = 0; w < block.warpCount; ++w) {
        Warp& warp = block.warps[w];
        unsigned const lanes = std::min(32u, block.threads - 32 * w);
        warp.ready = warp.alive = lanes == 32 ? ~0u : (1u << lanes) - 1u;
        warp.barrier = 0;
        warp.gatherings = 0;
        warp.blockEpoch = warp.blockStart = block.epoch;
        meetInWhole(warp);
        for (unsigned l = 0; l < lanes; ++l) {
            Lane& lane = warp.lanes[l];
            lane.warp = &warp;
            lane.fiber = nullptr;
            lane.stackPointer = nullptr;
            lane.lane = l;
            lane.warpNumber = w;
            lane.thread = 32 * w + l;
            lane.index = {lane.thread % shape.x, lane.thread / shape.x % shape.y, lane.thread / (shape.x * shape.y)};
        }
    }
}

void runBlock(Block& block, std::uint64_t number)
{
    beginBlock(block, number);
    unsigned firstWarp = 0, firstLane = 0;
    if (gridSeed != 0) {
        std::uint64_t state = block.random + number;
        firstWarp = static_cast<unsigned>(nextRandom(state) % block.warpCount);
        firstLane = static_cast<unsigned>(nextRandom(state) % static_cast<unsigned>(std::popcount(block.warps[firstWarp].alive)));
        block.descending = (nextRandom(state) & 1u) != 0;
    } else {
        block.descending = false;
    }
    currentPlace = &block.place;
    Lane& lane = block.warps[firstWarp].lanes[firstLane];
    currentLane = &lane;
    lane.fiber = block.fibers.take();
    switchStack(block.launcher, &block.launcherPointer, *lane.fiber, FiberPool::prepare(*lane.fiber, threadMain));
    currentLane = nullptr;
    currentPlace = nullptr;
}

} // namespace

std::uint64_t meet(Meeting meeting, std::uint32_t mask, std::uint64_t value, std::int32_t source, Where where)
{
    Lane& me = *currentLane;
    Warp& warp = *me.warp;
    std::uint32_t const bit = 1u << me.lane;
    warp.value[me.lane] = value;
    warp.source[me.lane] = source;
    warp.where[me.lane] = where;
    if ((mask & bit) == 0) [[unlikely]]
        reportFault("divergent collective: " + std::string(meetingName(meeting)) + " of mask " + hex(mask) + ", which has not lane " +
                    std::to_string(me.lane) + " that calls it (" + placeText(where) + ")");
    unsigned which = 0;
    while (which < warp.gatherings && (warp.gathering[which].mask != mask || warp.gathering[which].meeting != meeting)) ++which;
    Gathering& gathering = warp.gathering[which];
    if (which == warp.gatherings) {
        gathering = {mask, 0, meeting};
        ++warp.gatherings;
    }
    gathering.arrived |= bit;
    warp.ready &= ~bit;
    if ((mask & warp.alive & ~gathering.arrived) == 0) {
        finishGathering(warp, which);
    } else {
        Block& block = *currentBlock;
        Lane* const next = nextLane(block, me);
        if (next != &me) yieldTo(block, me, *next);
    }
    return warp.result[me.lane];
}

int meetBlock(bool vote, Where where)
{
    Block& block = *currentBlock;
    Lane& me = *currentLane;
    Warp& warp = *me.warp;
    std::uint32_t const bit = 1u << me.lane;
    warp.where[me.lane] = where;
    warp.ready &= ~bit;
    warp.barrier |= bit;
    ++block.atBarrier;
    if (vote) ++block.votes;
    Lane* const next = nextLane(block, me);
    if (next != &me) yieldTo(block, me, *next);
    return block.voted;
}

void setBlockSeed(std::uint64_t seed) { gridSeed = seed; }
void setBlockWorkers(int count) { workers = std::max(1, count); }

void runGrid(KernelCall const& call)
{
    std::uint64_t const blocks = std::uint64_t{call.grid.x} * call.grid.y * call.grid.z;
    std::vector<std::uint64_t> order;
    static std::uint64_t launch = 0;
    std::uint64_t state = gridSeed + 0x100000001b3ull * ++launch;
    std::uint64_t const random = nextRandom(state);
    if (gridSeed != 0) {
        order.resize(blocks);
        std::iota(order.begin(), order.end(), std::uint64_t{0});
        for (std::uint64_t i = blocks; i > 1; --i) std::swap(order[i - 1], order[nextRandom(state) % i]);
    }
    std::atomic<std::uint64_t> next{0};
    auto const work = [&] {
        static thread_local std::unique_ptr<Block> own;
        if (!own) own = std::make_unique<Block>();
        own->call = &call;
        own->random = random;
        currentBlock = own.get();
        for (std::uint64_t i; (i = next.fetch_add(1)) < blocks;) runBlock(*own, order.empty() ? i : order[i]);
        currentBlock = nullptr;
    };
    std::vector<std::thread> others;
    for (int w = 1; w < workers && static_cast<std::uint64_t>(w) < blocks; ++w) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
}

} // namespace alder::simt
