#include "simt/shared.hpp"

#include "poison.hpp"
#include "report.hpp"
#include "running_block.hpp"

#include <bit>
#include <cstdlib>

namespace alder::simt {
namespace {

// Between arrays, where no access belongs.
constexpr std::size_t gap = 64;
constexpr std::size_t mostArrays = 64;
constexpr std::size_t arenaSize = sharedLimit + mostArrays * gap;

std::string threadsText(Touch const& touch)
{
    if (touch.warp == severalWarps) return "threads of several warps";
    int const lane = std::countr_zero(touch.lanes);
    std::string text = "thread " + std::to_string(32 * touch.warp + lane);
    if (std::popcount(touch.lanes) > 1) text += " and others";
    return text;
}

} // namespace

SharedArena::SharedArena()
    : data_(static_cast<std::byte*>(std::aligned_alloc(gap, arenaSize))),
      // zeroed by the system where it is first touched: most kernels need little of it
      records_(static_cast<SharedRecord*>(std::calloc(sharedLimit, sizeof(SharedRecord))))
{
    poison(data_, arenaSize);
}
SharedArena::~SharedArena()
{
    unpoison(data_, arenaSize);
    std::free(data_);
    std::free(records_);
}

void SharedArena::begin()
{
    // records need no clearing: they hold epochs before the block's
    if (entries_.empty()) return;
    poison(data_, arenaSize);
    entries_.clear();
    reached_ = elements_ = bytes_ = 0;
}

SharedRegion SharedArena::region(void const* key, SharedShape const& shape)
{
    for (Entry const& entry : entries_)
        if (entry.key == key) return entry.region;
    std::size_t const size = shape.elementSize * shape.count;
    bytes_ = (bytes_ + shape.alignment - 1) / shape.alignment * shape.alignment + size;
    if (bytes_ > sharedLimit || entries_.size() == mostArrays)
        reportFault("shared memory of " + std::to_string(bytes_) + " bytes in " + std::to_string(entries_.size() + 1) +
                    " arrays, at most " + std::to_string(sharedLimit) + " in " + std::to_string(mostArrays));
    std::size_t const at = (reached_ + gap - 1) / gap * gap;
    SharedRegion const region{data_ + at, records_ + elements_};
    unpoison(region.data, size);
    std::memset(region.data, 0xfb, size);
    reached_ = at + size;
    elements_ += shape.count;
    entries_.push_back({key, shape, region});
    return region;
}

SharedArena::Found SharedArena::find(void const* at) const
{
    auto const* const address = static_cast<std::byte const*>(at);
    for (Entry const& entry : entries_) {
        auto const offset = static_cast<std::size_t>(address - entry.region.data);
        if (address >= entry.region.data && offset < entry.shape.elementSize * entry.shape.count) {
            std::size_t const index = offset / entry.shape.elementSize;
            return {entry.region.records + index, entry.shape.name, index};
        }
    }
    return {};
}

SharedRegion sharedRegion(void const* key, SharedShape const& shape) { return currentBlock->shared.region(key, shape); }

bool knownTouch(Touch const& touch, Lane const& me)
{
    for (std::uint32_t rest = touch.lanes & ~(1u << me.lane); rest != 0; rest &= rest - 1)
        if (touch.clock >= me.warp->known[me.lane][std::countr_zero(rest)]) return false;
    return true;
}

void touchAtomically(SharedRecord& record, Lane const& me, char const* name, std::size_t index)
{
    if (record.written.blockEpoch < me.warp->blockStart) reportUnwrittenShared(Access::atomic, name, index);
    bool const alsoAtomic = record.written.atomic && record.written.blockEpoch == me.warp->blockEpoch;
    if ((!alsoAtomic && conflicts(record.written, me)) || conflicts(record.read, me)) reportRace(Access::atomic, name, index, record);
    if (alsoAtomic)
        addTouch(record.written, me);
    else
        setTouch(record.written, me);
    record.written.atomic = true;
}

void reportRace(Access access, char const* name, std::size_t index, SharedRecord const& record)
{
    bool const afterWrite = conflicts(record.written, *currentLane);
    Touch const& other = afterWrite ? record.written : record.read;
    reportFault("shared-memory race: " + std::string(accessName(access)) + " of element " + std::to_string(index) + " of shared array " +
                name + ", which " + threadsText(other) + (afterWrite ? record.written.atomic ? " changed atomically" : " wrote" : " read") +
                " with no barrier between");
}

void reportUnwrittenShared(Access access, char const* name, std::size_t index)
{
    reportFault("unwritten memory: " + std::string(accessName(access)) + " of element " + std::to_string(index) + " of shared array " +
                name);
}

} // namespace alder::simt
